import type { Database } from 'better-sqlite3'
import type { Problem } from '../../../contract/base.ts'
import type { DisputeAction } from '../../../contract/disputes/dispute-records.ts'
import type { DisputeActionKind } from '../../../contract/disputes/dispute-replies.ts'
import { readProblem } from '../../stored-problem.ts'
import { perDatabase } from '../../mirror/mirror.ts'

/**
 * A replacement or refund. `keySealed`: a typed key, stored until it is known that it was sent. Its
 * fingerprint stays, and `hintSealed`, the masked form that can be shown.
 */
export type ActionRecord = {
  actionId: string
  disputeId: string
  kind: DisputeActionKind
  state: DisputeAction['state']
  idempotencyKey: string
  productId: string | null
  keySealed: Buffer | null
  keyFingerprint: Buffer | null
  hintSealed: Buffer | null
  problem: Problem | null
  writtenAt: number
  settledAt: number | null
}
type Row = Omit<ActionRecord, 'problem'> & { problem: string | null }

const SELECT = `SELECT action_id AS actionId, dispute_id AS disputeId, kind, state,
  idempotency_key AS idempotencyKey, product_id AS productId, key_sealed AS keySealed,
  key_fingerprint AS keyFingerprint, hint_sealed AS hintSealed, problem, written_at AS writtenAt,
    settled_at AS settledAt FROM dispute_actions`
const actionOf = (row: Row): ActionRecord => ({
  ...row,
  problem: readProblem(row.problem),
})

/** Replacements and refunds sent from this computer, kept also after their outcome is known. */
export const actionJournal = perDatabase(createActionJournal)
export type ActionJournal = ReturnType<typeof createActionJournal>

function createActionJournal(db: Database) {
  const put =
    db.prepare(`INSERT INTO dispute_actions (action_id, dispute_id, kind, state, idempotency_key,
      product_id, key_sealed, key_fingerprint, hint_sealed, written_at)
    VALUES (:actionId, :disputeId, :kind, 'sending', :idempotencyKey, :productId, :keySealed,
      :keyFingerprint, :hintSealed, :writtenAt)`)
  const dropRefused = db.prepare(
    "DELETE FROM dispute_actions WHERE dispute_id = :disputeId AND state = 'refused'",
  )
  const keep = db.prepare(
    'UPDATE dispute_actions SET state = :state, problem = :problem WHERE action_id = :actionId',
  )
  // An unsent key stays unused: store neither the key nor its fingerprint.
  const refuse = db.prepare(
    `UPDATE dispute_actions SET state = 'refused', problem = :problem, key_sealed = NULL,
      key_fingerprint = NULL, hint_sealed = NULL, settled_at = :at WHERE action_id = :actionId`,
  )
  const done = db.prepare(
    `UPDATE dispute_actions SET state = 'done', problem = NULL, key_sealed = NULL, settled_at = :at
      WHERE action_id = :actionId`,
  )
  const drop = db.prepare(
    "DELETE FROM dispute_actions WHERE action_id = :actionId AND state = 'refused'",
  )
  const one = db.prepare<{ actionId: string }, Row>(`${SELECT} WHERE action_id = :actionId`)
  const of = db.prepare<{ disputeId: string }, Row>(
    `${SELECT} WHERE dispute_id = :disputeId ORDER BY written_at, action_id`,
  )
  const open = db.prepare<[], Row>(
    `${SELECT} WHERE state IN ('sending', 'unknown') ORDER BY written_at`,
  )
  const sent = db
    .prepare<{ fingerprint: Buffer }, string | null>(
      "SELECT product_id FROM dispute_actions WHERE key_fingerprint = :fingerprint AND state <> 'refused'",
    )
    .pluck()
  const typed = db.prepare<{ fingerprint: Buffer }, Row>(
    `${SELECT} WHERE key_fingerprint = :fingerprint AND state <> 'refused' AND hint_sealed IS NOT NULL
      ORDER BY written_at DESC LIMIT 1`,
  )
  const textOf = (problem: Problem | null): string | null =>
    problem === null ? null : JSON.stringify(problem)

  return {
    /** Replaces rejected actions of the same dispute. */
    put: (action: Omit<ActionRecord, 'state' | 'problem' | 'settledAt'>): void =>
      db.transaction(() => {
        dropRefused.run({ disputeId: action.disputeId })
        put.run(action)
      })(),
    setUnknown: (actionId: string, problem: Problem | null): void =>
      void keep.run({ actionId, state: 'unknown', problem: textOf(problem) }),
    setRefused: (actionId: string, problem: Problem, at: number): void =>
      void refuse.run({ actionId, problem: textOf(problem), at }),
    setDone: (actionId: string, at: number): void => void done.run({ actionId, at }),
    dismiss: (actionId: string): void => void drop.run({ actionId }),
    find(actionId: string): ActionRecord | null {
      const row = one.get({ actionId })
      return row === undefined ? null : actionOf(row)
    },
    of: (disputeId: string): ActionRecord[] => of.all({ disputeId }).map(actionOf),
    /** Actions whose outcome isn't known. */
    open: (): ActionRecord[] => open.all().map(actionOf),
    /** The sealed hint of a key that was typed here; null if no such key has this fingerprint. */
    hintFor(fingerprint: Buffer): Pick<ActionRecord, 'actionId' | 'hintSealed'> | null {
      const row = typed.get({ fingerprint })
      return row === undefined ? null : actionOf(row)
    },
    /**
     * Products for which a key with this fingerprint was or is being sent as a replacement; null
     * for an unknown product.
     */
    sentFor: (fingerprint: Buffer): (string | null)[] => sent.all({ fingerprint }),
  }
}
