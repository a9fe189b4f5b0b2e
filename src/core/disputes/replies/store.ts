import type { Monotonic } from '../../clock.ts'
import type { Database } from 'better-sqlite3'
import type { Problem } from '../../../contract/base.ts'
import type {
  DisputeReply,
  DisputeSeen,
  ReplyOutcome,
} from '../../../contract/disputes/dispute-replies.ts'
import { readProblem } from '../../stored-problem.ts'
import { perDatabase } from '../../mirror/mirror.ts'

/**
 * An answer with its action, from the time a person sends it. Its id is also the id of its entries
 * in the journals of answers and of actions, which say what became of either part. `seenMessages`
 * includes the answer once that is sent. `problem`: why it failed; while a retry is held or sent, why
 * it failed before.
 */
export type ReplyRecord = {
  replyId: string
  disputeId: string
  bulkId: string | null
  outcome: ReplyOutcome
  state: DisputeReply['state']
  answered: boolean
  textSealed: Buffer | null
  keySealed: Buffer | null
  promise: ReplyOutcome | null
  seenStatus: string
  seenMessages: number | null
  /** A person dismissed the failed reply, or sent another one to its dispute. */
  dismissed: boolean
  /** A reading of this run; `holdAgain` replaces those of an earlier run. */
  dueAt: Monotonic
  writtenAt: number
  problem: Problem | null
}
type Row = Omit<ReplyRecord, 'answered' | 'dismissed' | 'problem'> & {
  answered: number
  dismissed: number
  problem: string | null
}
export type NewReply = Omit<ReplyRecord, 'state' | 'answered' | 'dismissed' | 'problem'>
export type BulkRecord = { bulkId: string; outcome: ReplyOutcome; writtenAt: number }

/** Results of this many bulk replies are kept. */
const KEPT_BULKS = 20

const SELECT = `SELECT reply_id AS replyId, dispute_id AS disputeId, bulk_id AS bulkId, outcome, state,
  answered, text_sealed AS textSealed, key_sealed AS keySealed, promise, seen_status AS seenStatus,
  seen_messages AS seenMessages, dismissed, due_at AS dueAt, written_at AS writtenAt, problem FROM dispute_replies`
const recordOf = (row: Row): ReplyRecord => ({
  ...row,
  answered: row.answered === 1,
  dismissed: row.dismissed === 1,
  problem: readProblem(row.problem),
})

/** The replies of one account that aren't complete, and the results of its latest bulk replies. */
export const replyStore = perDatabase(createReplyStore)
export type ReplyStore = ReturnType<typeof createReplyStore>

function createReplyStore(db: Database) {
  const put =
    db.prepare(`INSERT INTO dispute_replies (reply_id, dispute_id, bulk_id, outcome, state,
      text_sealed, key_sealed, promise, seen_status, seen_messages, due_at, written_at)
    VALUES (:replyId, :disputeId, :bulkId, :outcome, 'held', :textSealed, :keySealed, :promise,
      :seenStatus, :seenMessages, :dueAt, :writtenAt)`)
  const one = db.prepare<{ replyId: string }, Row>(`${SELECT} WHERE reply_id = :replyId`)
  const of = db.prepare<{ disputeId: string }, Row>(
    `${SELECT} WHERE dispute_id = :disputeId AND state <> 'done' AND dismissed = 0 ORDER BY written_at, reply_id`,
  )
  const open = db.prepare<[], Row>(
    `${SELECT} WHERE state IN ('held', 'sending') ORDER BY due_at, written_at, reply_id`,
  )
  const begin = db.prepare(
    "UPDATE dispute_replies SET state = 'sending' WHERE reply_id = :replyId AND state IN ('held', 'sending')",
  )
  const hold = db.prepare(
    `UPDATE dispute_replies SET state = 'held', due_at = :dueAt WHERE reply_id = :replyId`,
  )
  const holdAgain = db.prepare("UPDATE dispute_replies SET due_at = :dueAt WHERE state = 'held'")
  const setDue = db.prepare(
    "UPDATE dispute_replies SET due_at = :dueAt WHERE reply_id = :replyId AND state = 'held'",
  )
  const answered = db.prepare(
    'UPDATE dispute_replies SET answered = 1, seen_messages = :messages WHERE reply_id = :replyId',
  )
  const done = db.prepare(
    `UPDATE dispute_replies SET state = 'done', text_sealed = NULL, key_sealed = NULL, problem = NULL
      WHERE reply_id = :replyId AND bulk_id IS NOT NULL`,
  )
  const fail = db.prepare(
    "UPDATE dispute_replies SET state = 'failed', problem = :problem WHERE reply_id = :replyId",
  )
  const retry = db.prepare(
    `UPDATE dispute_replies SET state = 'held', due_at = :dueAt, seen_status = :status,
      seen_messages = :messages WHERE reply_id = :replyId AND state = 'failed' AND dismissed = 0`,
  )
  const undoRetry = db.prepare(
    "UPDATE dispute_replies SET state = 'failed' WHERE reply_id = :replyId AND state = 'held'",
  )
  const drop = db.prepare('DELETE FROM dispute_replies WHERE reply_id = :replyId')
  const dropFailed = db.prepare(
    "DELETE FROM dispute_replies WHERE dispute_id = :disputeId AND state = 'failed' AND bulk_id IS NULL",
  )
  const dismiss = db.prepare(
    `UPDATE dispute_replies SET dismissed = 1 WHERE dispute_id = :disputeId AND state = 'failed'`,
  )
  function hideFailed(disputeId: string): void {
    dropFailed.run({ disputeId })
    dismiss.run({ disputeId })
  }

  return {
    transaction: <Result>(work: () => Result): Result => db.transaction(work)(),
    /** Replaces failed replies to the same dispute. */
    put: (reply: NewReply): void =>
      db.transaction(() => {
        hideFailed(reply.disputeId)
        put.run(reply)
      })(),
    find(replyId: string): ReplyRecord | null {
      const row = one.get({ replyId })
      return row === undefined ? null : recordOf(row)
    },
    /** The replies to a dispute that aren't complete. */
    of: (disputeId: string): ReplyRecord[] => of.all({ disputeId }).map(recordOf),
    /** Held replies and those being sent, in the order in which they are due. */
    open: (): ReplyRecord[] => open.all().map(recordOf),
    /** Starts sending; false if the reply was undone. */
    begin: (replyId: string): boolean => begin.run({ replyId }).changes === 1,
    hold: (replyId: string, dueAt: Monotonic): void => void hold.run({ replyId, dueAt }),
    /** Gives people time to undo what an earlier run of Keydesk held. */
    holdAgain: (dueAt: Monotonic): void => void holdAgain.run({ dueAt }),
    setDue: (replyId: string, dueAt: Monotonic): void => void setDue.run({ replyId, dueAt }),
    /** Records that the answer was sent; false if no reply has this id. */
    setAnswered: (replyId: string, messages: number): boolean =>
      answered.run({ replyId, messages }).changes === 1,
    /** A single reply is forgotten; one of a bulk keeps its result. */
    setDone(replyId: string): void {
      if (done.run({ replyId }).changes === 0) drop.run({ replyId })
    },
    setFailed: (replyId: string, problem: Problem): void =>
      void fail.run({ replyId, problem: JSON.stringify(problem) }),
    /** Keeps the problem, which an undo shows again. */
    retry: (replyId: string, { status, messages }: DisputeSeen, dueAt: Monotonic): void =>
      void retry.run({ replyId, status, messages, dueAt }),
    /** Fails a retried reply again, with its earlier problem. */
    undoRetry: (replyId: string): void => void undoRetry.run({ replyId }),
    drop: (replyId: string): void => void drop.run({ replyId }),
    /** Hides failed replies to a dispute; those of a bulk stay among its results. */
    dismiss: (disputeId: string): void => db.transaction(() => hideFailed(disputeId))(),
    ...createBulkReplies(db),
  }
}

/** The results of bulk replies; those of the latest are kept. */
function createBulkReplies(db: Database) {
  const ofBulk = db.prepare<{ bulkId: string }, Row>(
    `${SELECT} WHERE bulk_id = :bulkId ORDER BY written_at, reply_id`,
  )
  const putBulk = db.prepare(
    'INSERT INTO dispute_bulks (bulk_id, outcome, written_at) VALUES (:bulkId, :outcome, :writtenAt)',
  )
  const bulks = db.prepare<[], BulkRecord>(
    `SELECT bulk_id AS bulkId, outcome, written_at AS writtenAt FROM dispute_bulks
      ORDER BY written_at DESC, bulk_id`,
  )
  const dropBulk = db.prepare('DELETE FROM dispute_bulks WHERE bulk_id = :bulkId')
  const dropBulkLines = db.prepare('DELETE FROM dispute_replies WHERE bulk_id = :bulkId')

  return {
    putBulk: (bulk: BulkRecord): void =>
      db.transaction(() => {
        putBulk.run(bulk)
        for (const { bulkId } of bulks.all().slice(KEPT_BULKS)) {
          if (ofBulk.all({ bulkId }).some(({ state }) => state === 'held' || state === 'sending'))
            continue
          dropBulkLines.run({ bulkId })
          dropBulk.run({ bulkId })
        }
      })(),
    /** Newest first. */
    bulks: (): BulkRecord[] => bulks.all(),
    ofBulk: (bulkId: string): ReplyRecord[] => ofBulk.all({ bulkId }).map(recordOf),
  }
}
