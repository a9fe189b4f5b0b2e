import { IconTableExport } from '@tabler/icons-react'
import { useAccount } from '../../lib/account/current-account.ts'
import { rpc } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { BulkBar } from '../../ui/layout/bulk-bar.tsx'
import { useCheckedRows } from '../../ui/table/rows/use-checked-rows.ts'
import { KeysActions, useKeysAction } from './keys/key-selection.tsx'
import type { OrderList } from './list/use-order-list.ts'

/** The checked orders of a list. Another list starts without any. */
export function useOrderSelection({
  filter,
  show,
  rows: { stale },
}: Pick<OrderList, 'filter' | 'show' | 'rows'>) {
  const { id: accountId } = useAccount()
  const { checked, check, checkRead, clear, uncheck } = useCheckedRows({
    list: JSON.stringify([accountId, filter]),
    stale,
    showList: show,
  })
  const checkAll = (): void =>
    checkRead(
      rpc.orders.orderIds({ accountId, ...filter }).then(({ orderIds }) => new Set(orderIds)),
    )
  return { checked, check, checkAll, clear, uncheck }
}

/** Actions for the checked orders: a file of them, one file of their keys, and the mark of these. */
export function OrderBulkBar({
  selection: { checked, checkAll, clear, uncheck },
  total,
  onExport,
}: {
  selection: ReturnType<typeof useOrderSelection>
  total: number
  onExport: (orderIds: string[]) => void
}) {
  const { id: accountId } = useAccount()
  const { begin, dialog } = useKeysAction(uncheck)
  const orderIds = [...checked]
  const keysOf = () => rpc.orders.keysOfOrders({ accountId, orderIds })
  return (
    <>
      <BulkBar selected={checked.size} total={total} onSelectAll={checkAll} onClose={clear}>
        <Button
          icon={<IconTableExport size={16} stroke={1.6} />}
          onClick={() => onExport(orderIds)}
        >
          Export orders
        </Button>
        <KeysActions onAction={(kind) => begin({ kind, keysOf, rows: orderIds })} />
      </BulkBar>
      {dialog}
    </>
  )
}
