import { TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Mode } from '../../../contract/app/accounts.ts'
import { Button } from '../controls/buttons/button.tsx'
import styles from '../layout/dialog.module.css'
import { Dialog } from '../layout/dialog.tsx'
import { useShortcut } from '../hooks/shortcuts.ts'
import { useFrozen } from '../hooks/use-frozen.ts'
import { movesBetween, textOf } from './moves.ts'
import type { Move } from './moves.ts'
import { MovesNotice } from './moves-notice.tsx'

/**
 * One effect of the action: `what` in medium weight, `more` after it in gray, `amount` on the
 * right.
 */
export interface Effect {
  icon: ReactNode
  what: string
  more?: string
  amount?: ReactNode
  tone?: 'bad' | 'warn'
}

/** The effects of an action on money, keys and records, including what doesn't change. */
export function Effects({ effects }: { effects: readonly Effect[] }) {
  return (
    <ul className={styles.effects}>
      {effects.map((effect) => (
        <li key={effect.what} data-tone={effect.tone}>
          {effect.icon}
          <span className={styles.effect} data-more={effect.more === undefined ? undefined : true}>
            <b>{effect.what}</b>
            {effect.more === undefined ? null : ` ${effect.more}`}
          </span>
          {effect.amount === undefined ? null : (
            <span className={styles.amount}>{effect.amount}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

export interface ConfirmDialogProps {
  opened: boolean
  onClose: () => void
  /**
   * Performs the action. The dialog stays busy until it settles and closes when it succeeds. Throw
   * to report a failure (`failure` shows it).
   */
  onConfirm: () => Promise<void>
  /** Null for actions that belong to no account; those need no typed confirmation. */
  account: { name: string; mode: Mode } | null
  title: string
  lead?: ReactNode
  effects: readonly Effect[]
  /** Verb and amount: "Refund EUR 34.54". */
  confirmLabel: string
  cancelLabel?: string
  /**
   * For irreversible actions in LIVE: the name or number to type. TEST and SANDBOX need no typed
   * confirmation, unless it is `always` asked for.
   */
  typed?: { text: string; verb: string; always?: boolean }
  /** Whether something must still be read or chosen before the action can be confirmed. */
  incomplete?: boolean
  /** What the person chose in the dialog, if its texts depend on it. */
  choice?: string | number
  /** For stopping running work: the texts follow its progress. */
  follows?: boolean
  /** Makes the button red instead of the accent color. */
  destructive?: boolean
  note?: ReactNode
  /** The problem of the last attempt, as a notice. */
  failure?: ReactNode
  children?: ReactNode
  /** Pixels, for a dialog with a table. */
  width?: number
}

/** The texts of a confirmation, which stay as they were read. */
type Reading = Pick<ConfirmDialogProps, 'title' | 'lead' | 'effects' | 'confirmLabel' | 'typed'>

const sentencesOf = ({ lead, effects }: Reading): string[] => [
  textOf(lead),
  ...effects.map(({ what, more = '', amount }) =>
    [what, more, textOf(amount)].filter((part) => part !== '').join(' '),
  ),
]
const headlinesOf = ({ title, confirmLabel, typed }: Reading): string[] => [
  title,
  confirmLabel,
  typed?.text ?? '',
]
const keyOf = (reading: Reading): string =>
  JSON.stringify([sentencesOf(reading), headlinesOf(reading)])

const movesOf = (shown: Reading, now: Reading): Move[] => {
  const sentences = movesBetween(sentencesOf(shown), sentencesOf(now))
  return sentences.length > 0 ? sentences : movesBetween(headlinesOf(shown), headlinesOf(now))
}

/** The text that a person types to confirm. */
function TypedField({
  typed,
  value,
  onChange,
}: {
  typed: { text: string; verb: string }
  value: string
  onChange: (text: string) => void
}) {
  const field = useId()
  return (
    <div className={styles.type}>
      <label htmlFor={field}>
        Type <b>{typed.text}</b> to {typed.verb}
      </label>
      <TextInput
        id={field}
        size="md"
        value={value}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}

/** The reading that the person decides on, the typed text, and confirming exactly that once. */
function useConfirmation(props: ConfirmDialogProps) {
  const { opened, onClose, account, incomplete = false, follows = false } = props
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  // While the action runs, what it changes is no news.
  const decides = opened && !incomplete && !follows
  const frozen = useFrozen<Reading>(decides ? props : null, String(props.choice ?? ''), keyOf)
  const reading = frozen.shown ?? props
  const moved = busy ? null : frozen.moved
  const { typed } = reading
  const mustType = typed !== undefined && (typed.always === true || account?.mode === 'live')
  const ready = !busy && !incomplete && moved === null && (!mustType || text.trim() === typed.text)
  useEffect(() => {
    if (opened) setText('')
  }, [opened])
  const confirm = (): void => {
    if (!ready) return
    setBusy(true)
    void props
      .onConfirm()
      .then(onClose, () => {})
      .finally(() => setBusy(false))
  }
  const accept = (): void => {
    setText('')
    frozen.accept()
  }
  useShortcut('Ctrl+Enter', confirm, { enabled: opened, where: 'dialog' })
  return { reading, moved, accept, text, setText, busy, mustType, ready, confirm }
}

/**
 * Asks before an irreversible or outgoing action. Lists its effects, focuses Cancel, confirms with
 * Ctrl+Enter, and asks to type a name for irreversible actions in LIVE. Its texts stay as they were
 * read: if what they say changes meanwhile, it shows the change and asks again.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, account, destructive = false, failure = null } = props
  const { reading, moved, accept, text, setText, busy, mustType, ready, confirm } =
    useConfirmation(props)
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      opened={opened}
      onClose={busy ? () => {} : onClose}
      title={reading.title}
      account={account ?? undefined}
      lead={reading.lead}
      note={props.note}
      width={props.width ?? (props.note === undefined ? 456 : 512)}
      actions={
        <>
          <Button
            ref={cancel}
            size="md"
            keys={['Esc']}
            onClick={onClose}
            disabled={busy}
            data-autofocus={mustType ? undefined : true}
          >
            {props.cancelLabel ?? 'Cancel'}
          </Button>
          <Button
            size="md"
            kind={destructive ? 'final' : 'primary'}
            {...(ready || busy ? { keys: ['Ctrl', 'Enter'] } : {})}
            busy={busy}
            disabled={!ready && !busy}
            onClick={confirm}
          >
            {reading.confirmLabel}
          </Button>
        </>
      }
    >
      <Effects effects={reading.effects} />
      {props.children}
      {mustType && reading.typed !== undefined ? (
        <TypedField typed={reading.typed} value={text} onChange={setText} />
      ) : null}
      {moved === null ? null : (
        <MovesNotice
          moves={movesOf(reading, moved)}
          onAccept={() => {
            accept()
            cancel.current?.focus()
          }}
        />
      )}
      {failure === null ? null : <div className={styles.failure}>{failure}</div>}
    </Dialog>
  )
}
