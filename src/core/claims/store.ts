import type { Database } from 'better-sqlite3'
import type { Problem } from '../../contract/base.ts'
import type { Claim } from '../../contract/claims.ts'
import { readProblem } from '../stored-problem.ts'

export type ClaimRecord = {
  claimId: string
  orderId: string
  keyId: string
  state: Claim['state']
  message: Buffer
  screenshot: { contentType: string; bytes: number } | null
  problem: Problem | null
  writtenAt: number
  sentAt: number | null
  disputeId: string | null
  status: string | null
  escalatesAt: number | null
  outcome: Claim['outcome']
  settledAt: number | null
  newKeyId: string | null
}
export type DisputeState = Pick<
  ClaimRecord,
  'disputeId' | 'status' | 'escalatesAt' | 'outcome' | 'settledAt'
>

type Row = {
  claim_id: string
  order_id: string
  key_id: string
  state: Claim['state']
  message_sealed: Buffer
  screenshot_type: string | null
  screenshot_bytes: number | null
  problem: string | null
  written_at: number
  sent_at: number | null
  dispute_id: string | null
  status: string | null
  escalates_at: number | null
  outcome: Claim['outcome']
  settled_at: number | null
  new_key_id: string | null
}
const columns = `claim_id, order_id, key_id, state, message_sealed, screenshot_type,
    screenshot_bytes, problem, written_at, sent_at, dispute_id, status, escalates_at, outcome,
    settled_at, new_key_id`

/** The claims of one account. */
export function createClaimStore(db: Database) {
  const all = db.prepare<[], Row>(
    `SELECT ${columns} FROM claims ORDER BY written_at DESC, claim_id`,
  )
  const one = db.prepare<{ claimId: string }, Row>(
    `SELECT ${columns} FROM claims WHERE claim_id = :claimId`,
  )
  const ofKey = db.prepare<{ keyId: string }, Row>(
    `SELECT ${columns} FROM claims WHERE key_id = :keyId`,
  )
  const write = db.prepare(
    `INSERT INTO claims (claim_id, order_id, key_id, state, message_sealed, written_at)
        VALUES (:claimId, :orderId, :keyId, 'draft', :message, :at)`,
  )
  const text = db.prepare(
    "UPDATE claims SET message_sealed = :message, state = 'draft', problem = NULL WHERE claim_id = :claimId",
  )
  const picture = db.prepare(
    `UPDATE claims SET screenshot_sealed = :sealed, screenshot_type = :contentType,
        screenshot_bytes = :bytes WHERE claim_id = :claimId`,
  )
  const screenshot = db.prepare<
    { claimId: string },
    { sealed: Buffer | null; type: string | null }
  >(
    'SELECT screenshot_sealed AS sealed, screenshot_type AS type FROM claims WHERE claim_id = :claimId',
  )
  const drop = db.prepare(
    "DELETE FROM claims WHERE claim_id = :claimId AND state IN ('draft', 'refused')",
  )
  const become = db.prepare(
    `UPDATE claims SET state = :state, problem = :problem, sent_at = coalesce(:sentAt, sent_at)
        WHERE claim_id = :claimId`,
  )
  const follow = db.prepare(
    `UPDATE claims SET state = 'filed', problem = NULL, dispute_id = :disputeId, status = :status,
        escalates_at = :escalatesAt, outcome = :outcome, settled_at = :settledAt
        WHERE claim_id = :claimId`,
  )
  const outcome = db.prepare(
    'UPDATE claims SET outcome = :outcome, settled_at = :at WHERE claim_id = :claimId',
  )
  const newKey = db.prepare('UPDATE claims SET new_key_id = :newKeyId WHERE claim_id = :claimId')
  const labels = db.prepare<
    [],
    { key_id: string; state: Claim['state']; outcome: Claim['outcome'] }
  >('SELECT key_id, state, outcome FROM claims')

  return {
    transaction: <Result>(work: () => Result): Result => db.transaction(work)(),
    all: (): ClaimRecord[] => all.all().map(toRecord),
    one: (claimId: string): ClaimRecord | null => toRecordOrNull(one.get({ claimId })),
    ofKey: (keyId: string): ClaimRecord | null => toRecordOrNull(ofKey.get({ keyId })),
    labels: (): Map<string, string> =>
      new Map(labels.all().map((row) => [row.key_id, row.outcome ?? row.state])),
    write: (claim: {
      claimId: string
      orderId: string
      keyId: string
      message: Buffer
      at: number
    }): void => void write.run(claim),
    setMessage: (claimId: string, message: Buffer): void => void text.run({ claimId, message }),
    setScreenshot: (
      claimId: string,
      given: { sealed: Buffer; contentType: string; bytes: number } | null,
    ): void =>
      void picture.run({
        claimId,
        sealed: given?.sealed ?? null,
        contentType: given?.contentType ?? null,
        bytes: given?.bytes ?? null,
      }),
    screenshot(claimId: string): { sealed: Buffer; contentType: string } | null {
      const row = screenshot.get({ claimId })
      return row === undefined || row.sealed === null || row.type === null
        ? null
        : { sealed: row.sealed, contentType: row.type }
    },
    drop: (claimId: string): void => void drop.run({ claimId }),
    become: (
      claimId: string,
      state: Claim['state'],
      problem: Problem | null,
      sentAt: number | null,
    ): void =>
      void become.run({
        claimId,
        state,
        problem: problem === null ? null : JSON.stringify(problem),
        sentAt,
      }),
    follow: (claimId: string, found: DisputeState): void => void follow.run({ claimId, ...found }),
    setOutcome: (claimId: string, to: Claim['outcome'], at: number | null): void =>
      void outcome.run({ claimId, outcome: to, at }),
    setNewKey: (claimId: string, newKeyId: string): void => void newKey.run({ claimId, newKeyId }),
  }
}
export type ClaimStore = ReturnType<typeof createClaimStore>

const toRecordOrNull = (row: Row | undefined): ClaimRecord | null =>
  row === undefined ? null : toRecord(row)

const toRecord = (row: Row): ClaimRecord => ({
  claimId: row.claim_id,
  orderId: row.order_id,
  keyId: row.key_id,
  state: row.state,
  message: row.message_sealed,
  screenshot:
    row.screenshot_type === null
      ? null
      : { contentType: row.screenshot_type, bytes: row.screenshot_bytes ?? 0 },
  problem: readProblem(row.problem),
  writtenAt: row.written_at,
  sentAt: row.sent_at,
  disputeId: row.dispute_id,
  status: row.status,
  escalatesAt: row.escalates_at,
  outcome: row.outcome,
  settledAt: row.settled_at,
  newKeyId: row.new_key_id,
})
