import { useAccount } from '../../lib/account/current-account.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { formatCount } from '../../ui/format.ts'
import { ModeBadge } from '../../ui/data-display/identity/mode-badge.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { Footer } from '../../ui/layout/page.tsx'
import { movesOfRecords } from '../../ui/feedback/moves.ts'
import { MovesNotice } from '../../ui/feedback/moves-notice.tsx'
import { ProgressBar } from '../../ui/feedback/progress-ring.tsx'
import styles from './outbox.module.css'
import type { OutboxList } from './list/use-outbox-list.ts'
import { entryTexts } from './list/entry-texts.ts'
import type { OutboxActions } from './use-outbox.ts'
import { useReadyEntries } from './use-ready-entries.ts'

/** The footer of the queued changes: their counts with Send, or the progress with Stop. */
export function SendBar({
  list,
  outbox,
  canSend,
}: {
  list: OutboxList
  outbox: OutboxActions
  canSend: boolean
}) {
  const { mode } = useAccount()
  const { progress, stop } = outbox
  const { shown, moved, accept } = useReadyEntries(list, outbox)
  const ready = shown?.length ?? 0
  const verdicts = shown === null ? list.verdicts : { ...list.verdicts, ready }
  const canSendReady = canSend && shown !== null && moved === null
  const send = (): void => {
    if (shown !== null) outbox.send(shown)
  }
  useShortcut('Ctrl+Enter', send, { enabled: canSendReady })
  if (progress !== null)
    return (
      <Footer
        actions={
          <Button size="md" onClick={stop}>
            Stop
          </Button>
        }
      >
        <span className={styles.progress}>
          <ProgressBar share={progress.done / progress.total} width={120} label="Sending" />
          Sending {formatCount(progress.done)} of {formatCount(progress.total)}. Choose Stop to keep
          the rest queued.
        </span>
      </Footer>
    )
  return (
    <>
      {shown === null || moved === null ? null : (
        <div className={styles.moved}>
          <MovesNotice
            moves={movesOfRecords(entryTexts(shown), entryTexts(moved))}
            onAccept={accept}
          />
        </div>
      )}
      <Footer
        actions={
          <>
            <ModeBadge mode={mode} />
            <Button
              kind="primary"
              size="md"
              disabled={!canSendReady}
              {...(canSendReady && { keys: ['Ctrl', 'Enter'], onClick: send })}
            >
              {verdicts.ready === 0 ? 'Nothing ready' : `Send ${formatCount(verdicts.ready)} ready`}
            </Button>
          </>
        }
      >
        <span>
          {summaryOf(verdicts)}{' '}
          {canSend
            ? 'Each change is sent once and gets its own result.'
            : 'Nothing can be sent until the connection is back.'}
        </span>
      </Footer>
    </>
  )
}

/** `3 ready, 4 to decide, 1 already done.` */
function summaryOf({ ready, decide, gone, already, uncompared }: OutboxList['verdicts']): string {
  const parts = [
    [ready, 'ready'],
    [decide + gone, 'to decide'],
    [uncompared, 'not compared yet'],
    [already, 'already done'],
  ] as const
  return `${
    parts
      .filter(([count]) => count > 0)
      .map(([count, word]) => `${formatCount(count)} ${word}`)
      .join(', ') || '0 queued'
  }.`
}
