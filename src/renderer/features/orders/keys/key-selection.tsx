import { useQuery } from '@tanstack/react-query'
import { IconDownload, IconUserCheck } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { t } from '../../../../contract/localization/localized.ts'
import type { KeyRef } from '../../../../contract/order-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { PlainExportDialog } from '../../../ui/feedback/plain-export-dialog.tsx'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { BulkBar } from '../../../ui/layout/bulk-bar.tsx'
import { HandOverDialog } from './handed-over.tsx'

/** Identifies a key in a selection. */
export const keyOf = ({ orderId, keyId }: KeyRef): string => `${orderId}\n${keyId}`
const refOf = (key: string): KeyRef => {
  const [orderId = '', keyId = ''] = key.split('\n')
  return { orderId, keyId }
}

/** The checked keys of a list. Another list starts without any. */
export function useKeySelection(filter: { view: KeyViewName; query: string }) {
  const { id: accountId } = useAccount()
  const filterKey = JSON.stringify([accountId, filter])
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => setChecked(new Set()), [filterKey])
  return {
    checked,
    check: setChecked,
    checkAll: (): void =>
      void rpc.orders.keyRefs({ accountId, ...filter }).then(
        ({ keys }) => setChecked(new Set(keys.map(keyOf))),
        (error: unknown) => toastProblem(problemOf(error), null),
      ),
    clear: (): void => setChecked(new Set()),
  }
}
type KeyViewName = NonNullable<Parameters<typeof rpc.orders.keyRefs>[0]['view']>
export type KeySelection = ReturnType<typeof useKeySelection>

/** Actions for the checked keys: one file of them, and the mark of those handed over. */
export function KeyBulkBar({
  selection: { checked, checkAll, clear },
  total,
}: {
  selection: KeySelection
  total: number
}) {
  const [action, setAction] = useState<'export' | 'hand-over' | null>(null)
  const keys = [...checked].map(refOf)
  return (
    <>
      <BulkBar selected={checked.size} total={total} onSelectAll={checkAll} onClose={clear}>
        <Button
          icon={<IconUserCheck size={16} stroke={1.6} />}
          onClick={() => setAction('hand-over')}
        >
          Mark as handed over…
        </Button>
        <Button
          icon={<IconDownload size={16} stroke={1.6} />}
          onClick={() => void openVault().then((opened) => opened && setAction('export'))}
        >
          Export keys…
        </Button>
      </BulkBar>
      {action === 'hand-over' ? (
        <HandOverDialog
          keys={keys}
          what={selectionName(keys)}
          onDone={clear}
          onClose={() => setAction(null)}
        />
      ) : null}
      {action === 'export' ? (
        <ExportSelection keys={keys} onDone={clear} onClose={() => setAction(null)} />
      ) : null}
    </>
  )
}

/** "3 keys of 2 orders". */
export const selectionName = (keys: readonly KeyRef[]): string =>
  t('screens.orders-keys-of', {
    keys: keys.length,
    orders: new Set(keys.map(({ orderId }) => orderId)).size,
  })

/** Chosen keys of any orders in one file, after the typed confirmation. */
export function ExportSelection({
  keys,
  missing = 0,
  onDone,
  onClose,
}: {
  keys: readonly KeyRef[]
  /** Number of delivered keys that aren't on this computer. */
  missing?: number
  onDone: () => void
  onClose: () => void
}) {
  const account = useAccount()
  const { data } = useQuery(
    api.orders.handedAmong.queryOptions({ input: { accountId: account.id, keys: [...keys] } }),
  )
  if (data === undefined) return null
  return (
    <PlainExportDialog
      account={account}
      what={selectionName(keys)}
      warnings={[
        ...(data.handed === 0 ? [] : [t('screens.orders-export-handed', { count: data.handed })]),
        ...(missing === 0 ? [] : [t('screens.orders-export-missing', { count: missing })]),
      ]}
      onExport={async (typed) => {
        const { fileName, base64 } = await rpc.orders.exportSelectedKeys({
          accountId: account.id,
          keys: [...keys],
          form: 'table',
          typed,
        })
        saveFile(fileName, base64)
        toast({
          title: 'Keys exported',
          text: 'Anyone can read the keys in this file. Recorded in Activity.',
        })
        onDone()
      }}
      onClose={onClose}
    />
  )
}
