import { SegmentedControl } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconClipboardText, IconSend } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { Receiver } from '../../../contract/webhook-inspector.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { isDialogOpen, isTyping, useShortcut } from '../../ui/hooks/shortcuts.ts'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import styles from './webhook-inspector.module.css'
import { EventDetail } from './event-detail.tsx'
import { EventList } from './event-list.tsx'
import { PasteDialog } from './paste-dialog.tsx'
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
  const { id: accountId } = useAccount()
  const [chosen, setChosen] = useState<string | null>(null)
  /** The text that the dialog for a pasted request starts with; null while it is closed. */
  const [pasting, setPasting] = useState<string | null>(null)
  const failed = { onError: (error: unknown) => toastProblem(problemOf(error)) }
  const receiver = useQuery(api.webhookInspector.receiver.queryOptions({ input: { accountId } }))
  const events = useQuery(api.webhookInspector.events.queryOptions({ input: { accountId } }))
  const eventKey = chosen ?? events.data?.[0]?.eventKey ?? null
  const detail = useQuery({
    ...api.webhookInspector.event.queryOptions({ input: { accountId, eventKey: eventKey ?? '' } }),
    enabled: eventKey !== null,
  })
  const listen = useMutation(api.webhookInspector.listen.mutationOptions(failed))
  const stop = useMutation(api.webhookInspector.stop.mutationOptions(failed))
  const answer = useMutation(api.webhookInspector.setAnswer.mutationOptions(failed))
  const tolerance = useMutation(api.webhookInspector.setTolerance.mutationOptions(failed))
  const ask = useMutation(
    api.webhookInspector.requestTest.mutationOptions({
      ...failed,
      onSuccess: () =>
        toast({
          title: 'Test event requested',
          text: 'The service sends it to this account’s endpoint.',
        }),
    }),
  )
  const now = receiver.data
  const listens = now?.url != null
  const nothing = events.data?.length === 0
  const askNow = (): void => {
    if (!ask.isPending) ask.mutate({ accountId })
  }
  useShortcut('T', askNow)
  useShortcut('V', () => setPasting(''))
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (!isTyping(event) && !isDialogOpen() && text.trim() !== '') setPasting(text)
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [])
  const shown = detail.data !== undefined && detail.data.eventKey === eventKey ? detail.data : null
  return (
    <Page>
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
              <Button busy={stop.isPending} onClick={() => stop.mutate({ accountId })}>
                Stop listening
              </Button>
            ) : nothing ? null : (
              <Button
                kind="sandbox"
                busy={listen.isPending}
                onClick={() => listen.mutate({ accountId })}
              >
                Listen on this computer
              </Button>
            )}
            <Button
              keys={['T']}
              icon={<IconSend size={16} stroke={1.6} />}
              busy={ask.isPending}
              onClick={askNow}
            >
              Request test event
            </Button>
            <Button
              kind="primary"
              keys={['V']}
              icon={<IconClipboardText size={16} stroke={1.6} />}
              onClick={() => setPasting('')}
            >
              Paste a request…
            </Button>
          </>
        }
      />
      {receiver.isError && now === undefined ? (
        <ErrorState problem={problemOf(receiver.error)} onRetry={() => void receiver.refetch()} />
      ) : (
        <div className={styles.bench}>
          <EventList
            events={events.data ?? []}
            chosen={eventKey}
            onChoose={setChosen}
            receiver={now}
          />
          {nothing ? (
            <Nothing
              receiver={now}
              listening={listen.isPending}
              onListen={() => listen.mutate({ accountId })}
            />
          ) : (
            <>
              <div className={styles.middle}>
                {shown === null ? null : <EventDetail event={shown} />}
              </div>
              <aside className={styles.right} aria-label="Verification">
                {shown === null ? null : (
                  <VerificationResults
                    event={shown}
                    toleranceSeconds={now?.toleranceSeconds ?? 300}
                    onTolerance={(seconds) => tolerance.mutate({ accountId, seconds })}
                  />
                )}
                {!listens ? null : (
                  <ResponseControl
                    status={now.answer}
                    onChange={(status) => answer.mutate({ accountId, answer: status })}
                  />
                )}
              </aside>
            </>
          )}
        </div>
      )}
      {pasting === null ? null : (
        <PasteDialog start={pasting} onClose={() => setPasting(null)} onChecked={setChosen} />
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
