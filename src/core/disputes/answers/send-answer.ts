import type { Problem } from '../../../contract/base.ts'
import type { ServiceConnection } from '../../context.ts'
import { Failure, failure } from '../../failure.ts'
import { isAmong } from '../sync/facts.ts'
import type { DisputeWithMessages } from '../sync/facts.ts'
import type { AnswerRecord, DisputeJournal } from './journal.ts'
import { textRecords } from '../schema.ts'
import { writeDispute } from '../sync/write-disputes.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'

/** Whether the service may have carried out the call. */
export const isOutcomeUnknown = ({ certainty }: Failure): boolean => certainty === 'unknown'
/**
 * An answer that isn't among the messages may still be in flight; after this time, in milliseconds,
 * Keydesk treats it as not sent.
 */
const IN_FLIGHT_MS = 20_000

export type DisputeConnection = Pick<ServiceConnection, 'call'>

/** Reads a dispute from the service into the mirror and returns it. Throws Failure. */
export async function refreshDispute(
  account: DisputeAccount,
  connection: DisputeConnection,
  disputeId: string,
  priority: 'person' | 'watch',
  signal?: AbortSignal,
): Promise<DisputeWithMessages> {
  const dispute = await connection.call(
    'getDispute',
    { params: { id: disputeId } },
    { priority, ...(signal && { signal }) },
  )
  if (writeDispute(account, disputeId, dispute))
    account.context.changes.notify('disputes', account.accountId, disputeId)
  return dispute
}

const newMessages = (): Failure =>
  failure(
    'CHANGED_MEANWHILE',
    'Not sent: new messages arrived since you started writing.',
    'Read them, then send your answer if it still fits.',
    { effect: 'Your text is saved.' },
  )
const resolved = (): Failure =>
  failure(
    'DISPUTE_RESOLVED',
    'Not sent: the dispute was resolved in the meantime and no longer accepts messages.',
    'There’s nothing left to do.',
    { effect: 'Your text is saved.' },
  )
const unsettled = (): Failure =>
  failure(
    'ANSWER_LOST',
    'It isn’t known whether your answer arrived.',
    'Keydesk checks the messages as soon as the service responds, and never sends your answer twice.',
    { effect: 'No keys or money are involved.' },
  )
const notSent: Problem = failure(
  'NOT_SENT',
  'Not sent: the service didn’t respond, and your text isn’t among the messages.',
  'Send it again if you still want to.',
).problem

/**
 * Answers the customer. Keydesk reads the dispute, journals the answer with the current number of
 * messages, and sends it once (the call takes no Idempotency-Key). If the response is lost, it
 * searches the messages after that number. Throws Failure: `CHANGED_MEANWHILE`, `OFFLINE` (nothing
 * was sent or stored), the service's rejection, or `ANSWER_LOST`, which {@link settleAnswer}
 * settles later.
 */
export async function sendAnswer(
  account: DisputeAccount,
  journal: DisputeJournal,
  disputeId: string,
  text: string,
  seen: number | null,
): Promise<void> {
  const { context, accountId, texts, store } = account
  const connection = context.connection(accountId)
  context.vault.assertUnlocked()
  if (journal.answersOf(disputeId).some(({ state }) => state !== 'refused')) {
    throw failure(
      'CONFLICT',
      'Not sent: an earlier answer is still in progress.',
      'Wait until Keydesk knows whether it arrived.',
      { effect: 'Your text is saved.' },
    )
  }
  const before = await refreshDispute(account, connection, disputeId, 'person')
  if (before.status === 'resolved') throw resolved()
  if (seen !== null && before.messages.length > seen) throw newMessages()

  const answerId = context.random.id()
  const writtenAt = context.clock.now()
  store.transaction(() => {
    for (const refused of journal.answersOf(disputeId)) journal.dropAnswer(refused.answerId)
    journal.putAnswer({
      answerId,
      disputeId,
      textSealed: texts.seal(accountId, textRecords.answer(answerId), text),
      messagesBefore: before.messages.length,
      writtenAt,
    })
    // Whatever the outcome, the text stays available to be sent again or discarded.
    journal.putDraft(
      disputeId,
      texts.seal(accountId, textRecords.draft(disputeId), text),
      writtenAt,
    )
  })
  context.changes.notify('disputes', accountId, disputeId)
  try {
    await connection.call(
      'answerDispute',
      { params: { id: disputeId }, body: { body: text } },
      { priority: 'person', once: true },
    )
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (!isOutcomeUnknown(error)) {
      journal.dropAnswer(answerId)
      context.changes.notify('disputes', accountId, disputeId)
      throw error
    }
    journal.setAnswer(answerId, 'unknown', error.problem)
    context.changes.notify('disputes', accountId, disputeId)
    const answer = journal.answer(answerId)
    if (answer !== null)
      await settleAnswer(account, journal, answer, connection, 'person').catch(
        (reason: unknown) => {
          if (!(reason instanceof Failure)) throw reason
        },
      )
    if (journal.answer(answerId) !== null) throw unsettled()
    return
  }
  store.transaction(() => {
    journal.dropAnswer(answerId)
    journal.dropDraft(disputeId)
    store.setStale(disputeId)
  })
  // The answer was accepted; what can't be read now is read in the next sync pass.
  await refreshDispute(account, connection, disputeId, 'person').catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
  })
}

/** Settles an answer with an unknown outcome by the messages that the dispute has now. */
export async function settleAnswer(
  account: DisputeAccount,
  journal: DisputeJournal,
  answer: AnswerRecord,
  connection: DisputeConnection,
  priority: 'person' | 'watch',
  signal?: AbortSignal,
): Promise<void> {
  const { context, accountId, texts, store } = account
  const { answerId, disputeId } = answer
  const text = texts.open(accountId, textRecords.answer(answerId), answer.textSealed)
  if (text === null) return
  let there = false
  try {
    there = isAmong(
      (await refreshDispute(account, connection, disputeId, priority, signal)).messages,
      text,
      answer.messagesBefore,
    )
  } catch (error) {
    if (!(error instanceof Failure) || error.problem.code !== 'NOT_FOUND') throw error
  }
  if (there) {
    store.transaction(() => {
      journal.dropAnswer(answerId)
      const draft = journal.draft(disputeId)
      if (
        draft !== null &&
        texts.open(accountId, textRecords.draft(disputeId), draft.textSealed)?.trim() ===
          text.trim()
      )
        journal.dropDraft(disputeId)
    })
  } else if (context.clock.now() - answer.writtenAt >= IN_FLIGHT_MS)
    journal.setAnswer(answerId, 'refused', notSent)
  else journal.setAnswer(answerId, 'unknown', answer.problem)
  context.changes.notify('disputes', accountId, disputeId)
}
