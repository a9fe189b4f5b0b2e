import type { DisputeActionKind, ReplyOutcome } from '../../../contract/disputes/dispute-replies.ts'
import { disputeActionKinds } from '../../../contract/disputes/dispute-replies.ts'
import type { Problem } from '../../../contract/base.ts'
import { Failure, failure } from '../../failure.ts'
import type { DisputeAccess } from '../access.ts'
import { disputeJournal } from '../answers/journal.ts'
import { sendAnswer, settleAnswer, unsettled } from '../answers/send-answer.ts'
import { disputeMarks } from '../list/marks.ts'
import { textRecords } from '../schema.ts'
import { actionJournal } from '../settle/action-journal.ts'
import { nothingMoved } from '../settle/checks.ts'
import type { SettleChecks } from '../settle/checks.ts'
import type { RequestedAction } from '../settle/send-action.ts'
import { newerThanShown, outcomeUnknown, sendAction, settleAction } from '../settle/send-action.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'
import { replyStore } from './store.ts'
import type { ReplyRecord } from './store.ts'

/** The action of an outcome; null if nothing but an answer is sent. */
export const actionOf = (outcome: ReplyOutcome): DisputeActionKind | null =>
  disputeActionKinds.find((kind) => kind === outcome) ?? null

/** Why an action isn't possible, other than an alarm, which has its own message. */
const obstacles = {
  resolved: [
    'DISPUTE_RESOLVED',
    'the dispute was resolved in the meantime.',
    'There’s nothing left to do.',
  ],
  'no-stock': ['CONFLICT', 'the offer has no keys in stock.', 'Replace with a key, or refund.'],
  'under-way': [
    'CONFLICT',
    'the outcome of an earlier action on this dispute isn’t known yet.',
    'Wait until it’s known.',
  ],
} as const

/** Throws Failure if the service would reject the action, so that no answer promises it. */
export async function assertPossible(
  checks: SettleChecks,
  accountId: string,
  disputeId: string,
  kind: DisputeActionKind,
): ReturnType<SettleChecks['assertNoAlarm']> {
  const effects = await checks.assertNoAlarm(accountId, disputeId, kind)
  const { obstacle } = effects
  if (obstacle === null || obstacle === 'no-offer' || obstacle === 'batch-alarm') return effects
  const [code, what, next] = obstacles[obstacle]
  const not = kind === 'refund' ? 'Not refunded' : 'Not replaced'
  throw failure(code, `${not}: ${what}`, next, nothingMoved(kind))
}

/**
 * Sends a reply, or continues with one that was interrupted: first the answer, because a resolved
 * dispute accepts none, then the action. The journals of both say what was sent before, so each is
 * sent exactly once. Throws Failure: `ANSWER_LOST` and connection problems leave the reply open.
 */
export function createReplySender(access: DisputeAccess, checks: SettleChecks) {
  const { context, texts, find } = access

  function requested(account: DisputeAccount, reply: ReplyRecord): RequestedAction | null {
    const kind = actionOf(reply.outcome)
    if (kind === null) return null
    const key = texts.open(account.accountId, textRecords.replyKey(reply.replyId), reply.keySealed)
    return {
      ...checks.requested(account, find(account, reply.disputeId), { kind, key: key ?? undefined }),
      actionId: reply.replyId,
    }
  }

  async function answer(account: DisputeAccount, reply: ReplyRecord): Promise<void> {
    const { accountId, store } = account
    const { replyId, disputeId, seenMessages: seen } = reply
    const journal = disputeJournal(store.db)
    const before = journal.answer(replyId)
    if (before !== null && before.state !== 'refused')
      await settleAnswer(account, journal, before, context.connection(accountId), 'person')
    else if (before === null) {
      const text = texts.open(accountId, textRecords.reply(replyId), reply.textSealed)
      if (text === null) throw unreadable()
      await sendAnswer(account, journal, { disputeId, text, seen, replyId })
    }
    if (replyStore(store.db).find(replyId)?.answered === true) return
    const now = journal.answer(replyId)
    throw now?.state === 'refused' && now.problem !== null ? new Failure(now.problem) : unsettled()
  }

  async function act(
    account: DisputeAccount,
    reply: ReplyRecord,
    wanted: RequestedAction,
  ): Promise<void> {
    const { accountId, store } = account
    const { replyId, disputeId, seenStatus: status, seenMessages: messages } = reply
    const journal = actionJournal(store.db)
    const before = journal.find(replyId)
    if (before === null)
      return sendAction(account, journal, disputeId, wanted, { status, messages })
    if (before.state === 'done') return
    if (before.state !== 'refused')
      await settleAction(account, journal, before, context.connection(accountId), 'person')
    const now = journal.find(replyId)
    if (now?.state === 'done') return
    throw now?.state === 'refused' && now.problem !== null
      ? new Failure(now.problem)
      : outcomeUnknown()
  }

  /**
   * Marks a dispute as done as the person saw it, with the answer. Throws Failure if something newer
   * was written: the dispute stays in the inbox.
   *
   * @param seenBeforeAnswer Number of messages that the person saw when writing the answer.
   */
  function markDone(
    { store }: DisputeAccount,
    { disputeId, seenStatus: status, seenMessages }: ReplyRecord,
    seenBeforeAnswer: number | null,
  ): void {
    // The person saw these messages and then the answer itself. Null: the messages weren't read yet,
    // so the person saw only the customer's first one, which is the dispute's reason.
    const messages = Math.min(seenMessages ?? 0, (seenBeforeAnswer ?? 1) + 1)
    const now = store.find(disputeId)
    const newer =
      now === undefined
        ? null
        : newerThanShown({ status, messages }, now, {
            not: 'Not marked as done',
            nothing: 'Your answer was sent.',
          })
    if (newer !== null) throw newer
    disputeMarks(store.db).mark(disputeId, { done: true }, { status, messages })
  }

  /** Whether the action was sent before: then its own journal says how to continue. */
  const isActionOpen = ({ store }: DisputeAccount, replyId: string): boolean =>
    actionJournal(store.db).find(replyId) !== null

  return async function send(account: DisputeAccount, reply: ReplyRecord): Promise<void> {
    const { accountId, store } = account
    const { replyId, disputeId, outcome } = reply
    const kind = actionOf(outcome)
    const resumes = isActionOpen(account, replyId)
    const wanted = resumes ? null : requested(account, reply)
    if (kind !== null && !resumes) await assertPossible(checks, accountId, disputeId, kind)
    if (!reply.answered) await answer(account, reply)
    const answered = replyStore(store.db).find(replyId) ?? reply
    if (kind !== null)
      await act(
        account,
        answered,
        wanted ?? { kind, key: null, fingerprint: null, productId: null },
      )
    if (outcome === 'close') markDone(account, answered, reply.seenMessages)
    replyStore(store.db).setDone(replyId)
  }
}

const unreadable = (): Failure =>
  failure(
    'VAULT_DAMAGED',
    'Not sent: the text of this answer can’t be decrypted.',
    'Write the answer again.',
    { effect: 'Nothing was sent.' },
  )

/** Records why a reply failed, instead of the entries of its answer and action. */
export function recordFailure(
  { store }: DisputeAccount,
  { replyId }: ReplyRecord,
  problem: Problem,
): void {
  const journal = disputeJournal(store.db)
  store.transaction(() => {
    if (journal.answer(replyId)?.state === 'refused') journal.dropAnswer(replyId)
    actionJournal(store.db).dismiss(replyId)
    replyStore(store.db).setFailed(replyId, problem)
  })
}
