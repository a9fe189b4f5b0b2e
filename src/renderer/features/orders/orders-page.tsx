import { useMutation } from '@tanstack/react-query'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Cents } from '../../../../server/api/money.ts'
import type { OrderRow } from '../../../contract/order-records.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { ServiceMoment, useAccountNow } from '../../lib/account/account-time.tsx'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { firstDay } from '../../lib/days.ts'
import { saveFile } from '../../lib/save-file.ts'
import { NoMatches } from '../../ui/feedback/no-matches.tsx'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { ChoiceChip } from '../../ui/controls/filters/filter-chip.tsx'
import { formatEur } from '../../ui/format.ts'
import { Money } from '../../ui/data-display/amounts/money.tsx'
import { Bar, Page, PageHeader } from '../../ui/layout/page.tsx'
import { SearchField } from '../../ui/controls/fields/search-field.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { ColumnMenu } from '../../ui/table/columns/column-menu.tsx'
import type { Column, Sort } from '../../ui/table/columns/columns.ts'
import { DataTable, type TableHandle } from '../../ui/table/data-table.tsx'
import {
  flag,
  oneOf,
  sortedBy,
  useListSettings,
  wordsOf,
} from '../../ui/table/saved/list-settings.ts'
import { usePagedRows } from '../../ui/table/rows/paged-rows.ts'
import { TableCopy } from '../../ui/table/copy/table-copy.tsx'
import { isoMoment, plainAmount } from '../../ui/table/copy/table-text.ts'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { BulkMenu, BulkNotices } from './bulk/bulk-notices.tsx'
import { TableDialog } from './bulk/table-dialog.tsx'
import { useTableDrafts } from './bulk/table-draft.ts'
import { UnconfirmedOrders } from './unconfirmed-orders.tsx'
import { OrderBulkBar, useOrderSelection } from './order-selection.tsx'
import { OrderStatus } from './order-status.tsx'
import styles from './orders.module.css'
import { variantLabel } from '../../lib/labels/product-labels.ts'

const sortColumns = ['created', 'total', 'status', 'external'] as const
type SortColumn = (typeof sortColumns)[number]
const views = ['all', 'processing', 'completed', 'partially_completed', 'failed'] as const
const viewLabels: Record<(typeof views)[number], string> = {
  all: 'All',
  processing: 'Processing',
  completed: 'Completed',
  partially_completed: 'Partially completed',
  failed: 'Failed',
}

interface OrdersAnswer {
  total: number
  rows: OrderRow[]
  byStatus: Record<string, number>
  totalCents: Cents
  refundedCents: Cents
  complete: boolean
}
const periods: Readonly<Record<string, number>> = {
  today: 1,
  'last 7 days': 7,
  'last 30 days': 30,
  'last year': 365,
}
const onlyRefunded = 'any amount'
const viewParams = {
  view: oneOf(views, 'all'),
  days: wordsOf(Object.keys(periods)),
  refunded: flag,
  sort: sortedBy(sortColumns, 'created', 'desc'),
}
/** The first product with its edition: "Ironwharf 3 and 2 more, Steam · Europe". */
const orderTitle = (row: OrderRow): string =>
  [row.title, variantLabel(row)].filter((part) => part !== '').join(', ')

const columns: readonly Column<OrderRow>[] = [
  {
    id: 'external',
    header: 'Order',
    text: (row) => row.externalId,
    width: 300,
    minWidth: 220,
    grow: true,
    sortable: true,
    hideable: false,
    cell: (row) => (
      <span className={styles.reference}>
        <b title={row.externalId}>{row.externalId}</b>
        <span>{orderTitle(row)}</span>
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    text: (row) => row.status,
    width: 150,
    sortable: true,
    cell: (row) => <OrderStatus status={row.status} />,
  },
  {
    id: 'units',
    header: 'Units',
    width: 80,
    align: 'end',
    hideOrder: 2,
    cell: (row) =>
      row.deliveredUnits === row.units ? row.units : `${row.deliveredUnits} of ${row.units}`,
  },
  {
    id: 'total',
    header: 'Charged EUR',
    text: (row) => plainAmount(row.totalCents),
    width: 110,
    align: 'end',
    sortable: true,
    hideable: false,
    cell: (row) => <Money cents={row.totalCents} />,
  },
  {
    id: 'refunded',
    header: 'Credited back',
    text: (row) => plainAmount(row.refundedCents),
    width: 110,
    align: 'end',
    hideOrder: 1,
    cell: (row) => (row.refundedCents === 0 ? null : <Money cents={row.refundedCents} />),
  },
  {
    id: 'keys',
    header: 'Keys here',
    width: 90,
    align: 'end',
    hideOrder: 3,
    cell: (row) => (row.keysKept === 0 ? null : row.keysKept),
  },
  {
    id: 'created',
    header: 'Placed',
    text: (row) => isoMoment(row.createdAt),
    width: 140,
    align: 'end',
    sortable: true,
    cell: (row) => <ServiceMoment at={row.createdAt} />,
  },
]

/** A partner's orders, searched and sorted in the mirror and therefore also offline. */
export function OrdersPage() {
  const account = useAccount()
  const [, go] = useLocation()
  const [{ view, days, refunded, sort }, look] = useListSettings('orders', account.id, viewParams)
  const table = useRef<TableHandle>(null)
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
  const selection = useOrderSelection(filter)
  const rows = usePagedRows<OrderRow, OrdersAnswer>(
    JSON.stringify([account.id, filter, sort]),
    (window) =>
      api.orders.list.queryOptions({ input: { accountId: account.id, ...filter, sort, window } }),
  )
  const openTable = useTableDrafts((drafts) => drafts.open)
  useShortcut('N', () => go('/orders/new'))
  useShortcut('Alt+M', () => openTable(account.id))
  const byStatus = rows.page?.byStatus
  const countOf = (id: (typeof views)[number]): number | null =>
    byStatus === undefined
      ? null
      : id === 'all'
        ? Object.values(byStatus).reduce((sum, count) => sum + count, 0)
        : (byStatus[id] ?? 0)
  const isFiltered = query !== '' || view !== 'all' || refunded || days.length > 0
  const exports = useMutation(
    api.orders.exportList.mutationOptions({
      onSuccess: ({ fileName, base64 }) => {
        saveFile(fileName, base64)
        toast({ title: 'Orders exported', text: fileName })
      },
      onError: (error) => toastProblem(problemOf(error)),
    }),
  )

  return (
    <Page>
      <PageHeader
        title="Orders"
        beside={
          <CountTabs
            label="Orders by status"
            value={view}
            onChange={(next) => look({ view: next })}
            tabs={views.map((id) => ({ id, label: viewLabels[id], count: countOf(id) }))}
          />
        }
        actions={
          <>
            <BulkMenu />
            <Button
              kind="primary"
              keys={['N']}
              icon={<IconPlus size={16} stroke={1.6} />}
              onClick={() => go('/orders/new')}
            >
              New order
            </Button>
          </>
        }
      />
      <Bar
        label="Filter orders"
        end={
          <>
            {rows.page === undefined ? null : (
              <span className={styles.grey}>
                {formatEur(rows.page.totalCents)} charged, {formatEur(rows.page.refundedCents)}{' '}
                credited back{rows.page.complete ? '' : '. The history is still loading'}
              </span>
            )}
            <TableCopy tableId="orders" columns={columns} rowsOf={rows.read} total={rows.total} />
            <ColumnMenu tableId="orders" columns={columns} />
            <Button
              icon={<IconDownload size={16} stroke={1.6} />}
              busy={exports.isPending}
              disabled={rows.total === 0}
              onClick={() => exports.mutate({ accountId: account.id, ...filter, sort })}
            >
              Export
            </Button>
          </>
        }
      >
        <SearchField
          label="Search reference, order ID, product"
          width={290}
          value={typed}
          onChange={setTyped}
          list={table}
        />
        <ChoiceChip
          label="Placed"
          values={Object.keys(periods)}
          chosen={days}
          onChange={(chosen) => look({ days: chosen.slice(-1) })}
        />
        <ChoiceChip
          label="Credited back"
          values={[onlyRefunded]}
          chosen={refunded ? [onlyRefunded] : []}
          onChange={(chosen) => look({ refunded: chosen.length > 0 })}
        />
      </Bar>
      <UnconfirmedOrders />
      <BulkNotices />
      {rows.error === null || rows.page !== undefined ? (
        <DataTable
          ref={table}
          tableId="orders"
          label="Orders"
          columns={columns}
          total={rows.total}
          getRow={rows.getRow}
          rowKey={(row) => row.orderId}
          onRange={rows.onRange}
          checked={selection.checked}
          onCheck={selection.check}
          onCheckAll={selection.checkAll}
          over={
            <OrderBulkBar
              selection={selection}
              total={rows.total}
              onExport={(orderIds) =>
                exports.mutate({ accountId: account.id, ...filter, sort, orderIds })
              }
            />
          }
          sort={sort}
          onSort={(next: Sort) =>
            look({ sort: { column: next.column as SortColumn, direction: next.direction } })
          }
          onOpen={(row) => go(`/orders/${row.orderId}`)}
          isMuted={(row) => row.status === 'failed'}
          loading={rows.loading}
          stale={rows.stale}
          empty={
            isFiltered ? (
              <NoMatches query={query} onClear={() => setTyped('')} />
            ) : (
              <NoOrders onNew={() => go('/catalogue')} />
            )
          }
        />
      ) : (
        <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
      )}
      <TableDialog />
    </Page>
  )
}

function NoOrders({ onNew }: { onNew: () => void }) {
  return (
    <EmptyState
      title="You have no orders yet"
      text="An order has up to ten products. It’s paid from your balance and delivered immediately."
      columns={[56, 36, 56, 66]}
      actions={
        <Button kind="primary" size="lg" autoFocus onClick={onNew}>
          Find a product
        </Button>
      }
      steps={[
        {
          title: 'Find a product',
          text: 'The catalogue shows today’s price and the stock.',
        },
        {
          title: 'Set your maximum price',
          text: 'If a price is higher, nothing is ordered and nothing is charged.',
        },
        {
          title: 'Download the keys',
          text: 'They are saved encrypted on this computer. You can read them offline.',
        },
      ]}
    />
  )
}
