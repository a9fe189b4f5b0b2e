import { IconTableExport } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { rpc } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { toastProblem } from '../../ui/feedback/toasts.tsx'
import { BulkBar } from '../../ui/layout/bulk-bar.tsx'
import { KeysActions, useKeysAction } from './keys/key-selection.tsx'

type Filter = Omit<Parameters<typeof rpc.orders.orderIds>[0], 'accountId'>

/** The checked orders of a list. Another list starts without any. */
export function useOrderSelection(filter: Filter) {
  const { id: accountId } = useAccount()
  const filterKey = JSON.stringify([accountId, filter])
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => setChecked(new Set()), [filterKey])
  return {
    checked,
    check: setChecked,
    checkAll: (): void =>
      void rpc.orders.orderIds({ accountId, ...filter }).then(
        ({ orderIds }) => setChecked(new Set(orderIds)),
        (error: unknown) => toastProblem(problemOf(error), null),
      ),
    clear: (): void => setChecked(new Set()),
  }
}

/** Actions for the checked orders: a file of them, one file of their keys, and the mark of these. */
export function OrderBulkBar({
  selection: { checked, checkAll, clear },
  total,
  onExport,
}: {
  selection: ReturnType<typeof useOrderSelection>
  total: number
  onExport: (orderIds: string[]) => void
}) {
  const { id: accountId } = useAccount()
  const { begin, dialog } = useKeysAction(clear)
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
        <KeysActions onAction={(kind) => begin({ kind, keysOf })} />
      </BulkBar>
      {dialog}
    </>
  )
}
