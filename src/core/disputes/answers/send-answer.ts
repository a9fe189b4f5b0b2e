import { createHash } from 'node:crypto'
import type { ServiceConnection } from '../../context.ts'
import { Failure, failure } from '../../failure.ts'
import { resultOf, sendJournaled } from '../../journaled-send/journaled-send.ts'
import type { SendOutcome, Settled } from '../../journaled-send/journaled-send.ts'
import { isAmong } from '../sync/facts.ts'
import type { DisputeWithMessages } from '../sync/facts.ts'
import { assertNoAnswer } from './in-progress.ts'
import type { AnswerRecord, DisputeJournal } from './journal.ts'
import { recordOwnAnswer } from './own-answers.ts'
import { replyStore } from '../replies/store.ts'
import { textRecords } from '../schema.ts'
import { writeDispute } from '../sync/write-disputes.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'

export type DisputeConnection = Pick<ServiceConnection, 'call'>

/**
 * Reads a dispute from the service into the mirror and returns it. Throws Failure.
 *
 * @param quick see `CallOptions`
 */
export async function refreshDispute(
  account: DisputeAccount,
  connection: DisputeConnection,
  disputeId: string,
  priority: 'person' | 'watch',
  signal?: AbortSignal,
  quick = false,
): Promise<DisputeWithMessages> {
  const dispute = await connection.call(
    'getDispute',
    { params: { id: disputeId } },
    { priority, quick, ...(signal && { signal }) },
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
export const unsettled = (): Failure =>
  failure(
    'ANSWER_LOST',
    'It isn’t known whether your answer arrived.',
    'Keydesk checks the messages as soon as the service responds, and never sends your answer twice.',
    { effect: 'No keys or money are involved.' },
  )
const notSent = (): Failure =>
  failure(
    'NOT_SENT',
    'Not sent: the service didn’t respond, and your text isn’t among the messages.',
    'Send it again if you still want to.',
  )

type SentAnswer = Pick<AnswerRecord, 'answerId' | 'disputeId' | 'messagesBefore' | 'writtenAt'> & {
  text: string
}

/**
 * The text to send. `replyId`: it belongs to a reply, which keeps the text and is marked as answered
 * in the transaction that settles the answer. `quick`: it can be queued instead.
 */
export type WrittenAnswer = {
  disputeId: string
  text: string
  seen: number | null
  replyId?: string
  quick?: boolean
}

/** The Idempotency-Key of an answer: the same for each try of the same text. */
export const answerKey = (answerId: string, text: string): string =>
  createHash('sha256').update(`${answerId}\n${text}`).digest('hex')

/**
 * Answers the customer. Keydesk reads the dispute, journals the answer with the current number of
 * messages, and sends it once, with an Idempotency-Key where the service accepts them: a network can
 * deliver one request twice. If the response is lost, it searches the messages after that number.
 * Throws Failure: `CHANGED_MEANWHILE`, `OFFLINE` (nothing was sent or stored), the service's
 * rejection, or `ANSWER_LOST`, which {@link settleAnswer} settles later.
 */
export async function sendAnswer(
  account: DisputeAccount,
  journal: DisputeJournal,
  { disputeId, text, seen, replyId, quick }: WrittenAnswer,
): Promise<void> {
  const { context, accountId } = account
  const connection = context.connection(accountId)
  context.vault.assertUnlocked()
  assertNoAnswer(account, disputeId)
  const before = await refreshDispute(account, connection, disputeId, 'person', undefined, quick)
  if (before.status === 'resolved') throw resolved()
  if (seen !== null && before.messages.length > seen) throw newMessages()

  const answer: SentAnswer = {
    answerId: replyId ?? context.random.id(),
    disputeId,
    messagesBefore: before.messages.length,
    writtenAt: context.clock.now(),
    text,
  }
  const outcome = await sendJournaled<void>({
    write: () => writeAnswer(account, journal, answer, replyId === undefined),
    send: async () => {
      await connection.call(
        'answerDispute',
        { params: { id: disputeId }, body: { body: text } },
        {
          priority: 'person',
          once: true,
          ...(context.accounts.acceptsIdempotencyKeys(accountId) && {
            idempotencyKey: answerKey(answer.answerId, text),
          }),
        },
      )
    },
    lookUp: () => findAnswer(account, answer, connection, 'person'),
    settle: (settled) => recordAnswer(account, journal, answer, settled),
  })
  if (outcome.state === 'unknown' || (outcome.state !== 'done' && outcome.by === 'lookup'))
    throw unsettled()
  resultOf(outcome)
  if (outcome.by === 'lookup') return
  // The answer was accepted; what can't be read now is read in the next sync pass.
  await refreshDispute(account, connection, disputeId, 'person').catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
  })
}

function writeAnswer(
  { context, accountId, texts, store }: DisputeAccount,
  journal: DisputeJournal,
  { text, ...answer }: SentAnswer,
  saveAsDraft: boolean,
): void {
  const { answerId, disputeId, writtenAt } = answer
  store.transaction(() => {
    for (const refused of journal.answersOf(disputeId)) journal.dropAnswer(refused.answerId)
    journal.putAnswer({
      ...answer,
      textSealed: texts.seal(accountId, textRecords.answer(answerId), text),
    })
    // Whatever the outcome, the text stays available to be sent again or discarded.
    if (saveAsDraft)
      journal.putDraft(disputeId, {
        textSealed: texts.seal(accountId, textRecords.draft(disputeId), text),
        writtenAt,
        outcome: 'reply',
        promise: null,
      })
  })
  context.changes.notify('disputes', accountId, disputeId)
}

/** The id of an answer for {@link DisputeAccount.flights}: the action of its reply has the same id. */
const flightOf = (answerId: string): string => `answer ${answerId}`

/** Looks for the answer among the messages that the dispute has now. */
async function findAnswer(
  account: DisputeAccount,
  { answerId, disputeId, messagesBefore, text }: SentAnswer,
  connection: DisputeConnection,
  priority: 'person' | 'watch',
  signal?: AbortSignal,
): Promise<SendOutcome<void> | null> {
  const flight = flightOf(answerId)
  account.flights.meet(flight)
  // Asked before reading: an answer that landed during the reading can be missing in it.
  const isFlying = account.flights.isFlying(flight)
  let isThere = false
  try {
    const { messages } = await refreshDispute(account, connection, disputeId, priority, signal)
    isThere = isAmong(messages, text, messagesBefore)
  } catch (error) {
    if (!(error instanceof Failure) || error.problem.code !== 'NOT_FOUND') throw error
  }
  if (isThere) return { state: 'done', result: undefined }
  return isFlying ? null : { state: 'not-done', failure: notSent() }
}

function recordAnswer(
  account: DisputeAccount,
  journal: DisputeJournal,
  answer: SentAnswer,
  outcome: Settled<void>,
): void {
  const { context, accountId, store } = account
  const { answerId, disputeId } = answer
  if (outcome.state === 'done') {
    store.transaction(() => {
      journal.dropAnswer(answerId)
      recordOwnAnswer(account, disputeId, answer.text)
      const isReply = replyStore(store.db).setAnswered(answerId, answer.messagesBefore + 1)
      if (outcome.by === 'response') store.setStale(disputeId)
      if (isReply) return
      if (outcome.by === 'lookup') dropSentDraft(account, journal, answer)
      else journal.dropDraft(disputeId)
    })
    // A response is followed by reading the dispute, which reports the change.
    if (outcome.by === 'response') return
  } else if (outcome.state === 'unknown') {
    account.flights.note(flightOf(answerId))
    journal.setAnswer(answerId, 'unknown', outcome.failure.problem)
  } else if (outcome.by === 'lookup')
    journal.setAnswer(answerId, 'refused', outcome.failure.problem)
  // The caller gets the failure.
  else journal.dropAnswer(answerId)
  context.changes.notify('disputes', accountId, disputeId)
}

/** Drops the draft unless it was changed since the answer was sent. */
function dropSentDraft(
  { accountId, texts }: DisputeAccount,
  journal: DisputeJournal,
  { disputeId, text }: SentAnswer,
): void {
  const draft = journal.draft(disputeId)
  if (draft === null) return
  const draftText = texts.open(accountId, textRecords.draft(disputeId), draft.textSealed)
  if (draftText?.trim() === text.trim()) journal.dropDraft(disputeId)
}

/** Settles an answer with an unknown outcome by the messages that the dispute has now. */
export async function settleAnswer(
  account: DisputeAccount,
  journal: DisputeJournal,
  stored: AnswerRecord,
  connection: DisputeConnection,
  priority: 'person' | 'watch',
  signal?: AbortSignal,
): Promise<void> {
  const { context, accountId, texts } = account
  const { answerId, disputeId } = stored
  const text = texts.open(accountId, textRecords.answer(answerId), stored.textSealed)
  if (text === null) return
  const answer = { ...stored, text }
  const found = await findAnswer(account, answer, connection, priority, signal)
  if (found !== null) return recordAnswer(account, journal, answer, { ...found, by: 'lookup' })
  journal.setAnswer(answerId, 'unknown', stored.problem)
  context.changes.notify('disputes', accountId, disputeId)
}
