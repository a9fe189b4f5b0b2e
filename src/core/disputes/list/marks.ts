import type { Database } from 'better-sqlite3'
import { perDatabase } from '../../mirror/mirror.ts'

/** A person's notes on a dispute, stored only on this computer. */
export type Marks = {
  snoozeUntil?: number | null | undefined
  mine?: boolean | undefined
  done?: boolean | undefined
  unread?: boolean | undefined
}
/** State of a dispute when it was snoozed or marked done: anything newer brings it back. */
export type Seen = { messages: number | null; status: string }

/** Notes on disputes that aren't sent to the service. */
export const disputeMarks = perDatabase(createMarks)

function createMarks(db: Database) {
  const begin = db.prepare('INSERT OR IGNORE INTO dispute_marks (dispute_id) VALUES (:disputeId)')
  const snooze = db.prepare(
    'UPDATE dispute_marks SET snoozed_until = :until, snoozed_messages = :messages WHERE dispute_id = :disputeId',
  )
  const done = db.prepare(
    'UPDATE dispute_marks SET done_messages = :messages, done_status = :status WHERE dispute_id = :disputeId',
  )
  const mine = db.prepare('UPDATE dispute_marks SET mine = :mine WHERE dispute_id = :disputeId')
  const unread = db.prepare(
    'UPDATE dispute_marks SET unread = :unread WHERE dispute_id = :disputeId',
  )
  const told = db.prepare(
    'INSERT OR IGNORE INTO dispute_told (dispute_id, what, at) VALUES (:disputeId, :what, :at)',
  )
  return {
    mark(disputeId: string, marks: Marks, seen: Seen): void {
      db.transaction(() => {
        begin.run({ disputeId })
        if (marks.snoozeUntil !== undefined)
          snooze.run({
            disputeId,
            until: marks.snoozeUntil,
            messages: marks.snoozeUntil === null ? null : (seen.messages ?? 0),
          })
        if (marks.done !== undefined)
          done.run({
            disputeId,
            messages: marks.done ? (seen.messages ?? 0) : null,
            status: marks.done ? seen.status : null,
          })
        if (marks.mine !== undefined) mine.run({ disputeId, mine: Number(marks.mine) })
        if (marks.unread !== undefined) unread.run({ disputeId, unread: Number(marks.unread) })
      })()
    },
    /** Records that a person was notified; false if that was recorded before. */
    recordAlert: (disputeId: string, what: string, at: number): boolean =>
      told.run({ disputeId, what, at }).changes === 1,
  }
}
