import { MINUTE_MS } from '../../../../server/api/time.ts'
import type { BulkKind } from '../../../contract/offers/offer-bulk.ts'
import { MAX_AGE_MS } from './sending.ts'

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

/** The most of the limit that reading the list again is expected to take. */
const MOST_FOR_LIST = 0.9
/** Changes that are based on the list, which is read again when it is too old. */
const basedOnList: ReadonlySet<BulkKind> = new Set<BulkKind>(['price', 'status'])

/**
 * How long lines take at the service's limit, in milliseconds; null without a limit. Longer changes
 * of prices and statuses read the list of offers again whenever it is older than
 * {@link MAX_AGE_MS}.
 *
 * @param perMinute The requests that the service allows in a minute.
 * @param listPages The requests that reading the list of offers takes.
 */
export function durationAtLimit(
  kind: BulkKind,
  lines: number,
  perMinute: number | null,
  listPages: number,
): number | null {
  if (perMinute === null) return null
  const perMs = perMinute / MINUTE_MS
  const alone = lines * REQUESTS_PER_LINE[kind]
  if (!basedOnList.has(kind)) return Math.round(alone / perMs)
  const forList = Math.min(listPages / MAX_AGE_MS, MOST_FOR_LIST * perMs)
  const readings = Math.floor(alone / (perMs - forList) / MAX_AGE_MS)
  return Math.round((alone + readings * forList * MAX_AGE_MS) / perMs)
}

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
