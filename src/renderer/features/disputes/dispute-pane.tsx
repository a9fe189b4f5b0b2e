import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import {
  IconAlertTriangleFilled,
  IconArrowsExchange,
  IconCircleCheck,
  IconClockPause,
  IconFileExport,
  IconInfoCircle,
} from '@tabler/icons-react'
import {
  type ForwardedRef,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import type { Account } from '../../../contract/accounts.ts'
import type { DisputeActionKind } from '../../../contract/dispute-records.ts'
import { problemOf } from '../../lib/problem.ts'
import { api, rpc } from '../../lib/rpc.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatDuration, formatMoment } from '../../ui/format.ts'
import { toast, toastProblem } from '../../ui/toasts.tsx'
import { useNow } from '../../ui/use-now.ts'
import { ActDialog } from './act-dialog.tsx'
import { alarmTitle, useBatchAlarm } from './batch-alarm.tsx'
import { Composer, type ComposerHandle } from './composer.tsx'
import { ContextPanel } from './context-panel.tsx'
import { Conversation } from './conversation.tsx'
import { escalatesAfterMs } from './dispute-list.tsx'
import styles from './disputes.module.css'
import { EvidenceDialog } from './evidence-dialog.tsx'
import { SnoozeDialog } from './snooze-dialog.tsx'
import { TemplateDialog } from './template-dialog.tsx'
import { reasonWord } from './words.ts'

const fail = (error: unknown): void => {
  toastProblem(problemOf(error))
}
const hour = 3_600_000

export interface PaneHandle {
  reply: () => void
  templates: () => void
  useTemplate: (place: number) => void
  act: (kind: DisputeActionKind) => void
  snooze: () => void
  evidence: () => void
  /** Shows or hides the side panel if the window is too narrow for both. */
  beside: () => void
}
export interface PaneProps {
  account: Account
  disputeId: string
  canSend: boolean
  /** An action may have moved the dispute to another place in the list. */
  onActed: () => void
  onDone: () => void
}

type Asking =
  | { what: 'act'; kind: DisputeActionKind }
  | { what: 'snooze' }
  | { what: 'templates' }
  | { what: 'evidence' }
  | null

/** One dispute: its deadline, the conversation, the answer, and the side panel. */
export const DisputePane = forwardRef(function DisputePane(
  { account, disputeId, canSend, onActed, onDone }: PaneProps,
  ref: ForwardedRef<PaneHandle>,
) {
  const accountId = account.id
  const query = useQuery({
    ...api.disputes.dispute.queryOptions({ input: { accountId, disputeId } }),
    retry: false,
  })
  const [asking, setAsking] = useState<Asking>(null)
  const [begun, setBegun] = useState<number | null>(null)
  const narrow =
    useMediaQuery('(max-width: 1119px)', window.innerWidth < 1120, {
      getInitialValueInEffect: false,
    }) ?? false
  /** In a narrow window, the side panel covers the conversation and is shown only on request. */
  const [wanted, setWanted] = useState(false)
  const beside = !narrow || wanted
  const composer = useRef<ComposerHandle>(null)
  const now = useNow(30_000)
  const detail = query.data
  const alarm = useBatchAlarm(accountId, detail?.origin?.batchId ?? null)
  const settled = detail?.status === 'resolved'
  const messages = detail?.messages ?? null
  const unread = detail?.unread ?? false
  useEffect(() => {
    if (unread && messages !== null)
      void rpc.disputes.markRead({ accountId, disputeId, messages }).catch(fail)
  }, [accountId, disputeId, messages, unread])

  const actable = canSend && !settled
  const act = (kind: DisputeActionKind): void => {
    if (actable) setAsking({ what: 'act', kind })
    else if (!settled)
      toast({
        kind: 'waits',
        title: 'You need a connection to replace or refund',
        text: 'Keydesk checks stock and balance first. Answers are queued instead.',
      })
  }
  const acts: PaneHandle = {
    reply: () => {
      if (detail?.locked === true) void openVault()
      else composer.current?.focus()
    },
    templates: () => {
      if (!settled) setAsking({ what: 'templates' })
    },
    useTemplate: (place) => composer.current?.useTemplate(place),
    act,
    snooze: () => {
      if (!settled) setAsking({ what: 'snooze' })
    },
    evidence: () => setAsking({ what: 'evidence' }),
    beside: () => setWanted(!wanted),
  }
  /** A shortcut pressed while the dispute is loading runs once it is loaded. */
  const early = useRef<((then: PaneHandle) => void) | null>(null)
  const whenRead = (run: (then: PaneHandle) => void): void => {
    if (detail === undefined) early.current = run
    else run(acts)
  }
  useEffect(() => {
    const run = early.current
    if (detail === undefined || run === null) return
    early.current = null
    run(acts)
  })
  useImperativeHandle(ref, () => ({
    reply: () => whenRead((pane) => pane.reply()),
    templates: () => whenRead((pane) => pane.templates()),
    useTemplate: (place) => whenRead((pane) => pane.useTemplate(place)),
    act: (kind) => whenRead((pane) => pane.act(kind)),
    snooze: () => whenRead((pane) => pane.snooze()),
    evidence: () => whenRead((pane) => pane.evidence()),
    beside: () => whenRead((pane) => pane.beside()),
  }))
  if (detail === undefined)
    return (
      <div className={styles.pane}>
        {query.isError ? (
          <ErrorState problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
        ) : (
          <div className={styles.paneBars} aria-hidden>
            <i />
            <i />
            <i />
            <i />
          </div>
        )}
      </div>
    )

  const left =
    detail.escalatesAt === null || detail.status !== 'open' || !detail.needsAnswer
      ? null
      : detail.escalatesAt - now
  const close = (): void => setAsking(null)
  const mark = (marks: { snoozeUntil?: number | null; mine?: boolean }): void =>
    void rpc.disputes.mark({ accountId, disputeId, ...marks }).catch(fail)
  const newMessages =
    begun === null
      ? 0
      : Math.max(
          0,
          detail.conversation.slice(begun).filter(({ author }) => author !== 'seller').length,
        )
  return (
    <div className={styles.pane}>
      <div className={styles.talk}>
        <header className={styles.paneHead}>
          <div>
            <h2>{reasonWord(detail.reasonKind)}</h2>
            <p>
              {[detail.name, detail.platform, detail.region]
                .filter((part) => part !== '')
                .join(' · ')}{' '}
              · <span className="kd-mono">{detail.disputeId}</span>
              {detail.openedAt === null ? null : <> · {formatMoment(detail.openedAt, now)}</>}
            </p>
          </div>
          {settled ? null : (
            <Button
              kind="quiet"
              icon={<IconClockPause size={16} stroke={1.6} />}
              keys={['Z']}
              onClick={() => setAsking({ what: 'snooze' })}
            >
              {detail.snoozedUntil === null ? 'Snooze' : 'Snoozed'}
            </Button>
          )}
          {settled ? null : (
            <Button
              kind="quiet"
              aria-pressed={detail.mine}
              onClick={() => mark({ mine: !detail.mine })}
            >
              {detail.mine ? 'Yours' : 'Mark as mine'}
            </Button>
          )}
          {settled ? null : (
            <IconButton label="Mark as done and go to next (E)" onClick={onDone}>
              <IconCircleCheck size={16} stroke={1.6} />
            </IconButton>
          )}
          <IconButton label="Save evidence (X)" onClick={() => setAsking({ what: 'evidence' })}>
            <IconFileExport size={16} stroke={1.6} />
          </IconButton>
          {beside ? null : (
            <IconButton label="About this sale (I)" onClick={() => setWanted(true)}>
              <IconInfoCircle size={16} stroke={1.6} />
            </IconButton>
          )}
        </header>
        {left === null ? null : (
          <div
            className={styles.due}
            data-tone={left < 6 * hour ? 'bad' : left < 24 * hour ? 'warn' : 'calm'}
            role="status"
          >
            <IconAlertTriangleFilled size={15} aria-hidden />
            <b>{left <= 0 ? 'Escalates now' : `Escalates in ${formatDuration(left)}`}</b>
            <span>unless you answer</span>
            <span className={styles.dueBar} aria-hidden>
              <i
                style={{
                  width: `${Math.min(100, Math.max(0, 100 - (left / escalatesAfterMs) * 100))}%`,
                }}
              />
            </span>
            <span>{detail.escalatesAt === null ? '' : formatMoment(detail.escalatesAt, now)}</span>
          </div>
        )}
        {beside || alarm === undefined ? null : (
          <div className={styles.due} data-tone="bad" role="status">
            <IconAlertTriangleFilled size={15} aria-hidden />
            <b>{alarmTitle(alarm)}</b>
            <Button keys={['I']} onClick={() => setWanted(true)}>
              View
            </Button>
          </div>
        )}
        {detail.status !== 'escalated' ? null : (
          <div className={styles.due} data-tone="warn" role="status">
            <IconAlertTriangleFilled size={15} aria-hidden />
            <b>Escalated to support.</b>
            <span>You can still answer, replace and refund.</span>
          </div>
        )}
        <Conversation
          detail={detail}
          newFrom={begun}
          onOpenVault={() => void openVault()}
          onDismissAnswer={(answerId, text) => {
            if (text !== null && detail.draft === null) composer.current?.insert(text)
            void rpc.disputes.dismiss({ accountId, disputeId, answerId }).catch(fail)
          }}
          onDismissAction={(actionId) =>
            void rpc.disputes.dismissAction({ accountId, disputeId, actionId }).catch(fail)
          }
        />
        <Composer
          key={`${accountId}/${disputeId}/${detail.locked}`}
          ref={composer}
          detail={detail}
          account={account}
          canSend={canSend}
          onTemplates={() => setAsking({ what: 'templates' })}
          onBegun={setBegun}
          newMessages={newMessages}
          onSent={onActed}
        />
        {settled ? null : (
          <footer className={styles.acts}>
            <Button
              kind="primary"
              icon={<IconArrowsExchange size={16} stroke={1.6} />}
              keys={['S']}
              disabled={!actable}
              onClick={() => act('replace-stock')}
            >
              Replace from stock…
            </Button>
            <Button keys={['P']} disabled={!actable} onClick={() => act('replace-key')}>
              Replace with a key…
            </Button>
            <Button kind="danger" keys={['F']} disabled={!actable} onClick={() => act('refund')}>
              Refund…
            </Button>
          </footer>
        )}
      </div>
      {beside ? (
        <ContextPanel
          account={account}
          detail={detail}
          onClose={narrow ? () => setWanted(false) : null}
          onPauseOffer={() =>
            void (
              detail.offerId === null
                ? Promise.resolve()
                : rpc.offers.change({ accountId, offerId: detail.offerId, status: 'paused' })
            ).then(
              () =>
                toast({
                  title: 'Offer paused',
                  text: 'No keys moved. The offer stops selling.',
                }),
              fail,
            )
          }
        />
      ) : null}
      {asking?.what === 'act' ? (
        <ActDialog
          kind={asking.kind}
          detail={detail}
          account={account}
          onClose={close}
          onDone={onActed}
        />
      ) : null}
      {asking?.what === 'snooze' ? (
        <SnoozeDialog
          escalatesAt={detail.escalatesAt}
          snoozed={detail.snoozedUntil !== null}
          onClose={close}
          onChoose={(until) => {
            close()
            mark({ snoozeUntil: until })
            if (until !== null) onActed()
          }}
        />
      ) : null}
      {asking?.what === 'templates' ? (
        <TemplateDialog
          detail={detail}
          onClose={close}
          onUse={(text) => {
            close()
            setTimeout(() => composer.current?.insert(text))
          }}
        />
      ) : null}
      <EvidenceDialog
        account={account}
        disputeId={disputeId}
        opened={asking?.what === 'evidence'}
        onClose={close}
      />
    </div>
  )
})
