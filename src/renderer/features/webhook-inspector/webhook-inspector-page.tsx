import { SegmentedControl } from '@mantine/core'
import { IconClipboardText, IconSend } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { Receiver } from '../../../contract/webhook-inspector.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { NotRead } from '../../ui/feedback/not-read.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { isDialogOpen, isTyping, useShortcut } from '../../ui/hooks/shortcuts.ts'
import styles from './webhook-inspector.module.css'
import { EventDetail } from './event-detail.tsx'
import { EventList } from './event-list.tsx'
import { PasteDialog } from './paste-dialog.tsx'
import { useWebhookInspector } from './use-webhook-inspector.ts'
import { VerificationResults } from './verification-results.tsx'

const answers = [
  { value: '204', label: '204' },
  { value: '500', label: '500' },
  { value: 'none', label: 'none' },
]

/**
 * The webhook inspector: received webhooks, whether and why each is genuine, and its order's
 * current state.
 */
export function WebhookInspectorPage() {
  const inspector = useWebhookInspector()
  const { receiver, isEmpty, eventKey, shown } = inspector
  /** The text that the dialog for a pasted request starts with; null while it is closed. */
  const [pasting, setPasting] = useState<string | null>(null)
  useShortcut('V', () => setPasting(''))
  usePastedText(setPasting)
  const now = receiver.data
  const listens = now?.url != null
  return (
    <Page>
      <InspectorHeader inspector={inspector} onPaste={() => setPasting('')} />
      {receiver.isError && now === undefined ? (
        <ErrorState problem={problemOf(receiver.error)} onRetry={() => void receiver.refetch()} />
      ) : (
        <div className={styles.bench}>
          <EventList
            query={inspector.events}
            chosen={eventKey}
            onChoose={inspector.choose}
            receiver={now}
          />
          {isEmpty ? (
            <Nothing receiver={now} listening={inspector.isStarting} onListen={inspector.listen} />
          ) : (
            <>
              <div className={styles.middle}>
                {shown !== null ? (
                  <EventDetail event={shown} />
                ) : eventKey === null ? null : (
                  <NotRead query={inspector.detail} padded />
                )}
              </div>
              <aside className={styles.right} aria-label="Verification">
                {shown === null ? null : (
                  <VerificationResults
                    event={shown}
                    toleranceSeconds={now?.toleranceSeconds ?? 300}
                    onTolerance={inspector.setTolerance}
                  />
                )}
                {!listens ? null : (
                  <ResponseControl status={now.answer} onChange={inspector.setAnswer} />
                )}
              </aside>
            </>
          )}
        </div>
      )}
      {pasting === null ? null : (
        <PasteDialog
          start={pasting}
          onClose={() => setPasting(null)}
          onChecked={inspector.choose}
        />
      )}
    </Page>
  )
}

/** Chooses the status the inspector responds with. */
function ResponseControl({
  status,
  onChange,
}: {
  status: Receiver['answer']
  onChange: (status: Receiver['answer']) => void
}) {
  return (
    <div className={styles.answer}>
      <div>
        <b>Inspector’s response</b>
        <span>choose an error to see the service retry</span>
      </div>
      <SegmentedControl
        aria-label="Inspector’s response"
        data={answers}
        value={status === null ? 'none' : String(status)}
        onChange={(value) => onChange(value === 'none' ? null : value === '500' ? 500 : 204)}
      />
    </div>
  )
}

const steps = [
  {
    title: 'Receive a webhook',
    text: 'From the sandbox on this computer, or pasted from your endpoint.',
  },
  {
    title: 'See the verification',
    text: 'Signature, age and duplicate are three results, each with the compared values.',
  },
  { title: 'Trust the order', text: 'Keydesk reads the order again and marks the differences.' },
]

/** Shown before the first event: how to receive one. */
function Nothing({
  receiver,
  listening,
  onListen,
}: {
  receiver: Receiver | undefined
  listening: boolean
  onListen: () => void
}) {
  const listens = receiver?.url != null
  return (
    <div className={styles.nothing}>
      <EmptyState
        title="No webhooks received"
        text={
          listens
            ? 'Request a test event (T), or place an order. You’ll see here how it is verified.'
            : 'See whether a webhook is genuine and why, and its order’s current state.'
        }
        steps={steps}
        {...(receiver?.possible === true && !listens
          ? {
              actions: (
                <Button kind="sandbox" size="lg" autoFocus busy={listening} onClick={onListen}>
                  Listen on this computer
                </Button>
              ),
            }
          : {})}
      />
    </div>
  )
}

/** Whether the inspector listens, and the buttons to listen, request and paste. */
function InspectorHeader({
  inspector,
  onPaste,
}: {
  inspector: ReturnType<typeof useWebhookInspector>
  onPaste: () => void
}) {
  const { isEmpty } = inspector
  const now = inspector.receiver.data
  const listens = now?.url != null
  return (
    <PageHeader
      title="Webhook inspector"
      beside={
        now === undefined ? null : listens ? (
          <span className={styles.listens}>
            <i />
            Listening at <code>{now.url}</code>
          </span>
        ) : (
          <span className={styles.silent}>
            {now.possible ? 'Not listening' : 'Paste a request your endpoint received'}
          </span>
        )
      }
      actions={
        <>
          {now?.possible !== true ? null : listens ? (
            <Button busy={inspector.isStopping} onClick={inspector.stop}>
              Stop listening
            </Button>
          ) : isEmpty ? null : (
            <Button kind="sandbox" busy={inspector.isStarting} onClick={inspector.listen}>
              Listen on this computer
            </Button>
          )}
          <Button
            keys={['T']}
            icon={<IconSend size={16} stroke={1.6} />}
            busy={inspector.isRequesting}
            onClick={inspector.requestTest}
          >
            Request test event
          </Button>
          <Button
            kind="primary"
            keys={['V']}
            icon={<IconClipboardText size={16} stroke={1.6} />}
            onClick={onPaste}
          >
            Paste a request…
          </Button>
        </>
      }
    />
  )
}

/** Calls back with text that is pasted outside a field or dialog. */
function usePastedText(onPaste: (text: string) => void): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (!isTyping(event) && !isDialogOpen() && text.trim() !== '') onPaste(text)
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [onPaste])
}
