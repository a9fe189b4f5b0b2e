import { memo } from 'react'
import type { CatalogueFilter } from '../../../contract/catalogue.ts'
import { countryName } from '../../lib/labels/countries.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { deliveryTypeLabel, productTypeLabel } from '../../lib/labels/product-labels.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { FilterChip } from '../../ui/controls/filters/filter-chip.tsx'
import { formatCents } from '../../ui/format.ts'
import { haveSameChoices, isNarrowed, useFilterState } from './filter-state.ts'

const activationWords = { yes: '', unknown: 'unknown', no: 'not' } as const

/** The active filters as chips, each with an ×. */
export const FilterChips = memo(
  function FilterChips({ filter }: { filter: CatalogueFilter }) {
    const { id } = useAccount()
    const change = useFilterState((state) => state.change)
    const clear = useFilterState((state) => state.clear)
    const set = (next: Partial<CatalogueFilter>): void => change(id, next)
    if (!isNarrowed(filter)) return null
    const list = (
      label: string,
      values: readonly string[],
      remove: () => void,
      word = (value: string) => value,
    ) =>
      values.length === 0 ? null : (
        <FilterChip
          label={label}
          value={values.length <= 2 ? values.map(word).join(' or ') : `${values.length} chosen`}
          onRemove={remove}
        />
      )
    const range = [
      filter.minCents === null ? null : `from ${formatCents(filter.minCents)}`,
      filter.maxCents === null ? null : `up to ${formatCents(filter.maxCents)}`,
    ]
      .filter((part) => part !== null)
      .join(' ')
    return (
      <>
        {filter.notSoldByMe ? (
          <FilterChip value="Not sold by me" onRemove={() => set({ notSoldByMe: false })} />
        ) : null}
        {filter.inStockOnly ? (
          <FilterChip value="In stock" onRemove={() => set({ inStockOnly: false })} />
        ) : null}
        {filter.country === null ? null : (
          <FilterChip
            label="Activates in"
            value={`${countryName(filter.country)}${
              filter.activates.length === 3
                ? ''
                : filter.activates
                    .map((choice) => activationWords[choice])
                    .filter(Boolean)
                    .map((word) => ` or ${word}`)
                    .join('')
            }`}
            onRemove={() => set({ country: null, activates: ['yes', 'unknown'] })}
          />
        )}
        {list('Platform', filter.platforms, () => set({ platforms: [] }))}
        {list('Region', filter.regions, () => set({ regions: [] }))}
        {list('Type', filter.productTypes, () => set({ productTypes: [] }), productTypeLabel)}
        {list(
          'Delivery',
          filter.deliveryTypes,
          () => set({ deliveryTypes: [] }),
          deliveryTypeLabel,
        )}
        {range === '' ? null : (
          <FilterChip
            label="Price"
            value={range}
            onRemove={() => set({ minCents: null, maxCents: null })}
          />
        )}
        <Button kind="quiet" onClick={() => clear(id)}>
          Clear
        </Button>
      </>
    )
  },
  (before, after) => haveSameChoices(before.filter, after.filter),
)
