import type { Database } from 'better-sqlite3'
import { HOUR_MS } from '../../../../server/api/time.ts'
import { msSince } from '../../clock.ts'
import type { Clock, Monotonic } from '../../clock.ts'
import { totalLeadTimes } from './lead-times.ts'
import type { LeadTime } from './lead-times.ts'

const LEAD_HOURS_FRESH_MS = 30_000

/**
 * Returns a function that reads the lead time over all offers per hour of the last 24, oldest first.
 * The result is computed again after half a minute, and after a failure.
 */
export function createLeadHours(
  clock: Clock,
  db: Database,
  watchedOffers: () => string[],
): () => Promise<LeadTime[]> {
  let hours: { at: Monotonic; sums: Promise<LeadTime[]> } | null = null
  return () => {
    const now = clock.now()
    if (hours === null || msSince(clock, hours.at) >= LEAD_HOURS_FRESH_MS) {
      const computed = {
        at: clock.monotonic(),
        sums: totalLeadTimes(
          db,
          Array.from({ length: 25 }, (_, index) => now - (24 - index) * HOUR_MS),
          watchedOffers(),
        ),
      }
      computed.sums.catch(() => {
        if (hours === computed) hours = null
      })
      hours = computed
    }
    return hours.sums
  }
}
