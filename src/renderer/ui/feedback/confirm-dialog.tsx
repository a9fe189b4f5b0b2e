import { TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useId, useState } from 'react'
import type { Mode } from '../../../contract/app/accounts.ts'
import { Button } from '../controls/buttons/button.tsx'
import styles from '../layout/dialog.module.css'
import { Dialog } from '../layout/dialog.tsx'
import { useShortcut } from '../hooks/shortcuts.ts'

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
  /** Whether something must still be chosen before the action can be confirmed. */
  incomplete?: boolean
  /** Makes the button red instead of the accent color. */
  destructive?: boolean
  note?: ReactNode
  /** The problem of the last attempt, as a notice. */
  failure?: ReactNode
  children?: ReactNode
  /** Pixels, for a dialog with a table. */
  width?: number
}

/**
 * Asks before an irreversible or outgoing action. Lists its effects, focuses Cancel, confirms with
 * Ctrl+Enter, and asks to type a name for irreversible actions in LIVE.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, account, typed, destructive = false, incomplete = false } = props
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const field = useId()
  const mustType = typed !== undefined && (typed.always === true || account?.mode === 'live')
  const ready = !busy && !incomplete && (!mustType || text.trim() === typed.text)
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
  useShortcut('Ctrl+Enter', confirm, { enabled: opened, where: 'dialog' })
  return (
    <Dialog
      opened={opened}
      onClose={busy ? () => {} : onClose}
      title={props.title}
      account={account ?? undefined}
      lead={props.lead}
      note={props.note}
      width={props.width ?? (props.note === undefined ? 456 : 512)}
      actions={
        <>
          <Button
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
            {props.confirmLabel}
          </Button>
        </>
      }
    >
      <Effects effects={props.effects} />
      {props.children}
      {mustType ? (
        <div className={styles.type}>
          <label htmlFor={field}>
            Type <b>{typed.text}</b> to {typed.verb}
          </label>
          <TextInput
            id={field}
            size="md"
            value={text}
            data-autofocus
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </div>
      ) : null}
      {props.failure === undefined || props.failure === null ? null : (
        <div className={styles.failure}>{props.failure}</div>
      )}
    </Dialog>
  )
}
