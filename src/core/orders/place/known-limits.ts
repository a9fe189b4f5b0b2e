import type { Database } from 'better-sqlite3'
import { type Cents, roundedEuros } from '../../../../server/api/money.ts'
import type { ProblemCode } from '../../../contract/problem-codes.ts'

/** A value limit as the service reported it in a response, in cents, and when. */
export type KnownLimit = { cents: Cents; at: number }

const codes = {
  order: 'ORDER_LIMIT_EXCEEDED',
  day: 'DAILY_LIMIT_EXCEEDED',
} as const satisfies Record<string, ProblemCode>

/**
 * The value limits of an account as learned from rejections (Decision 18), because no API call
 * reports them. If an order has exceeded a limit since then, the limit was raised and is unknown
 * again. `spentCents`: total of the last 24 hours.
 */
export function knownLimits(
  db: Database,
  spentCents: Cents,
): { order: KnownLimit | null; day: KnownLimit | null } {
  const told = db.prepare<
    { code: ProblemCode },
    { euros: number; at: number }
  >(`SELECT json_extract(problem, '$.details.limit') AS euros, coalesce(settled_at, written_at) AS at
    FROM order_attempts WHERE state = 'refused' AND json_extract(problem, '$.code') = :code
      AND json_type(problem, '$.details.limit') IN ('integer', 'real') ORDER BY at DESC LIMIT 1`)
  const passed = db
    .prepare<KnownLimit, number>(
      'SELECT EXISTS (SELECT 1 FROM orders WHERE total_cents > :cents AND created_at > :at)',
    )
    .pluck()
  const limitOf = (code: ProblemCode): KnownLimit | null => {
    const found = told.get({ code })
    return found === undefined ? null : { cents: roundedEuros(found.euros), at: found.at }
  }
  const [order, day] = [limitOf(codes.order), limitOf(codes.day)]
  return {
    order: order !== null && passed.get(order) === 1 ? null : order,
    day: day !== null && spentCents > day.cents ? null : day,
  }
}
