import { useMediaQuery } from '@mantine/hooks'
import { type ForwardedRef, forwardRef, useImperativeHandle, useRef, useState } from 'react'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import type {
  DisputeActionKind,
  DisputeSeen,
} from '../../../../contract/disputes/dispute-replies.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { useWithdrawBatch } from '../../key-history/use-withdraw-batch.tsx'
import { statusToast } from '../../offers/price/change-toasts.ts'
import { productLine } from '../../../lib/labels/product-labels.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { alarmTitle, useBatchAlarm } from '../side-panel/batch-alarm.tsx'
import { Composer, type ComposerHandle } from '../composer/composer.tsx'
import { DisputeSidePanel } from '../side-panel/side-panel.tsx'
import { Conversation, type ConversationProps } from '../conversation/conversation.tsx'
import type { PaneHandle, PaneProps } from './pane-props.ts'
import styles from './pane.module.css'
import { type Asking, PaneDialogs } from './pane-dialogs.tsx'
import { PaneHeader } from './pane-header.tsx'
import { PaneNotices } from './pane-notices.tsx'
import { SettleBar } from './settle-bar.tsx'
import { useAccountNows } from '../../../lib/account/account-time.tsx'

const fail =
  (record: string) =>
  (error: unknown): void => {
    toastProblem(problemOf(error), record)
  }

/**
 * The side panel is shown next to the conversation. In a narrow window, it covers the conversation
 * and is shown only on request.
 */
function useSidePanel() {
  const narrow =
    useMediaQuery('(max-width: 1119px)', window.innerWidth < 1120, {
      getInitialValueInEffect: false,
    }) ?? false
  const [wanted, setWanted] = useState(false)
  return { narrow, shown: !narrow || wanted, wanted, setWanted }
}

/** Messages of others that arrived after writing the answer started. */
const newSince = ({ conversation }: DisputeDetail, begun: number | null): number =>
  begun === null ? 0 : conversation.slice(begun).filter(({ author }) => author !== 'seller').length

const pauseOffer = (account: Account, detail: DisputeDetail): void => {
  const { offerId } = detail
  if (offerId === null) return
  void rpc.offers
    .change({ accountId: account.id, offerId, status: 'paused' })
    .then((after) => toast(statusToast(after, 'paused')), fail(productLine(detail)))
}

/**
 * Asks to confirm a replacement or refund, if it can be made: keys of a batch with many disputes are
 * withdrawn first, and nothing is settled without stock or offline.
 */
function settleWith(
  kind: DisputeActionKind,
  { status, alarmsInStock, offer }: DisputeDetail,
  { canSend, withdraw, ask }: { canSend: boolean; withdraw: (() => void) | null; ask: () => void },
): void {
  if (status === 'resolved') return
  if (!canSend)
    return void toast({
      kind: 'waits',
      title: 'You need a connection to replace or refund',
      text: 'Keydesk checks stock and balance first. Answers are queued instead.',
      cause: 'offline',
    })
  if (kind === 'replace-stock' && alarmsInStock.length > 0) return withdraw?.()
  if (kind === 'replace-stock' && offer?.stock === 0)
    return void toast({
      kind: 'waits',
      title: 'The offer has no keys in stock',
      text: 'Replace with a key (P), or refund (F).',
    })
  ask()
}

/**
 * Dismisses answers, replies and actions that couldn't be sent. The text of a reply is added to the
 * draft in the composer. The text of an answer returns there only if there is no draft.
 */
function dismissals(
  accountId: string,
  { disputeId, draft, name }: DisputeDetail,
  insert: ComposerHandle['insert'],
): Pick<ConversationProps, 'onDismissAnswer' | 'onDismissReply' | 'onDismissAction'> {
  return {
    onDismissAnswer(answerId, text) {
      if (text !== null && draft === null) insert(text)
      void rpc.disputes.dismiss({ accountId, disputeId, answerId }).catch(fail(name))
    },
    onDismissReply({ replyId, text, answered, outcome }) {
      if (text !== null && !answered) insert(text, outcome)
      void rpc.disputes.dismissReply({ accountId, disputeId, replyId }).catch(fail(name))
    },
    onDismissAction: (actionId) =>
      void rpc.disputes.dismissAction({ accountId, disputeId, actionId }).catch(fail(name)),
  }
}

/** Replacing and refunding, and withdrawing the keys of a batch with many disputes. */
function useSettling(
  account: Account,
  detail: DisputeDetail,
  canSend: boolean,
  setAsking: (asking: Asking) => void,
) {
  const settled = detail.status === 'resolved'
  const withdraw = useWithdrawBatch(account, settled ? null : (detail.alarmsInStock[0] ?? null))
  const act = (kind: DisputeActionKind): void =>
    settleWith(kind, detail, {
      canSend,
      withdraw: withdraw.ask,
      ask: () => setAsking({ what: 'act', kind }),
    })
  return { act, withdraw }
}

function Settling({
  detail,
  canSend,
  act,
  withdraw,
}: { detail: DisputeDetail; canSend: boolean } & ReturnType<typeof useSettling>) {
  return (
    <>
      {detail.status === 'resolved' ? null : (
        <SettleBar
          disabled={!canSend}
          stock={detail.offer?.stock ?? null}
          alarms={detail.alarmsInStock}
          onAct={act}
          onWithdraw={withdraw.ask}
        />
      )}
      {withdraw.dialog}
    </>
  )
}

/** The header of a dispute, and notices, with the batch alarm while the side panel is hidden. */
function PaneTop({
  detail,
  now,
  alarm,
  panel,
  onAsk,
  onMine,
  onDone,
}: {
  detail: DisputeDetail
  now: number
  /** The alarm of the key's batch; null if there is none. */
  alarm: string | null
  panel: ReturnType<typeof useSidePanel>
  onAsk: (asking: Asking) => void
  onMine: () => void
  onDone: () => void
}) {
  return (
    <>
      <PaneHeader
        detail={detail}
        now={now}
        onSnooze={() => onAsk({ what: 'snooze' })}
        onMine={onMine}
        onDone={onDone}
        onEvidence={() => onAsk({ what: 'evidence' })}
        onShowPanel={panel.shown ? null : () => panel.setWanted(true)}
      />
      <PaneNotices
        detail={detail}
        now={now}
        alarm={panel.shown ? null : alarm}
        onShowAlarm={() => panel.setWanted(true)}
      />
    </>
  )
}

/** A dispute whose details are loaded. */
export const LoadedPane = forwardRef(function LoadedPane(
  {
    account,
    detail,
    canSend,
    onActed,
    onDone,
    onSelectBatch,
  }: PaneProps & { detail: DisputeDetail },
  ref: ForwardedRef<PaneHandle>,
) {
  const ids = { accountId: account.id, disputeId: detail.disputeId }
  const [asking, setAsking] = useState<Asking>(null)
  const [begun, setBegun] = useState<number | null>(null)
  const panel = useSidePanel()
  const composer = useRef<ComposerHandle>(null)
  const now = useAccountNows()(account.id)
  const alarm = useBatchAlarm(account.id, detail.origin?.batchId ?? null)
  const settled = detail.status === 'resolved'
  const { act, withdraw } = useSettling(account, detail, canSend, setAsking)
  const askUnlessSettled = (next: Asking): void => {
    if (!settled) setAsking(next)
  }
  useImperativeHandle(ref, () => ({
    reply: () => {
      if (detail.locked) void openVault()
      else composer.current?.focus()
    },
    templates: () => askUnlessSettled({ what: 'templates' }),
    fillTemplate: (place) => composer.current?.fillTemplate(place),
    act,
    snooze: () => askUnlessSettled({ what: 'snooze' }),
    done: onDone,
    evidence: () => setAsking({ what: 'evidence' }),
    togglePanel: () => panel.setWanted(!panel.wanted),
    shown: () => detail,
  }))
  const mark = (marks: { snoozeUntil?: number | null; mine?: boolean; seen?: DisputeSeen }): void =>
    void rpc.disputes.mark({ ...ids, ...marks }).catch(fail(productLine(detail)))
  return (
    <div className={styles.pane}>
      <div className={styles.talk}>
        <PaneTop
          detail={detail}
          now={now}
          alarm={alarm === undefined ? null : alarmTitle(alarm)}
          panel={panel}
          onAsk={setAsking}
          onMine={() => mark({ mine: !detail.mine })}
          onDone={onDone}
        />
        <Conversation
          detail={detail}
          newFrom={begun}
          onOpenVault={() => void openVault()}
          {...dismissals(account.id, detail, (...text) => composer.current?.insert(...text))}
        />
        <Composer
          key={`${account.id}/${detail.disputeId}/${detail.locked}`}
          ref={composer}
          detail={detail}
          account={account}
          canSend={canSend}
          onTemplates={() => setAsking({ what: 'templates' })}
          onStarted={setBegun}
          newMessages={newSince(detail, begun)}
          onSent={onActed}
        />
        <Settling detail={detail} canSend={canSend} act={act} withdraw={withdraw} />
      </div>
      {panel.shown ? (
        <DisputeSidePanel
          account={account}
          detail={detail}
          onClose={panel.narrow ? () => panel.setWanted(false) : null}
          onPauseOffer={() => pauseOffer(account, detail)}
          onSelectBatch={onSelectBatch}
        />
      ) : null}
      <PaneDialogs
        asking={asking}
        account={account}
        detail={detail}
        onClose={() => setAsking(null)}
        onActed={onActed}
        onSnooze={(until, seen) => {
          setAsking(null)
          mark({ snoozeUntil: until, seen })
          if (until !== null) onActed()
        }}
        onTemplate={(text, outcome) => {
          setAsking(null)
          setTimeout(() => composer.current?.insert(text, outcome))
        }}
      />
    </div>
  )
})
