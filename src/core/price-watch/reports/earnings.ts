import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { addCents, type Cents, ZERO } from '../../../../server/api/money.ts'
import { msSince } from '../../clock.ts'
import type { Clock, Monotonic } from '../../clock.ts'
import { earnedByOffer } from '../../sales/sales.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

/** Earnings of each offer by its sales, in cents, and the number of sales. */
export type Earned = ReadonlyMap<string, { cents: Cents; sales: number }>

const MONTH_MS = 30 * DAY_MS
/** Sales are summed in time spans of this length; other work runs in between. */
const PIECE_MS = DAY_MS / 3
const FRESH_MS = 60_000

/**
 * Earnings per offer over the last 30 days. Recomputed after a minute; the previous values stay
 * valid until then.
 */
export function createEarned(
  db: Database,
  clock: Pick<Clock, 'monotonic'>,
  serviceNow: () => number,
) {
  let known: { at: Monotonic; sums: Earned } | null = null
  let running: Promise<Earned> | null = null

  async function sum(): Promise<Earned> {
    const to = serviceNow()
    const sums = new Map<string, { cents: Cents; sales: number }>()
    for (let from = to - MONTH_MS; from < to; from += PIECE_MS) {
      for (const [offerId, { cents, sales }] of earnedByOffer(
        db,
        from,
        Math.min(to, from + PIECE_MS),
      )) {
        const before = sums.get(offerId)
        sums.set(offerId, {
          cents: addCents(cents, before?.cents ?? ZERO),
          sales: sales + (before?.sales ?? 0),
        })
      }
      await setImmediate()
    }
    known = { at: clock.monotonic(), sums }
    return sums
  }

  return async (): Promise<Earned> => {
    if (known !== null && msSince(clock, known.at) < FRESH_MS) return known.sums
    running ??= sum().finally(() => {
      running = null
    })
    return running
  }
}
