import { type Ref, useCallback } from 'react'
import type { SaleRow, saleSortColumns } from '../../../../contract/sales.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { NoMatches } from '../../../ui/feedback/no-matches.tsx'
import { DataTable, type TableHandle } from '../../../ui/table/data-table.tsx'
import type { PagedRows } from '../../../ui/table/rows/paged-rows.ts'
import type { SaleView } from '../words.tsx'
import { saleColumns } from './columns.tsx'
import type { SalesFilter } from './use-sales-filter.ts'

export type SalesAnswer = {
  total: number
  rows: SaleRow[]
  views: Record<SaleView, number>
  complete: boolean
}
type SortColumn = (typeof saleSortColumns)[number]

/** The sales that match the filter. */
export function SalesTable({
  ref,
  filter,
  rows,
  saleId,
  onOpen,
}: {
  ref: Ref<TableHandle>
  filter: SalesFilter
  rows: PagedRows<SaleRow, SalesAnswer>
  /** The open sale. */
  saleId: string | null
  onOpen: (saleId: string | null) => void
}) {
  const { asked } = filter
  const locate = useCallback(
    async (wanted: string) => (await rpc.sales.position({ ...asked, saleId: wanted })).index,
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the filter is a new object each time
    [JSON.stringify(asked)],
  )
  if (rows.error !== null)
    return <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
  return (
    <DataTable
      ref={ref}
      autoFocus
      tableId="sales"
      label="Sales"
      columns={saleColumns}
      total={rows.total}
      getRow={rows.getRow}
      rowKey={(sale) => sale.saleId}
      onRange={rows.onRange}
      sort={asked.sort}
      onSort={({ column, direction }) => filter.sortBy(column as SortColumn, direction)}
      loading={rows.loading}
      stale={rows.stale}
      openKey={saleId}
      list={rows.list}
      locate={locate}
      onOpen={(sale) => onOpen(sale.saleId)}
      onClose={() => onOpen(null)}
      isMuted={(sale) => sale.status === 'cancelled'}
      toneOf={(sale) => (sale.held ? 'warn' : undefined)}
      empty={<NoSales filter={filter} />}
    />
  )
}

function NoSales({ filter }: { filter: SalesFilter }) {
  if (filter.isNarrowed)
    return (
      <NoMatches
        query={filter.asked.query}
        hint="Choose a longer period or another view."
        onClear={() => filter.setTyped('')}
      />
    )
  return (
    <EmptyState
      title={filter.period === 'all' ? 'No sales yet' : 'No sales in this period'}
      text="Each sale appears here as soon as the service reports it, with its release date."
      outline
    />
  )
}
