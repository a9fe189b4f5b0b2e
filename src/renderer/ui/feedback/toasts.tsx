import { notifications } from '@mantine/notifications'
import { IconClockHour4, IconCopy, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Problem } from '../../../contract/base.ts'
import { t } from '../../../contract/localization/localized.ts'
import { Button, IconButton } from '../controls/buttons/button.tsx'
import { codesOf } from './error-state.tsx'
import { causeOf } from './toast-causes.ts'
import type { ToastCause } from './toast-causes.ts'
import { Mark } from '../data-display/identity/mark.tsx'
import { ProgressRing } from './progress-ring.tsx'
import styles from './toasts.module.css'
import { nextToRedo, nextToUndo, recordChange, reverse, useUndoHistory } from './undo-history.ts'
import type { HistoryEntry, Reversal } from './undo-history.ts'

export interface Toast {
  /** What happened: "Cinderkeep paused". */
  title: string
  /** Its effect on money or keys: "No keys moved. 8 stay in stock." */
  text?: ReactNode
  kind?: 'ok' | 'behind' | 'waits' | 'bad' | 'copy' | 'busy'
  /** A button, for example to open the page or retry. */
  action?: { label: string; run: () => void }
  /** Undoes the action. The change joins the undo history, so Ctrl+Z works after the toast too. */
  undo?: Reversal
  /** Makes an undone change again. */
  redo?: Reversal
  /** Why the action can't be undone. The undo history then lists it with this reason. */
  final?: string
  /** Toasts of a group replace each other, and the title then counts them: "3 prices changed". */
  group?: { key: string; many: (count: number) => string }
  /** `CODE · HTTP · requestId` under an error. */
  codes?: string
  /** Replaces an earlier toast with the same id. */
  id?: string
  /** The state that it reports: the toast closes when the state ends. */
  cause?: ToastCause | null
  /** Milliseconds after which what it reports is over. */
  endsAfterMs?: number | null
}

function ToastIcon({ kind }: { kind: NonNullable<Toast['kind']> }) {
  if (kind === 'waits') return <IconClockHour4 size={15} stroke={1.6} color="var(--kd-warn)" />
  if (kind === 'copy') return <IconCopy size={15} stroke={1.6} color="var(--kd-text-3)" />
  if (kind === 'busy') return <ProgressRing size={15} label="In progress" />
  return <Mark kind={kind} size={15} />
}

/** The content of a toast; `toast()` shows it, and the gallery test renders it. */
export function ToastCard({ toast, onClose }: { toast: ShownToast; onClose: () => void }) {
  const change = useUndoHistory(({ entries }) =>
    entries.find(({ id }) => id === toast.changeId && id !== undefined),
  )
  const isNext = useUndoHistory((history) => nextToUndo(history)?.id === toast.changeId)
  return (
    <div className={styles.card}>
      <span className={styles.icon}>
        <ToastIcon kind={toast.kind ?? 'ok'} />
      </span>
      <div className={styles.title}>{toast.title}</div>
      <div className={styles.tools}>
        {change?.state !== 'done' || change.undo === null ? null : (
          <Button {...(isNext && { keys: ['Ctrl', 'Z'] })} onClick={() => void undoChange(change)}>
            {toast.group !== undefined && toast.count > 1 ? 'Undo last' : 'Undo'}
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

/** A toast with its change in the undo history, and the number of toasts that it stands for. */
export type ShownToast = Toast & { changeId?: number; count: number }
type Visible = {
  id: string
  problem: boolean
  shownAt: number
  content: ShownToast
  /** The records that a problem is about. */
  records: readonly string[]
}

/** Toasts on screen, oldest first. */
const visible: Visible[] = []
/** How long a toast can be read at least, also if its cause ends. */
const READ_MS = 5000
/** Most records named in the title of a problem. */
const MOST_NAMED = 3
/** A toast shown this shortly before the page or the account changes belongs to the change: it stays. */
const SETTLE_MS = 1000
const MOST_VISIBLE = 3

let counter = 0

function drop(id: string): void {
  const at = visible.findIndex((each) => each.id === id)
  if (at >= 0) visible.splice(at, 1)
}

function hide(id: string): void {
  drop(id)
  notifications.hide(id)
}

/**
 * Shows a toast at the bottom of the page for 5 seconds, or for 8 with Undo or work in progress,
 * which the status bar shows afterwards. Errors stay until closed, or until their cause ends or the
 * page or the account changes. When there are more than three, the oldest ones make room. Returns
 * the toast's id.
 */
export function toast(content: Toast): string {
  return show(content, [])
}

/** How long a toast stays, in milliseconds; false: until it is closed. */
function durationOf({ kind, endsAfterMs = null }: Toast, isChange: boolean): number | false {
  if (kind === 'bad') return endsAfterMs ?? false
  return isChange || kind === 'busy' ? 8000 : 5000
}

function show(content: Toast, records: readonly string[]): string {
  const id = content.id ?? `toast-${++counter}`
  const { group } = content
  const before = group && visible.find((each) => each.content.group?.key === group.key)
  const count = (before?.content.count ?? 0) + 1
  const change =
    content.undo === undefined && content.final === undefined
      ? undefined
      : recordChange({
          title: content.title,
          undo: content.undo ?? null,
          redo: content.redo ?? null,
          reason: content.final ?? null,
        })
  const shown: ShownToast = {
    ...content,
    count,
    ...(change && { changeId: change.id }),
    ...(group && count > 1 && { title: group.many(count), text: `Last: ${content.title}` }),
  }
  hide(id)
  if (before !== undefined) hide(before.id)
  const problem = content.kind === 'bad'
  for (const each of visible.filter((one) => !one.problem).slice(0, -(MOST_VISIBLE - 1)))
    hide(each.id)
  visible.push({ id, problem, shownAt: Date.now(), content: shown, records })
  notifications.show({
    id,
    withCloseButton: false,
    withBorder: false,
    className: styles.shell ?? '',
    autoClose: durationOf(content, change !== undefined),
    onClose: () => drop(id),
    message: <ToastCard toast={shown} onClose={() => hide(id)} />,
  })
  return id
}

/** Closes a toast whose offer no longer applies. */
export const closeToast = (id: string): void => hide(id)

function closeOlder(closes: (toast: Visible) => boolean): void {
  const now = Date.now()
  const past = visible.filter((each) => closes(each) && now - each.shownAt > SETTLE_MS)
  for (const { id } of past) hide(id)
}

/** Closes the problems of a page that is no longer on screen. */
export const closeProblemToasts = (): void => closeOlder(({ problem }) => problem)

/**
 * Closes the toasts that report a state, now that it has ended. One that has just appeared stays long
 * enough to be read.
 */
export function closeToastsOf(cause: ToastCause): void {
  for (const each of visible.filter(({ content }) => content.cause === cause)) {
    const left = READ_MS - (Date.now() - each.shownAt)
    setTimeout(
      () => {
        if (visible.includes(each)) hide(each.id)
      },
      Math.max(0, left),
    )
  }
}

/** Closes the toasts of an account that is no longer on screen. */
export const closeAccountToasts = (): void => closeOlder(() => true)

/** Undoes a change, or makes it again, and reports it. */
export async function undoChange(entry: HistoryEntry): Promise<void> {
  const undoing = entry.state === 'done'
  const own = visible.find(({ content }) => content.changeId === entry.id)
  if (own !== undefined) hide(own.id)
  if (await reverse(entry))
    toast({ id: 'undo', title: undoing ? 'Undone' : 'Done again', text: entry.title })
}

/** Undoes the account's latest change that can be undone. Returns whether there was one. */
export function undoLast(): boolean {
  const entry = nextToUndo(useUndoHistory.getState())
  if (entry !== null) void undoChange(entry)
  return entry !== null
}

/** Makes the change again that was undone last. Returns whether there was one. */
export function redoLast(): boolean {
  const entry = nextToRedo(useUndoHistory.getState())
  if (entry !== null) void undoChange(entry)
  return entry !== null
}

/** The records that a problem is about, as the beginning of its title. */
const namesOf = (records: readonly string[]): string => {
  const rest = records.length - MOST_NAMED
  const names = records.slice(0, MOST_NAMED).join(', ')
  return rest > 0 ? `${names} ${t('screens.records-more', { count: rest })}` : names
}

/**
 * Reports a failure: its record, what happened, whether money or keys moved, what to do, and the
 * codes. Stays until closed, or until its cause ends. The same problem of several records is one
 * toast that names them.
 *
 * @param record The name of the record that it is about; null if it is about none.
 */
export function toastProblem(
  problem: Problem,
  record: string | null,
  action?: Toast['action'],
): string {
  const what = problem.what.replace(/\.$/, '')
  const id = `problem ${problem.code} ${what}`
  const before = visible.find((each) => each.id === id)?.records ?? []
  const records = [...new Set([...before, ...(record === null ? [] : [record])])]
  const { effect, next, retryAfterMs } = problem
  return show(
    {
      id,
      title: records.length === 0 ? what : `${namesOf(records)}: ${what}`,
      text: effect === null ? next : `${effect} ${next}`,
      kind: 'bad',
      codes: codesOf(problem),
      cause: causeOf(problem),
      endsAfterMs: problem.code === 'RATE_LIMITED' ? retryAfterMs : null,
      ...(action === undefined ? {} : { action }),
    },
    records,
  )
}
