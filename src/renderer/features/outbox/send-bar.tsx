import { useAccount } from '../../lib/account/current-account.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { formatCount } from '../../ui/format.ts'
import { ModeBadge } from '../../ui/data-display/identity/mode-badge.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { Footer } from '../../ui/layout/page.tsx'
import { ProgressBar } from '../../ui/feedback/progress-ring.tsx'
import styles from './outbox.module.css'
import type { OutboxList } from './list/use-outbox-list.ts'
import type { OutboxActions } from './use-outbox.ts'

/** The footer of the queued changes: their counts with Send, or the progress with Stop. */
export function SendBar({
  list: { verdicts, query },
  outbox: { progress, sendReady, stop },
  canSend,
}: {
  list: OutboxList
  outbox: OutboxActions
  canSend: boolean
}) {
  const { mode } = useAccount()
  const canSendReady = canSend && verdicts.ready > 0 && progress === null
  const send = (): void => sendReady(query)
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
