import { MINUTE_MS } from '../../../../server/api/time.ts'
import type { BulkKind } from '../../../contract/offers/offer-bulk.ts'

/** Requests that a line takes. Closing an offer withdraws its keys first. */
const REQUESTS_PER_LINE: Readonly<Record<BulkKind, number>> = {
  price: 1,
  status: 1,
  withdraw: 1,
  close: 2,
  create: 1,
}
/** The rate is measured over the period in which the service counts requests. */
const WINDOW_MS = MINUTE_MS

/**
 * How long lines take at the service's limit; null without a limit.
 *
 * @param perMinute The requests that the service allows in a minute.
 */
export const durationAtLimit = (
  kind: BulkKind,
  lines: number,
  perMinute: number | null,
): number | null =>
  perMinute === null ? null : Math.round((lines * REQUESTS_PER_LINE[kind] * MINUTE_MS) / perMinute)

/**
 * Estimates the time left of running work from its rate in the last minute. The service's limit is
 * the least: a burst after a pause says nothing about the minutes after it.
 */
export function createPace() {
  let samples: { at: number; left: number }[] = []
  return {
    /** Forgets the rate, because the work was paused or waited. */
    reset(): void {
      samples = []
    },
    /**
     * Records the number of lines left.
     *
     * @param atLimitMs How long it takes at the service's limit; null without a limit.
     * @returns The time left in milliseconds; null if it isn't known yet.
     */
    leftMs(at: number, left: number, atLimitMs: number | null): number | null {
      samples.push({ at, left })
      const since = samples.findLastIndex((sample) => at - sample.at >= WINDOW_MS)
      if (since > 0) samples = samples.slice(since)
      const [oldest] = samples
      const done = oldest === undefined ? 0 : oldest.left - left
      if (oldest === undefined || done <= 0) return atLimitMs
      const measured = Math.round(((at - oldest.at) / done) * left)
      return Math.max(measured, atLimitMs ?? 0)
    },
  }
}
export type Pace = ReturnType<typeof createPace>
