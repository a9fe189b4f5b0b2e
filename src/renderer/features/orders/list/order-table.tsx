import type { RefObject } from 'react'
import { useLocation } from 'wouter'
import { problemOf } from '../../../lib/core/problem.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { NoMatches } from '../../../ui/feedback/no-matches.tsx'
import { DataTable, type TableHandle } from '../../../ui/table/data-table.tsx'
import { OrderBulkBar, useOrderSelection } from '../order-selection.tsx'
import { orderColumns } from './columns.tsx'
import { NoOrders } from './no-orders.tsx'
import type { OrderList } from './use-order-list.ts'

/** The matching orders, with the actions for checked ones. */
export function OrderTable({
  list,
  table,
}: {
  list: OrderList
  table: RefObject<TableHandle | null>
}) {
  const [, go] = useLocation()
  const selection = useOrderSelection(list)
  const { rows } = list
  if (rows.error !== null)
    return <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
  return (
    <DataTable
      ref={table}
      tableId="orders"
      label="Orders"
      columns={orderColumns}
      total={rows.total}
      getRow={rows.getRow}
      rowKey={(row) => row.orderId}
      onRange={rows.onRange}
      checked={selection.checked}
      onCheck={selection.check}
      onCheckAll={selection.checkAll}
      over={<OrderBulkBar selection={selection} total={rows.total} onExport={list.exportOrders} />}
      sort={list.sort}
      onSort={list.sortBy}
      onOpen={(row) => go(`/orders/${row.orderId}`)}
      isMuted={(row) => row.status === 'failed'}
      loading={rows.loading}
      stale={rows.stale}
      empty={
        list.isFiltered ? (
          <NoMatches
            query={list.query}
            {...(list.isNarrowed && { hint: 'Choose another view, or remove filters.' })}
            onClear={() => list.setTyped('')}
          />
        ) : (
          <NoOrders onNew={() => go('/catalogue')} />
        )
      }
    />
  )
}
