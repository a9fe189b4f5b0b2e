import { channel } from 'node:diagnostics_channel'

/**
 * The named points at which a process that dies leaves the most to be put right, each with what is
 * done and what is yet to be done there. Between a transaction's begin and its commit nothing may
 * remain of it; after the commit all of it, though nobody has been told.
 */
export const crashPoints = {
  'order.debited': 'an order is written and debited; its units are not reserved',
  'order.reserving': 'one unit of an order is reserved, others may follow',
  'order.accepted': 'an order is complete with its stored answer; its transaction is not',
  'orders.grouped': 'all that shares a commit is done; the commit is next',
  'orders.committed': 'shared work is durable; nobody who waits for it was told',
  'order.waiting': 'an order whose caller waits is durable; its stored call has no answer yet',
  'order.answering': 'the wait is over; the answer is not stored',
  'order.answered': 'the answer after a wait is stored and not sent',
  'refusal.kept': 'a refusal is stored and not sent',
  'delivery.sold': 'one unit is sold; others of its line may follow, and nobody is paid',
  'delivery.paid': "a delivered line's sellers are paid; the order does not say so",
  'delivery.returned': 'units that were not delivered are back in stock; their money is not back',
  'delivery.refunded': 'undelivered units are credited; the order does not say so',
  'delivery.told': 'an order is final and its event is queued; the commit is next',
  'delivery.committed': 'a final order is durable; who waits for it was not told',
  'keys.proved': 'the first download is recorded; the keys are not sent',
  'upload.unit': 'one uploaded key is in stock, others follow; the offer does not count it',
  'withdraw.unit': 'one unit is taken out of stock, others may follow; the offer counts it still',
  'answer.kept': 'an effect and its stored answer share a transaction; the commit is next',
  'answer.committed': 'an effect and its stored answer are durable; the answer is not sent',
  'offer.changed': 'an offer has its new terms; the catalogue does not follow yet',
  'product.changed': 'a product is changed; the offers of it do not follow yet',
  'claim.opened': 'a dispute is written; the release of its sale is not held',
  'dispute.said': 'a message is written; when the dispute escalates is not moved',
  'dispute.escalated': 'a dispute is escalated; the commit follows',
  'dispute.rejected': 'a dispute is resolved; its sale still waits for it',
  'replacement.sent': 'a replacement is handed over; its dispute is not resolved',
  'refund.resolved': 'a dispute is resolved by refund and its sale cancelled; nothing is credited',
  'topup.used': 'the reference of a bank transfer is used up; nothing is credited',
  'topup.credited': 'a bank transfer is credited; its e-mail and event are not written',
  'topup.committed': 'a bank transfer is durable; the e-mail is not sent, nor the answer',
  'ledger.moved': 'balances have moved; the entry that tells of it is not in the chain',
  'ledger.checkpointed': 'what is proved is noted; the commit is next',
  'release.begun': 'a sale is released; its money is still pending',
  'webhook.written': 'an event is written; no delivery of it is queued',
  'webhook.leaving': 'an attempt is about to be sent; nothing says so',
  'webhook.answered': 'the receiver has answered; nothing says so',
  'webhook.recorded': 'an attempt and its outcome are durable; the next is not looked for',
  'clock.moved': 'the clock stands at the next due time; what is due is not done',
  'clock.worked': 'a piece of due work is done; the clock has further to go',
  'key.issued': 'an API key is written; nobody has seen it',
  'snapshot.begun': 'a state is about to be written aside',
  'snapshot.written': 'a saved state is written aside; it has no name',
  'snapshot.named': 'a saved state has its name; the caller does not know',
  'restore.copied': 'the state to be put back is copied and checked; the present one stands',
  'restore.emptied': 'the present state is dropped inside the transaction; nothing is in its place',
  'restore.filled': 'the saved state is in place of the present one; the commit is next',
  'restore.committed': 'the saved state is durable; the process still remembers the other',
  'reset.emptied': 'everything is dropped inside the transaction; the first state is not there',
  'reset.seeded': 'the first state is in place; the commit is next',
  'seed.written': 'the first world is written; the commit is next',
  'migration.step': 'one step of the migrations is done; its version is not noted',
  'seal.written': "the folder's sealing key is written aside; it has no name",
  'stop.closed': 'nobody is connected any more; due work may run',
  'store.closing': 'everything is noted; the database folds its log back and closes',
} as const

export type CrashPoint = keyof typeof crashPoints

/** Every moment's name. */
export const crashPointNames = Object.keys(crashPoints) as CrashPoint[]

/**
 * The diagnostics channel of a moment; whoever subscribes is told, synchronously, at each passing.
 */
export const channelName = (moment: CrashPoint): string => `keydesk:${moment}`

const channels = Object.fromEntries(
  crashPointNames.map((name) => [name, channel(channelName(name))]),
) as Record<CrashPoint, ReturnType<typeof channel>>

/**
 * Says that the process is at a moment. Without a subscriber it costs a look-up: a few nanoseconds.
 */
export function reachCrashPoint(moment: CrashPoint): void {
  const told = channels[moment]
  if (told.hasSubscribers) told.publish(null)
}
