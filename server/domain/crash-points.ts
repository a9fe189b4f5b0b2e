import { channel } from 'node:diagnostics_channel'

/**
 * The points at which a crash leaves the most to repair. Each text says what is done and what is
 * still missing. A crash between the start of a transaction and its commit must leave none of its
 * effects; a crash after the commit must leave all of them, even if no caller has been notified.
 */
export const crashPoints = {
  'order.debited': "an order is written and debited; its units aren't reserved",
  'order.reserving': 'one unit of an order is reserved, others may follow',
  'order.accepted':
    "an order and its stored response are written; their transaction isn't committed",
  'orders.grouped': 'all work that shares a commit is done; the commit is next',
  'orders.committed': 'shared work is durable; no caller has been notified',
  'order.waiting': 'an order whose caller waits is durable; its stored call has no response yet',
  'order.answering': "the wait is over; the response isn't stored",
  'order.answered': 'the response after a wait is stored and not sent',
  'refusal.kept': 'an error response is stored and not sent',
  'delivery.sold': 'one unit is sold; others of its line may follow, and no seller is paid',
  'delivery.paid': "a delivered line's sellers are paid; the order doesn't show it",
  'delivery.returned': "undelivered units are back in stock; their money isn't refunded",
  'delivery.refunded': "undelivered units are refunded; the order doesn't show it",
  'delivery.told': 'an order is final and its event is queued; the commit is next',
  'delivery.committed': 'a final order is durable; its waiting callers have not been notified',
  'keys.proved': "the first download is recorded; the keys aren't sent",
  'upload.unit': "one uploaded key is in stock, others follow; the offer doesn't count it",
  'withdraw.unit': 'one unit is withdrawn, others may follow; the offer still counts it',
  'answer.kept': 'an effect and its stored response are written; the commit is next',
  'answer.committed': "an effect and its stored response are durable; the response isn't sent",
  'offer.changed': "an offer has its new terms; the catalogue isn't updated yet",
  'product.changed': "a product is changed; its offers aren't updated yet",
  'claim.opened': "a dispute is written; the earnings of its sale aren't on hold",
  'dispute.said': "a message is written; the dispute's escalation time isn't moved",
  'dispute.escalated': 'a dispute is escalated; the commit is next',
  'dispute.rejected': 'a dispute is resolved; the earnings of its sale are still on hold',
  'replacement.sent': "a replacement is delivered; its dispute isn't resolved",
  'refund.resolved': 'a dispute is resolved by refund and its sale cancelled; nothing is credited',
  'topup.used': 'the reference of a bank transfer is used up; nothing is credited',
  'topup.credited': "a bank transfer is credited; its e-mail and event aren't written",
  'topup.committed': 'a bank transfer is durable; neither the e-mail nor the response is sent',
  'ledger.moved': "balances have moved; their entry isn't in the chain",
  'ledger.checkpointed': 'a checkpoint of the proven entries is written; the commit is next',
  'release.begun': 'a sale is released; its money is still pending',
  'webhook.written': 'an event is written; no delivery of it is queued',
  'webhook.leaving': "an attempt is about to be sent; it isn't recorded",
  'webhook.answered': "the receiver has responded; the response isn't recorded",
  'webhook.recorded': "an attempt and its outcome are durable; the next delivery isn't looked up",
  'clock.moved': 'the clock shows the next due time; the due work has not run',
  'clock.worked': 'a piece of due work is done; the clock has further to go',
  'key.issued': 'an API key is written; it has not been shown',
  'snapshot.begun': 'a snapshot is about to be written to a temporary file',
  'snapshot.written': 'a snapshot is written to a temporary file; it has no name',
  'snapshot.named': "a snapshot has its name; the caller doesn't know",
  'restore.copied':
    'a snapshot is copied and checked for a restore; the present state is unchanged',
  'reset.seeded': 'the initial state is durable in a separate file; the present state is unchanged',
  'state.closed': 'the present database is closed; the prepared one has another name',
  'state.replaced': 'the prepared database has replaced the present one; neither is open',
  'restore.committed': "a restored state is in use; the caller doesn't know",
  'seed.written': 'the initial data is written; the commit is next',
  'migration.step': "one migration step is done; its version isn't recorded",
  'seal.written': "the folder's sealing key is written to a temporary file; it has no name",
  'stop.closed': 'no client is connected any more; due work may run',
  'store.closing': 'everything is stored; the database checkpoints its write-ahead log and closes',
} as const

export type CrashPoint = keyof typeof crashPoints

/** The names of all crash points. */
export const crashPointNames = Object.keys(crashPoints) as CrashPoint[]

/**
 * The diagnostics channel of a crash point. Subscribers run synchronously each time the point is
 * reached.
 */
export const channelName = (point: CrashPoint): string => `keydesk:${point}`

const channels = Object.fromEntries(
  crashPointNames.map((name) => [name, channel(channelName(name))]),
) as Record<CrashPoint, ReturnType<typeof channel>>

/**
 * Marks that the process has reached a crash point. Without a subscriber it costs one lookup: a few
 * nanoseconds.
 */
export function reachCrashPoint(point: CrashPoint): void {
  const target = channels[point]
  // Stryker disable next-line ConditionalExpression: publishing without subscribers has no effect
  if (target.hasSubscribers) target.publish(null)
}
