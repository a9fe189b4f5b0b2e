import { notifications } from '@mantine/notifications'
import { IconClockHour4, IconCopy, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Problem } from '../../../contract/base.ts'
import { Button, IconButton } from '../controls/buttons/button.tsx'
import { codesOf } from './error-state.tsx'
import { Mark } from '../data-display/identity/mark.tsx'
import { ProgressRing } from './progress-ring.tsx'
import styles from './toasts.module.css'

export interface Toast {
  /** What happened: "Cinderkeep paused". */
  title: string
  /** Its effect on money or keys: "No keys moved. 8 stay in stock." */
  text?: ReactNode
  kind?: 'ok' | 'behind' | 'waits' | 'bad' | 'copy' | 'busy'
  /** A button, for example to open the page or retry. */
  action?: { label: string; run: () => void }
  /** Undoes the action. The toast stays for 8 seconds, and Ctrl+Z works after that too. */
  undo?: () => void
  /** `CODE · HTTP · requestId` under an error. */
  codes?: string
  /** Replaces an earlier toast with the same id. */
  id?: string
}

/** The latest change that can be undone, for Ctrl+Z. */
let lastUndo: { id: string; run: () => void } | null = null

/** Undoes the latest change that offered it. Returns whether there was one. */
export function undoLast(): boolean {
  const undo = lastUndo
  lastUndo = null
  if (undo === null) return false
  notifications.hide(undo.id)
  undo.run()
  return true
}

function ToastIcon({ kind }: { kind: NonNullable<Toast['kind']> }) {
  if (kind === 'waits') return <IconClockHour4 size={15} stroke={1.6} color="var(--kd-warn)" />
  if (kind === 'copy') return <IconCopy size={15} stroke={1.6} color="var(--kd-text-3)" />
  if (kind === 'busy') return <ProgressRing size={15} label="In progress" />
  return <Mark kind={kind} size={15} />
}

/** The content of a toast; `toast()` shows it, and the gallery test renders it. */
export function ToastCard({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const undo = toast.undo
  return (
    <div className={styles.card}>
      <span className={styles.icon}>
        <ToastIcon kind={toast.kind ?? 'ok'} />
      </span>
      <div className={styles.title}>{toast.title}</div>
      <div className={styles.tools}>
        {undo === undefined ? null : (
          <Button
            keys={['Ctrl', 'Z']}
            onClick={() => {
              if (lastUndo?.run === undo) lastUndo = null
              undo()
              onClose()
            }}
          >
            Undo
          </Button>
        )}
        {toast.action === undefined ? null : (
          <Button
            onClick={() => {
              toast.action?.run()
              onClose()
            }}
          >
            {toast.action.label}
          </Button>
        )}
        <IconButton label="Close" onClick={onClose}>
          <IconX size={16} stroke={1.6} />
        </IconButton>
      </div>
      {toast.text === undefined ? null : <div className={styles.line}>{toast.text}</div>}
      {toast.codes === undefined ? null : <div className={styles.codes}>{toast.codes}</div>}
    </div>
  )
}

let counter = 0

/**
 * Shows a toast at the top right for 5 seconds, or for 8 with Undo or work in progress, which the
 * status bar shows afterwards. Errors stay until closed. Returns the toast's id.
 */
export function toast(content: Toast): string {
  const id = content.id ?? `toast-${++counter}`
  if (content.undo !== undefined) lastUndo = { id, run: content.undo }
  notifications.hide(id)
  notifications.show({
    id,
    withCloseButton: false,
    withBorder: false,
    className: styles.shell ?? '',
    autoClose:
      content.kind === 'bad'
        ? false
        : content.undo === undefined && content.kind !== 'busy'
          ? 5000
          : 8000,
    message: <ToastCard toast={content} onClose={() => notifications.hide(id)} />,
  })
  return id
}

/**
 * Reports a failure: what happened, whether money or keys moved, what to do, and the codes. Stays
 * until closed.
 */
export function toastProblem(problem: Problem, action?: Toast['action']): string {
  const text = problem.effect === null ? problem.next : `${problem.effect} ${problem.next}`
  return toast({
    title: problem.what.replace(/\.$/, ''),
    text,
    kind: 'bad',
    codes: codesOf(problem),
    ...(action === undefined ? {} : { action }),
  })
}
