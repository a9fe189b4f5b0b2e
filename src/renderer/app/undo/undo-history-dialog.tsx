import { useAccount } from '../../lib/account/current-account.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { historyOf, nextToUndo, useUndoHistory } from '../../ui/feedback/undo-history.ts'
import type { HistoryEntry } from '../../ui/feedback/undo-history.ts'
import { undoChange } from '../../ui/feedback/toasts.tsx'
import { formatMoment, formatUtc } from '../../ui/format.ts'
import { Dialog } from '../../ui/layout/dialog.tsx'
import { setScreen, useScreen } from '../shell/screen-store.ts'
import styles from './undo-history.module.css'

/** The account's changes in this window that can be undone or made again, newest first. */
export function UndoHistoryDialog() {
  const account = useAccount()
  const opened = useScreen((screen) => screen.undoHistory)
  const history = useUndoHistory()
  const entries = historyOf(history)
  const next = nextToUndo(history)
  const now = Date.now()
  return (
    <Dialog
      opened={opened}
      onClose={() => setScreen({ undoHistory: false })}
      title="Undo history"
      account={account}
      lead="Changes made in this window in the last 24 hours. Ctrl+Z undoes the newest."
      width={560}
      closable
    >
      {entries.length === 0 ? (
        <p className="kd-nothing">No changes in the last 24 hours.</p>
      ) : (
        <ul className={styles.list}>
          {entries.map((entry) => (
            <li key={entry.id} data-undone={entry.state === 'undone' || undefined}>
              <span className={styles.title} title={entry.title}>
                {entry.title}
              </span>
              <time title={formatUtc(entry.at)}>{formatMoment(entry.at, now)}</time>
              <EntryAction entry={entry} isNext={entry === next} />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

/** The button that reverses a change, or why it can't be reversed. */
function EntryAction({ entry, isNext }: { entry: HistoryEntry; isNext: boolean }) {
  const { state, title, undo, redo, reason } = entry
  if (state === 'done' && undo === null) return <small>{reason ?? 'Can’t be undone'}</small>
  if (state === 'undone' && redo === null) return <small>{reason ?? 'Undone'}</small>
  return (
    <Button
      {...(isNext && { keys: ['Ctrl', 'Z'] })}
      onClick={() => {
        setScreen({ undoHistory: false })
        void undoChange(entry)
      }}
    >
      {state === 'done' ? 'Undo' : 'Make again'}
      <span className="kd-hidden">: {title}</span>
    </Button>
  )
}
