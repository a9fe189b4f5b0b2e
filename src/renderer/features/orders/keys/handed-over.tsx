import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../../../contract/localization/localized.ts'
import type { KeyRef, StoredKey } from '../../../../contract/order-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { formatMoment } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { Dialog } from '../../../ui/layout/dialog.tsx'

/** Marks keys as handed over, and takes the marks back; both can be undone. */
export function useHandedOver() {
  const { id: accountId } = useAccount()
  const mark = useMutation({
    mutationFn: ({ keys, note }: { keys: readonly KeyRef[]; note: string }) =>
      rpc.orders.markHandedOver({ accountId, keys: [...keys], note }),
    onSuccess: ({ marked, before }, { keys, note }) =>
      toast({
        title: t('screens.orders-handed-over', { count: marked }),
        ...(note !== '' && { text: note }),
        undo: () => rpc.orders.restoreHandedOver({ accountId, marks: before }),
        redo: () => rpc.orders.markHandedOver({ accountId, keys: [...keys], note }),
      }),
    onError: (error, { keys }) =>
      toastProblem(problemOf(error), t('counts.keys', { count: keys.length })),
  })
  const takeBack = useMutation({
    mutationFn: ({ orderId, key }: { orderId: string; key: StoredKey }) =>
      rpc.orders.restoreHandedOver({
        accountId,
        marks: [{ orderId, keyId: key.keyId, handedAt: null, handedNote: '' }],
      }),
    onSuccess: (_done, { orderId, key: { keyId, handedAt, handedNote } }) =>
      toast({
        title: 'Mark removed: the key is not handed over',
        undo: () =>
          rpc.orders.restoreHandedOver({
            accountId,
            marks: [{ orderId, keyId, handedAt, handedNote }],
          }),
        redo: () =>
          rpc.orders.restoreHandedOver({
            accountId,
            marks: [{ orderId, keyId, handedAt: null, handedNote: '' }],
          }),
      }),
    onError: (error, { key }) => toastProblem(problemOf(error), `Key ${key.masked}`),
  })
  return { mark: mark.mutate, marking: mark.isPending, takeBack: takeBack.mutate }
}

/** Asks for a note and marks keys as handed over. */
export function HandOverDialog({
  keys,
  what,
  handed = 0,
  onDone,
  onClose,
}: {
  keys: readonly KeyRef[]
  /** Names the keys: "3 keys of KD-1". */
  what: string
  /** Number of keys that are already marked. */
  handed?: number
  onDone?: () => void
  onClose: () => void
}) {
  const account = useAccount()
  const { mark, marking } = useHandedOver()
  const [note, setNote] = useState('')
  const confirm = (): void => {
    if (marking) return
    mark(
      { keys, note: note.trim() },
      {
        onSuccess: () => {
          onDone?.()
          onClose()
        },
      },
    )
  }
  useShortcut('Ctrl+Enter', confirm, { where: 'dialog' })
  return (
    <Dialog
      opened
      onClose={onClose}
      account={account}
      title="Mark as handed over"
      lead={`${what}. Keydesk warns before such a key is copied or exported again. The mark stays on this computer.`}
      actions={
        <>
          <Button size="md" keys={['Esc']} onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="md"
            kind="primary"
            keys={['Ctrl', 'Enter']}
            busy={marking}
            onClick={confirm}
          >
            {t('screens.orders-mark', { count: keys.length })}
          </Button>
        </>
      }
    >
      <TextInput
        label="Note (optional)"
        placeholder="For example the customer’s order"
        description="Never enter the key itself."
        size="md"
        mt={12}
        maxLength={200}
        data-autofocus
        autoComplete="off"
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {handed === 0 ? null : (
        <Notice tone="warn" title={t('screens.orders-marked-again', { count: handed })} />
      )}
    </Dialog>
  )
}

/** When a key was handed over, with the note. */
export const handedText = ({ handedAt, handedNote }: StoredKey): string =>
  handedAt === null
    ? ''
    : `Handed over ${formatMoment(handedAt, Date.now())}${handedNote === '' ? '' : `, ${handedNote}`}`

/**
 * Asks before keys that are marked as handed over are used again. Returns the question to render,
 * and a function that runs the use directly if no key is marked.
 */
export function useHandedWarning(): {
  warning: ReactNode
  guard: (keys: readonly StoredKey[], verb: 'Copy' | 'Open', use: () => void) => void
} {
  const [asked, setAsked] = useState<{
    keys: readonly StoredKey[]
    verb: 'Copy' | 'Open'
    use: () => void
  } | null>(null)
  const close = (): void => setAsked(null)
  const [first] = asked?.keys ?? []
  return {
    guard(keys, verb, use) {
      const marked = keys.filter(({ handedAt }) => handedAt !== null)
      if (marked.length === 0) use()
      else setAsked({ keys: marked, verb, use })
    },
    warning:
      asked === null || first === undefined ? null : (
        <Dialog
          opened
          onClose={close}
          title={t('screens.orders-already-handed', { count: asked.keys.length })}
          lead={
            asked.keys.length === 1
              ? `${handedText(first)}. A second customer can’t redeem it.`
              : 'A second customer can’t redeem them.'
          }
          actions={
            <>
              <Button size="md" keys={['Esc']} data-autofocus onClick={close}>
                Cancel
              </Button>
              <Button
                size="md"
                onClick={() => {
                  close()
                  asked.use()
                }}
              >
                {asked.verb} anyway
              </Button>
            </>
          }
        />
      ),
  }
}
