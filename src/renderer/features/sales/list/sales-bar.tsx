import type { RefObject } from 'react'
import type { SaleRow } from '../../../../contract/sales.ts'
import { saleViews } from '../../../../contract/sales.ts'
import { CopyMenu, type useCopyOf } from '../../../ui/controls/buttons/copy-menu.tsx'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { FilterChip } from '../../../ui/controls/filters/filter-chip.tsx'
import { Bar } from '../../../ui/layout/page.tsx'
import { SearchField, type SearchedList } from '../../../ui/controls/fields/search-field.tsx'
import { ColumnMenu } from '../../../ui/table/columns/column-menu.tsx'
import { saleColumns } from './columns.tsx'
import { barName } from '../periods.ts'
import type { SalesFilter } from './use-sales-filter.ts'
import { type SaleView, viewWords } from '../words.tsx'

/** Views, active filters and search above the table. */
export function SalesBar({
  filter,
  counts,
  first,
  copies,
  list,
}: {
  filter: SalesFilter
  counts: Readonly<Record<SaleView, number>> | undefined
  /** The first sale of the list, which names a filtered product or offer. */
  first: SaleRow | undefined
  copies: ReturnType<typeof useCopyOf>
  list: RefObject<SearchedList | null>
}) {
  const { asked, barFrom } = filter
  const { offerId, productId } = asked
  return (
    <Bar
      label="Filter sales"
      end={
        <>
          <SearchField
            label="Sale, order or product"
            width={216}
            value={filter.typed}
            onChange={filter.setTyped}
            list={list}
          />
          <CopyMenu {...copies} />
          <ColumnMenu tableId="sales" columns={saleColumns} />
        </>
      }
    >
      <CountTabs
        label="Views"
        value={asked.view}
        onChange={(view) => filter.look({ view })}
        tabs={saleViews.map((id) => ({ id, label: viewWords[id], count: counts?.[id] ?? null }))}
      />
      {barFrom === null ? null : (
        <FilterChip
          label="Sold"
          value={barName(filter.period, barFrom)}
          onRemove={filter.clearBar}
        />
      )}
      {productId === null ? null : (
        <FilterChip
          label="Product"
          value={first?.productId === productId ? first.name : productId}
          onRemove={() => filter.setLinked('product', null)}
        />
      )}
      {offerId === null ? null : (
        <FilterChip
          label="Offer"
          value={first?.offerId === offerId ? first.name : offerId}
          onRemove={() => filter.setLinked('offer', null)}
        />
      )}
    </Bar>
  )
}
