import { useMutation } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import type { Cents } from '../../../../../server/api/money.ts'
import type { OrderRow } from '../../../../contract/order-records.ts'
import { useAccountNow } from '../../../lib/account/account-time.tsx'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { firstDay } from '../../../lib/days.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import type { Sort } from '../../../ui/table/columns/columns.ts'
import { usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
import {
  flag,
  oneOf,
  sortedBy,
  useListSettings,
  wordsOf,
} from '../../../ui/table/saved/list-settings.ts'

const sortColumns = ['created', 'total', 'status', 'external'] as const
type SortColumn = (typeof sortColumns)[number]

export const orderViews = [
  'all',
  'processing',
  'completed',
  'partially_completed',
  'failed',
] as const
export type OrderView = (typeof orderViews)[number]

const periods: Readonly<Record<string, number>> = {
  today: 1,
  'last 7 days': 7,
  'last 30 days': 30,
  'last year': 365,
}
export const orderPeriods = Object.keys(periods)

const viewParams = {
  view: oneOf(orderViews, 'all'),
  days: wordsOf(orderPeriods),
  refunded: flag,
  sort: sortedBy(sortColumns, 'created', 'desc'),
}

interface OrdersAnswer {
  total: number
  rows: OrderRow[]
  byStatus: Record<string, number>
  totalCents: Cents
  refundedCents: Cents
  complete: boolean
}

/** The filter and sort order of the orders page, the rows they match, and their export. */
export function useOrderList() {
  const account = useAccount()
  const [{ view, days, refunded, sort }, look] = useListSettings('orders', account.id, viewParams)
  const [typed, setTyped] = useState('')
  const query = useDeferredValue(typed)
  const today = new Date(useAccountNow()).setHours(0, 0, 0, 0)
  const statuses = useMemo(() => (view === 'all' ? [] : [view]), [view])
  const filter = useMemo(
    () => ({
      statuses,
      query,
      refunded,
      from: days[0] === undefined ? null : firstDay(today, periods[days[0]] ?? 1),
    }),
    [statuses, query, refunded, days, today],
  )
  const rows = usePagedRows<OrderRow, OrdersAnswer>(
    JSON.stringify([account.id, filter, sort]),
    (window) =>
      api.orders.list.queryOptions({ input: { accountId: account.id, ...filter, sort, window } }),
    (row) => row.orderId,
  )
  const exports = useMutation(
    api.orders.exportList.mutationOptions({
      onSuccess: ({ fileName, base64 }) => {
        saveFile(fileName, base64)
        toast({ title: 'Orders exported', text: fileName })
      },
      onError: (error) => toastProblem(problemOf(error), null),
    }),
  )
  const byStatus = rows.page?.byStatus
  /** Whether the view or a filter hides orders, apart from the search. */
  const isNarrowed = view !== 'all' || refunded || days.length > 0
  return {
    view,
    days,
    refunded,
    sort,
    look,
    /** The search field's text, and the query it becomes. */
    typed,
    setTyped,
    query,
    filter,
    /** Shows the list with this view and filter again. */
    show(): void {
      look({ view, days, refunded })
      setTyped(query)
    },
    rows,
    isNarrowed,
    isFiltered: query !== '' || isNarrowed,
    /** The number of orders in a view; null until it is known. */
    countOf: (id: OrderView): number | null =>
      byStatus === undefined
        ? null
        : id === 'all'
          ? Object.values(byStatus).reduce((sum, count) => sum + count, 0)
          : (byStatus[id] ?? 0),
    sortBy: ({ column, direction }: Sort): void =>
      look({ sort: { column: column as SortColumn, direction } }),
    isExporting: exports.isPending,
    /** Exports the matching orders, or only those with the given ids. */
    exportOrders: (orderIds?: string[]): void =>
      exports.mutate({
        accountId: account.id,
        ...filter,
        sort,
        ...(orderIds === undefined ? {} : { orderIds }),
      }),
  }
}
export type OrderList = ReturnType<typeof useOrderList>
