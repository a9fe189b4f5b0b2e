import { useMutation } from '@tanstack/react-query'
import { IconDownload, IconUserCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '../../../../contract/localization/localized.ts'
import type { KeyGroup, KeyRef } from '../../../../contract/order-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { productLine } from '../../../lib/labels/product-labels.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { PlainExportDialog } from '../../../ui/feedback/plain-export-dialog.tsx'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { BulkBar } from '../../../ui/layout/bulk-bar.tsx'
import { useCheckedRows } from '../../../ui/table/rows/use-checked-rows.ts'
import type { SelectableList } from '../../../ui/table/rows/use-list-selection.ts'
import { HandOverDialog } from './handed-over.tsx'

/** Identifies a key in a selection. */
export const keyOf = ({ orderId, keyId }: KeyRef): string => `${orderId}\n${keyId}`
const refOf = (key: string): KeyRef => {
  const [orderId = '', keyId = ''] = key.split('\n')
  return { orderId, keyId }
}

/** The checked keys of a list. Another list starts without any. */
export function useKeySelection(
  filter: { view: KeyViewName; query: string },
  { stale, showList }: Pick<SelectableList, 'stale' | 'showList'>,
) {
  const { id: accountId } = useAccount()
  const { checked, check, checkRead, clear, uncheck } = useCheckedRows({
    list: JSON.stringify([accountId, filter]),
    stale,
    showList,
  })
  const checkAll = (): void =>
    checkRead(
      rpc.orders.keyRefs({ accountId, ...filter }).then(({ keys }) => new Set(keys.map(keyOf))),
    )
  return { checked, check, checkAll, clear, uncheck }
}
type KeyViewName = NonNullable<Parameters<typeof rpc.orders.keyRefs>[0]['view']>
export type KeySelection = ReturnType<typeof useKeySelection>

/** Actions for the checked keys: one file of them, and the mark of those handed over. */
export function KeyBulkBar({
  selection: { checked, checkAll, clear, uncheck },
  total,
}: {
  selection: KeySelection
  total: number
}) {
  const { begin, dialog } = useKeysAction(uncheck)
  const keysOf = () => Promise.resolve({ keys: [...checked].map(refOf), missing: 0 })
  return (
    <>
      <BulkBar selected={checked.size} total={total} onSelectAll={checkAll} onClose={clear}>
        <KeysActions onAction={(kind) => begin({ kind, keysOf, rows: [...checked] })} />
      </BulkBar>
      {dialog}
    </>
  )
}

/** The buttons of a selection that act on its keys. */
export function KeysActions({ onAction }: { onAction: (kind: KeysAction['kind']) => void }) {
  return (
    <>
      <Button icon={<IconUserCheck size={16} stroke={1.6} />} onClick={() => onAction('hand-over')}>
        Mark as handed over…
      </Button>
      <Button icon={<IconDownload size={16} stroke={1.6} />} onClick={() => onAction('export')}>
        Export keys…
      </Button>
    </>
  )
}

/** Number of products that a dialog names. */
const namedProducts = 5

/** "3 keys of 2 orders: Hollow Tide 2 · Steam · Global (2 keys); Auburn Compass · Steam · Europe". */
function selectionText(keys: readonly KeyRef[], products: readonly KeyGroup[]): string {
  const text = t('screens.orders-keys-of', {
    keys: keys.length,
    orders: new Set(keys.map(({ orderId }) => orderId)).size,
  })
  const named = products
    .slice(0, namedProducts)
    .map((group) =>
      products.length === 1
        ? productLine(group)
        : t('screens.orders-keys-of-product', { product: productLine(group), keys: group.keys }),
    )
  const others = products.length - named.length
  if (others > 0) named.push(t('screens.orders-keys-of-others', { count: others }))
  return named.length === 0 ? text : `${text}: ${named.join('; ')}`
}

/** An action on keys, with what its dialog says about them. */
type KeysAction = {
  kind: 'export' | 'hand-over'
  /** The checked rows: keys, or orders with these keys. */
  rows: readonly string[]
  keys: KeyRef[]
  /** Number of delivered keys that aren't on this computer. */
  missing: number
  /** Number of keys that are marked as handed over. */
  handed: number
  what: string
}

/**
 * Marks or exports keys of any orders, after a dialog that names their products.
 *
 * @param onDone called after the action, with the rows that it was started for
 */
export function useKeysAction(onDone: (rows: readonly string[]) => void) {
  const account = useAccount()
  const [action, setAction] = useState<KeysAction | null>(null)
  const close = (): void => setAction(null)
  const begin = useMutation({
    mutationFn: async ({
      kind,
      keysOf,
      rows,
    }: Pick<KeysAction, 'kind' | 'rows'> & {
      keysOf: () => Promise<Pick<KeysAction, 'keys' | 'missing'>>
    }): Promise<KeysAction | null> => {
      if (kind === 'export' && !(await openVault())) return null
      const { keys, missing } = await keysOf()
      if (keys.length === 0) return { kind, rows, keys, missing, handed: 0, what: '' }
      const { handed, products } = await rpc.orders.describeKeys({ accountId: account.id, keys })
      return { kind, rows, keys, missing, handed, what: selectionText(keys, products) }
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
  return {
    begin: begin.mutate,
    /** The dialog of the action. */
    dialog:
      action === null ? null : action.kind === 'export' ? (
        <ExportSelection action={action} onDone={() => onDone(action.rows)} onClose={close} />
      ) : (
        <HandOverDialog
          keys={action.keys}
          what={action.what}
          handed={action.handed}
          onDone={() => onDone(action.rows)}
          onClose={close}
        />
      ),
  }
}

/** Chosen keys of any orders in one file, after the typed confirmation. */
function ExportSelection({
  action: { keys, missing, handed, what },
  onDone,
  onClose,
}: {
  action: KeysAction
  onDone: () => void
  onClose: () => void
}) {
  const account = useAccount()
  return (
    <PlainExportDialog
      account={account}
      what={what}
      warnings={[
        ...(handed === 0 ? [] : [t('screens.orders-export-handed', { count: handed })]),
        ...(missing === 0 ? [] : [t('screens.orders-export-missing', { count: missing })]),
      ]}
      onExport={async (typed) => {
        const { fileName, base64 } = await rpc.orders.exportSelectedKeys({
          accountId: account.id,
          keys,
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
