import type { DisputeReply } from '../../../contract/disputes/dispute-replies.ts'
import { msUntilSent } from './hold-time.ts'
import { textRecords } from '../schema.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'
import type { ReplyRecord } from './store.ts'

/** A reply as the screen shows it. */
export function viewReply(
  { accountId, store, context, texts }: DisputeAccount,
  reply: ReplyRecord,
): DisputeReply {
  const { replyId, bulkId, disputeId, outcome, state, answered, problem, dueAt } = reply
  return {
    replyId,
    bulkId,
    accountId,
    disputeId,
    outcome,
    state,
    answered,
    problem: state === 'failed' ? problem : null,
    name: store.find(disputeId)?.name ?? disputeId,
    text: texts.open(accountId, textRecords.reply(replyId), reply.textSealed),
    leftMs: state === 'held' ? msUntilSent(context.clock, dueAt) : 0,
  }
}
