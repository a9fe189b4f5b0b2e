import { IconPlus } from '@tabler/icons-react'
import { useRef } from 'react'
import { useLocation } from 'wouter'
import { useAccount } from '../../lib/account/current-account.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import type { TableHandle } from '../../ui/table/data-table.tsx'
import { BulkMenu, BulkNotices } from './bulk/bulk-notices.tsx'
import { TableDialog } from './bulk/table-dialog.tsx'
import { useTableDrafts } from './bulk/table-draft.ts'
import { OrderFilterBar } from './list/filter-bar.tsx'
import { OrderTable } from './list/order-table.tsx'
import { orderViews, useOrderList } from './list/use-order-list.ts'
import type { OrderView } from './list/use-order-list.ts'
import { UnconfirmedOrders } from './unconfirmed-orders.tsx'

const viewLabels: Record<OrderView, string> = {
  all: 'All',
  processing: 'Processing',
  completed: 'Completed',
  partially_completed: 'Partially completed',
  failed: 'Failed',
}

/** A partner's orders, searched and sorted in the mirror and therefore also offline. */
export function OrdersPage() {
  const account = useAccount()
  const [, go] = useLocation()
  const table = useRef<TableHandle>(null)
  const list = useOrderList()
  const openTable = useTableDrafts((drafts) => drafts.open)
  useShortcut('N', () => go('/orders/new'))
  useShortcut('Alt+M', () => openTable(account.id))

  return (
    <Page>
      <PageHeader
        title="Orders"
        beside={
          <CountTabs
            label="Orders by status"
            value={list.view}
            onChange={(next) => list.look({ view: next })}
            tabs={orderViews.map((id) => ({ id, label: viewLabels[id], count: list.countOf(id) }))}
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
      <OrderFilterBar list={list} table={table} />
      <UnconfirmedOrders />
      <BulkNotices />
      <OrderTable list={list} table={table} />
      <TableDialog />
    </Page>
  )
}
