import { Checkbox, Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { memo, useCallback, useEffect, useRef } from 'react'
import type { Cents } from '../../../../server/api/money.ts'
import type { CatalogueFilter } from '../../../contract/catalogue.ts'
import { countries } from '../../lib/labels/countries.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { deliveryTypeLabel, productTypeLabel } from '../../lib/labels/product-labels.ts'
import { api, type rpc } from '../../lib/core/rpc.ts'
import { CountedFilterList } from '../../ui/controls/filters/counted-filter-list.tsx'
import { formatCount } from '../../ui/format.ts'
import { MoneyField } from '../../ui/controls/fields/price-field.tsx'
import { useInside } from '../../ui/hooks/use-inside.ts'
import { typingPauseMs, usePainted } from '../../ui/hooks/use-painted.ts'
import styles from './catalogue.module.css'
import { haveSameChoices, useFilterState } from './filter-state.ts'

type Counted = readonly { value: string; count: number }[]

/** Chosen values stay in the list, even if they would leave nothing. */
function choices(
  counted: Counted | undefined,
  chosen: readonly string[],
  word = (value: string) => value,
) {
  const known = counted ?? []
  const missing = chosen
    .filter((value) => !known.some((choice) => choice.value === value))
    .map((value) => ({ value, count: 0 }))
  return [...known, ...missing].map((choice) => ({ ...choice, label: word(choice.value) }))
}

/**
 * Filters to the left of the table, with the number of products each choice would leave. Counting
 * starts after the rows have been painted (`listed` identifies the shown list; null while it isn't
 * shown), because a typing user waits for the rows. After typing it also waits for a pause, because
 * counting many matches takes half a second. Until then, the previous counts stay.
 */
export function FilterRail({ filter, listed }: { filter: CatalogueFilter; listed: string | null }) {
  const account = useAccount()
  const counted = useRef(filter.query)
  const isDue = usePainted(listed, filter.query === counted.current ? 0 : typingPauseMs)
  useEffect(() => {
    if (isDue) counted.current = filter.query
  }, [isDue, filter.query])
  const { data } = useQuery({
    ...api.catalogue.counts.queryOptions({ input: { accountId: account.id, filter } }),
    enabled: isDue,
    placeholderData: keepPreviousData,
  })
  return <Choices filter={filter} data={data} />
}

type Counts = Awaited<ReturnType<typeof rpc.catalogue.counts>>

const Choices = memo(
  function Choices({ filter, data }: { filter: CatalogueFilter; data: Counts | undefined }) {
    const account = useAccount()
    const change = useFilterState((state) => state.change)
    const set = useCallback(
      (next: Partial<CatalogueFilter>): void => change(account.id, next),
      [change, account.id],
    )
    // Arriving counts must not move another choice under the pointer.
    const { inside: held, handlers } = useInside()
    const activates = data?.activates
    return (
      <div className={styles.rail} role="group" aria-label="Filters" {...handlers}>
        <fieldset className={styles.flags}>
          <legend className="kd-hidden">Availability</legend>
          {account.role === 'seller' ? (
            <Flag
              name="notSoldByMe"
              label="Not sold by me"
              count={data?.notSoldByMe}
              checked={filter.notSoldByMe}
              set={set}
            />
          ) : (
            <Flag
              name="inStockOnly"
              label="In stock"
              count={data?.inStock}
              checked={filter.inStockOnly}
              set={set}
            />
          )}
        </fieldset>
        <CountedFilterList
          title="Activates in"
          aside="local check"
          choices={
            filter.country === null || activates == null
              ? []
              : [
                  { value: 'yes', label: 'Yes', count: activates.yes },
                  { value: 'unknown', label: 'Unknown', count: activates.unknown },
                  { value: 'no', label: 'checked locally', count: activates.no },
                ]
          }
          chosen={filter.country === null ? [] : filter.activates}
          onChange={(chosen) => set({ activates: chosen as CatalogueFilter['activates'] })}
        >
          <Country country={filter.country} set={set} />
        </CountedFilterList>
        <ProductFilters filter={filter} data={data} held={held} set={set} />
        <fieldset className={styles.prices}>
          <legend>{account.role === 'seller' ? 'Shop price' : 'Price'}</legend>
          <div>
            <Amount name="minCents" label="From" cents={filter.minCents} set={set} />
            <Amount name="maxCents" label="To" cents={filter.maxCents} set={set} />
          </div>
        </fieldset>
      </div>
    )
  },
  (before, after) => before.data === after.data && haveSameChoices(before.filter, after.filter),
)

type Set = (next: Partial<CatalogueFilter>) => void

/** Filters by properties of the product, with the number of products that each choice leaves. */
function ProductFilters({
  filter,
  data,
  held,
  set,
}: {
  filter: CatalogueFilter
  data: Counts | undefined
  /** Whether the choices keep their order. */
  held: boolean
  set: Set
}) {
  return (
    <>
      <CountedFilterList
        title="Platform"
        keepOrder={held}
        choices={choices(data?.platforms, filter.platforms)}
        chosen={filter.platforms}
        onChange={(platforms) => set({ platforms })}
      />
      <CountedFilterList
        title="Type"
        keepOrder={held}
        choices={choices(data?.productTypes, filter.productTypes, productTypeLabel)}
        chosen={filter.productTypes}
        onChange={(productTypes) => set({ productTypes })}
        first={3}
      />
      <CountedFilterList
        title="Delivery"
        keepOrder={held}
        choices={choices(data?.deliveryTypes, filter.deliveryTypes, deliveryTypeLabel)}
        chosen={filter.deliveryTypes}
        onChange={(deliveryTypes) => set({ deliveryTypes })}
      />
      <CountedFilterList
        title="Region"
        keepOrder={held}
        choices={choices(data?.regions, filter.regions)}
        chosen={filter.regions}
        onChange={(regions) => set({ regions })}
        first={4}
      />
    </>
  )
}

// Memoized one by one: the rail is next to a list that updates with each typed letter.
const Country = memo(function Country({ country, set }: { country: string | null; set: Set }) {
  return (
    <Select
      aria-label="Customer’s country"
      placeholder="Country"
      searchable
      clearable
      data={countries}
      value={country}
      onChange={(next) => set({ country: next })}
      comboboxProps={{ width: 240, position: 'bottom-start' }}
      mb={country === null ? 0 : 6}
    />
  )
})

const Amount = memo(function Amount({
  name,
  label,
  cents,
  set,
}: {
  name: 'minCents' | 'maxCents'
  label: string
  cents: Cents | null
  set: Set
}) {
  return <MoneyField label={label} cents={cents} onChange={(next) => set({ [name]: next })} />
})

const Flag = memo(function Flag({
  name,
  label,
  count,
  checked,
  set,
}: {
  name: 'notSoldByMe' | 'inStockOnly'
  label: string
  count: number | undefined
  checked: boolean
  set: Set
}) {
  return (
    <label className={styles.flag}>
      <Box name={name} checked={checked} set={set} />
      <span>{label}</span>
      <span className={styles.flagCount}>{count === undefined ? '' : formatCount(count)}</span>
    </label>
  )
})

const Box = memo(function Box({
  name,
  checked,
  set,
}: {
  name: 'notSoldByMe' | 'inStockOnly'
  checked: boolean
  set: Set
}) {
  return (
    <Checkbox
      checked={checked}
      onChange={(event) => set({ [name]: event.currentTarget.checked })}
    />
  )
})
