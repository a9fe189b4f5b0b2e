import { useMutation } from '@tanstack/react-query'
import { IconDownload, IconTableExport, IconUserCheck } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { KeyRef } from '../../../contract/order-records.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { rpc } from '../../lib/core/rpc.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { BulkBar } from '../../ui/layout/bulk-bar.tsx'
import { HandOverDialog } from './keys/handed-over.tsx'
import { ExportSelection, selectionName } from './keys/key-selection.tsx'

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
  const [action, setAction] = useState<{
    kind: 'export' | 'hand-over'
    keys: KeyRef[]
    missing: number
  } | null>(null)
  const orderIds = [...checked]
  const begin = useMutation({
    mutationFn: async (kind: 'export' | 'hand-over') => {
      if (kind === 'export' && !(await openVault())) return null
      return { kind, ...(await rpc.orders.keysOfOrders({ accountId, orderIds })) }
    },
    onSuccess: (found) => {
      if (found === null) return
      if (found.keys.length > 0) return setAction(found)
      toast({
        kind: 'waits',
        title: 'These orders have no keys on this computer',
        text: 'Open an order and download its keys first.',
      })
    },
    onError: (error) => toastProblem(problemOf(error), null),
  })
  const close = (): void => setAction(null)
  return (
    <>
      <BulkBar selected={checked.size} total={total} onSelectAll={checkAll} onClose={clear}>
        <Button
          icon={<IconTableExport size={16} stroke={1.6} />}
          onClick={() => onExport(orderIds)}
        >
          Export orders
        </Button>
        <Button
          icon={<IconUserCheck size={16} stroke={1.6} />}
          onClick={() => begin.mutate('hand-over')}
        >
          Mark as handed over…
        </Button>
        <Button
          icon={<IconDownload size={16} stroke={1.6} />}
          onClick={() => begin.mutate('export')}
        >
          Export keys…
        </Button>
      </BulkBar>
      {action?.kind === 'hand-over' ? (
        <HandOverDialog
          keys={action.keys}
          what={selectionName(action.keys)}
          onDone={clear}
          onClose={close}
        />
      ) : null}
      {action?.kind === 'export' ? (
        <ExportSelection
          keys={action.keys}
          missing={action.missing}
          onDone={clear}
          onClose={close}
        />
      ) : null}
    </>
  )
}
