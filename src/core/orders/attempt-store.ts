import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'
import type { Problem } from '../../contract/base.ts'
import type { OrderAttempt } from '../../contract/order-records.ts'
import { readProblem } from '../stored-problem.ts'

export type AttemptRecord = {
  attemptId: string
  externalId: string
  idempotencyKey: string
  lines: OrderAttempt['lines']
  waitSeconds: number
  atMostCents: Cents
  chargedCents: Cents | null
  state: OrderAttempt['state']
  orderId: string | null
  problem: Problem | null
  writtenAt: number
  settledAt: number | null
}

type AttemptRow = {
  attempt_id: string
  external_id: string
  idempotency_key: string
  lines: string
  wait_seconds: number
  at_most_cents: Cents
  charged_cents: Cents | null
  state: OrderAttempt['state']
  order_id: string | null
  problem: string | null
  written_at: number
  settled_at: number | null
}
const selectAttempt =
  'SELECT a.*, (SELECT total_cents FROM orders o WHERE o.order_id = a.order_id) AS charged_cents FROM order_attempts a'

/** The attempts to place an order, each written before it is sent. */
export function createAttemptStore(db: Database) {
  const writeAttempt =
    db.prepare(`INSERT INTO order_attempts (attempt_id, external_id, idempotency_key, lines,
        wait_seconds, at_most_cents, state, written_at)
    VALUES (:attemptId, :externalId, :idempotencyKey, :lines, :waitSeconds, :atMostCents, 'sending', :writtenAt)`)
  const settleAttempt =
    db.prepare(`UPDATE order_attempts SET state = :state, order_id = :orderId, problem = :problem,
        settled_at = :settledAt
    WHERE attempt_id = :attemptId AND state IN ('sending', 'unknown')`)
  const attempt = db.prepare<{ attemptId: string }, AttemptRow>(
    `${selectAttempt} WHERE attempt_id = :attemptId`,
  )
  const attemptOf = db.prepare<{ orderId: string }, AttemptRow>(
    `${selectAttempt} WHERE a.order_id = :orderId ORDER BY written_at LIMIT 1`,
  )
  const recentAttempts = db.prepare<
    [],
    AttemptRow
  >(`${selectAttempt} WHERE state IN ('sending', 'unknown')
    OR attempt_id IN (SELECT attempt_id FROM order_attempts ORDER BY written_at DESC LIMIT 200)
    ORDER BY written_at DESC`)
  const openAttempts = db.prepare<[], AttemptRow>(
    `${selectAttempt} WHERE state IN ('sending', 'unknown') ORDER BY written_at`,
  )
  // The service lets a rejected reference be used again, unless another order has it. A sync may
  // never find that order: it can be one of the other mode.
  const usedExternalId = db.prepare<
    { externalId: string },
    { found: number }
  >(`SELECT EXISTS (SELECT 1 FROM orders WHERE external_id = :externalId)
    OR EXISTS (SELECT 1 FROM order_attempts WHERE external_id = :externalId AND (state <> 'refused'
      OR CASE WHEN json_valid(problem) THEN problem ->> '$.code' END = 'DUPLICATE_EXTERNAL_ID'))
    OR EXISTS (SELECT 1 FROM order_bulk_orders WHERE external_id = :externalId AND state = 'waiting') AS found`)

  return {
    writeAttempt: (record: AttemptRecord): void =>
      void writeAttempt.run({ ...record, lines: JSON.stringify(record.lines) }),
    settleAttempt(
      attemptId: string,
      end: Pick<AttemptRecord, 'state' | 'orderId' | 'problem' | 'settledAt'>,
    ): void {
      settleAttempt.run({
        attemptId,
        state: end.state,
        orderId: end.orderId,
        problem: end.problem === null ? null : JSON.stringify(end.problem),
        settledAt: end.settledAt,
      })
    },
    attempt: (attemptId: string): AttemptRecord | null => toAttempt(attempt.get({ attemptId })),
    attemptOf: (orderId: string): AttemptRecord | null => toAttempt(attemptOf.get({ orderId })),
    recentAttempts: (): AttemptRecord[] =>
      recentAttempts.all().flatMap((row) => toAttempt(row) ?? []),
    openAttempts: (): AttemptRecord[] => openAttempts.all().flatMap((row) => toAttempt(row) ?? []),
    isUsed: (externalId: string): boolean => usedExternalId.get({ externalId })?.found === 1,
  }
}

function toAttempt(row: AttemptRow | undefined): AttemptRecord | null {
  if (row === undefined) return null
  return {
    attemptId: row.attempt_id,
    externalId: row.external_id,
    idempotencyKey: row.idempotency_key,
    lines: JSON.parse(row.lines) as AttemptRecord['lines'],
    waitSeconds: row.wait_seconds,
    atMostCents: row.at_most_cents,
    chargedCents: row.charged_cents,
    state: row.state,
    orderId: row.order_id,
    problem: readProblem(row.problem),
    writtenAt: row.written_at,
    settledAt: row.settled_at,
  }
}
