import type { Problem } from '../../contract/base.ts'
import type { ServiceConnection } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import { isAmong } from './facts.ts'
import type { DisputeWithMessages } from './facts.ts'
import type { AnswerRecord, DisputeJournal } from './journal.ts'
import { textRecords } from './schema.ts'
import { takeDispute } from './taking.ts'
import type { DisputeDesk } from './taking.ts'

/** Whether the service may have done it. */
export const isUnknown = ({ certainty }: Failure): boolean => certainty === 'unknown'
/**
 * An answer that isn't among the messages may still be on its way; after so long, in milliseconds,
 * it is taken for not sent.
 */
const ON_ITS_WAY_MS = 20_000

export type Line = Pick<ServiceConnection, 'call'>

/** Reads a dispute into the mirror, with what it is at the service. Throws Failure. */
export async function lookAt(
  desk: DisputeDesk,
  line: Line,
  disputeId: string,
  priority: 'person' | 'watch',
  signal?: AbortSignal,
): Promise<DisputeWithMessages> {
  const dispute = await line.call(
    'getDispute',
    { params: { id: disputeId } },
    { priority, ...(signal && { signal }) },
  )
  if (takeDispute(desk, disputeId, dispute))
    desk.context.changes.notify('disputes', desk.accountId, disputeId)
  return dispute
}

const newMessages = (): Failure =>
  failure(
    'CHANGED_MEANWHILE',
    'Not sent: there are new messages since you wrote.',
    'Read them, then send your answer if it still fits.',
    { effect: 'Your text is kept.' },
  )
const resolved = (): Failure =>
  failure(
    'DISPUTE_RESOLVED',
    'Not sent: the dispute was resolved meanwhile and takes no more messages.',
    'Nothing is left to do.',
    { effect: 'Your text is kept.' },
  )
const unsettled = (): Failure =>
  failure(
    'ANSWER_LOST',
    'We don’t know yet whether your answer arrived.',
    'Keydesk looks for it among the messages as soon as the service answers, and never sends it twice.',
    { effect: 'No keys or money are involved.' },
  )
const notSent: Problem = failure(
  'NOT_SENT',
  'Not sent: the answer of the service was lost, and your text is not among the messages.',
  'Send it again if you still want to.',
).problem

/**
 * Answers the customer: the dispute is read, the answer written down with how many messages there
 * were, and sent once (the call takes no Idempotency-Key). A lost answer is looked for among the
 * messages after those. Throws Failure: `CHANGED_MEANWHILE`, `OFFLINE` (nothing was sent, nothing
 * kept), the service's refusal, or `ANSWER_LOST`, which {@link settleAnswer} ends later.
 */
export async function sendAnswer(
  desk: DisputeDesk,
  journal: DisputeJournal,
  disputeId: string,
  text: string,
  seen: number | null,
): Promise<void> {
  const { context, accountId, texts, store } = desk
  const line = context.connection(accountId)
  context.vault.assertUnlocked()
  if (journal.answersOf(disputeId).some(({ state }) => state !== 'refused')) {
    throw failure(
      'CONFLICT',
      'Not sent: an earlier answer is still on its way.',
      'Wait until it is known whether it arrived.',
      { effect: 'Your text is kept.' },
    )
  }
  const before = await lookAt(desk, line, disputeId, 'person')
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
    // Whatever becomes of it, the text is there to be sent again or given up.
    journal.putDraft(
      disputeId,
      texts.seal(accountId, textRecords.draft(disputeId), text),
      writtenAt,
    )
  })
  context.changes.notify('disputes', accountId, disputeId)
  try {
    await line.call(
      'answerDispute',
      { params: { id: disputeId }, body: { body: text } },
      { priority: 'person', once: true },
    )
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (!isUnknown(error)) {
      journal.dropAnswer(answerId)
      context.changes.notify('disputes', accountId, disputeId)
      throw error
    }
    journal.setAnswer(answerId, 'unknown', error.problem)
    context.changes.notify('disputes', accountId, disputeId)
    const answer = journal.answer(answerId)
    if (answer !== null)
      await settleAnswer(desk, journal, answer, line, 'person').catch((reason: unknown) => {
        if (!(reason instanceof Failure)) throw reason
      })
    if (journal.answer(answerId) !== null) throw unsettled()
    return
  }
  store.transaction(() => {
    journal.dropAnswer(answerId)
    journal.dropDraft(disputeId)
    store.setStale(disputeId)
  })
  // The answer stands; what can't be read now comes with the next look.
  await lookAt(desk, line, disputeId, 'person').catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
  })
}

/** Ends an answer whose outcome isn't known, by what stands among the messages now. */
export async function settleAnswer(
  desk: DisputeDesk,
  journal: DisputeJournal,
  answer: AnswerRecord,
  line: Line,
  priority: 'person' | 'watch',
  signal?: AbortSignal,
): Promise<void> {
  const { context, accountId, texts, store } = desk
  const { answerId, disputeId } = answer
  const text = texts.open(accountId, textRecords.answer(answerId), answer.textSealed)
  if (text === null) return
  let there = false
  try {
    there = isAmong(
      (await lookAt(desk, line, disputeId, priority, signal)).messages,
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
  } else if (context.clock.now() - answer.writtenAt >= ON_ITS_WAY_MS)
    journal.setAnswer(answerId, 'refused', notSent)
  else journal.setAnswer(answerId, 'unknown', answer.problem)
  context.changes.notify('disputes', accountId, disputeId)
}
