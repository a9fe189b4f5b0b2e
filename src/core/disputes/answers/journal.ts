import type { Database } from 'better-sqlite3'
import type { Problem } from '../../../contract/base.ts'
import type { PendingAnswer } from '../../../contract/disputes/dispute-records.ts'
import type { ReplyOutcome } from '../../../contract/disputes/dispute-replies.ts'
import { readProblem } from '../../stored-problem.ts'
import { perDatabase } from '../../mirror/mirror.ts'

/**
 * An answer until its outcome is known. `messagesBefore`: number of messages on the service just
 * before it was sent.
 */
export type AnswerRecord = {
  answerId: string
  disputeId: string
  state: PendingAnswer['state']
  textSealed: Buffer
  messagesBefore: number
  problem: Problem | null
  writtenAt: number
}
/** A draft. `promise`: the outcome that the template promises in the text. */
export type DraftRecord = {
  textSealed: Buffer
  writtenAt: number
  outcome: ReplyOutcome
  promise: ReplyOutcome | null
}
type Row = Omit<AnswerRecord, 'problem'> & { problem: string | null }

const SELECT = `SELECT answer_id AS answerId, dispute_id AS disputeId, state, text_sealed AS textSealed,
  messages_before AS messagesBefore, problem, written_at AS writtenAt
  FROM dispute_answers`
const answerOf = (row: Row): AnswerRecord => ({
  ...row,
  problem: readProblem(row.problem),
})

/** Read marks, drafts and unsettled answers of this computer. */
export const disputeJournal = perDatabase(createDisputeJournal)
export type DisputeJournal = ReturnType<typeof createDisputeJournal>

function createDisputeJournal(db: Database) {
  const markRead =
    db.prepare(`INSERT INTO dispute_reads (dispute_id, messages, at) VALUES (:disputeId, :messages, :at)
    ON CONFLICT (dispute_id) DO UPDATE SET messages = max(messages, excluded.messages), at = excluded.at`)
  const putDraft = db.prepare(
    `INSERT OR REPLACE INTO dispute_drafts (dispute_id, text_sealed, written_at, outcome, promise)
      VALUES (:disputeId, :textSealed, :writtenAt, :outcome, :promise)`,
  )
  const dropDraft = db.prepare('DELETE FROM dispute_drafts WHERE dispute_id = :disputeId')
  const draft = db.prepare<{ disputeId: string }, DraftRecord>(
    `SELECT text_sealed AS textSealed, written_at AS writtenAt, outcome, promise FROM dispute_drafts
      WHERE dispute_id = :disputeId`,
  )
  const put =
    db.prepare(`INSERT INTO dispute_answers (answer_id, dispute_id, state, text_sealed, messages_before, written_at)
    VALUES (:answerId, :disputeId, 'sending', :textSealed, :messagesBefore, :writtenAt)`)
  const setState = db.prepare(
    'UPDATE dispute_answers SET state = :state, problem = :problem WHERE answer_id = :answerId',
  )
  const drop = db.prepare('DELETE FROM dispute_answers WHERE answer_id = :answerId')
  const one = db.prepare<{ answerId: string }, Row>(`${SELECT} WHERE answer_id = :answerId`)
  const of = db.prepare<{ disputeId: string }, Row>(
    `${SELECT} WHERE dispute_id = :disputeId ORDER BY written_at`,
  )
  const open = db.prepare<[], Row>(
    `${SELECT} WHERE state IN ('sending', 'unknown') ORDER BY written_at`,
  )

  return {
    markRead: (disputeId: string, messages: number, at: number): void =>
      void markRead.run({ disputeId, messages, at }),
    putDraft: (disputeId: string, record: DraftRecord): void =>
      void putDraft.run({ disputeId, ...record }),
    dropDraft: (disputeId: string): void => void dropDraft.run({ disputeId }),
    draft: (disputeId: string): DraftRecord | null => draft.get({ disputeId }) ?? null,
    putAnswer: (
      answer: Pick<
        AnswerRecord,
        'answerId' | 'disputeId' | 'textSealed' | 'messagesBefore' | 'writtenAt'
      >,
    ): void => void put.run(answer),
    setAnswer: (answerId: string, state: PendingAnswer['state'], problem: Problem | null): void =>
      void setState.run({
        answerId,
        state,
        problem: problem === null ? null : JSON.stringify(problem),
      }),
    dropAnswer: (answerId: string): void => void drop.run({ answerId }),
    answer(answerId: string): AnswerRecord | null {
      const row = one.get({ answerId })
      return row === undefined ? null : answerOf(row)
    },
    answersOf: (disputeId: string): AnswerRecord[] => of.all({ disputeId }).map(answerOf),
    /** Answers whose outcome isn't known. */
    openAnswers: (): AnswerRecord[] => open.all().map(answerOf),
  }
}
