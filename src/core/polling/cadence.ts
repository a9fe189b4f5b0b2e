import { type PolledTopic, readingPeriods } from '../../contract/app.ts'
import { serviceRates } from '../service-client/service-client.ts'

/**
 * How often one kind of record is read: milliseconds between two readings, and the most of the
 * minute's requests they may take (0 to 1).
 */
export type Cadence = {
  /** While it stands in front. */
  frontMs: number
  /** While something else does. */
  awayMs: number
  /** The longest, when nothing changes for a while. */
  longestMs: number
  share: number
}

export const cadences = {
  offers: { ...readingPeriods.offers, share: 0.25 },
  sales: { ...readingPeriods.sales, share: 0.1 },
  disputes: { ...readingPeriods.disputes, share: 0.1 },
  balance: { ...readingPeriods.balance, share: 0.05 },
  orders: { ...readingPeriods.orders, share: 0.1 },
} as const satisfies Record<PolledTopic, Cadence>

/** Nothing new makes the next pause longer by this factor. */
const GROWTH = 1.5
/** With no window in front of anybody, readings begin this much further apart. */
const HIDDEN = 2

export type Situation = {
  /** What the person looks at shows these records. */
  inFront: boolean
  /** No window shows anything. */
  hidden: boolean
  /** Readings in a row that found nothing new. */
  quiet: number
  /** Requests that the last reading took. */
  requests: number
}

/**
 * Milliseconds from the end of a reading to the next. What is in front is never read more seldom
 * than what is away is at first; a reading of many requests makes the pause longer, so that it
 * keeps to its share of the minute (Seller API, Limits).
 */
export function pauseOf(cadence: Cadence, { inFront, hidden, quiet, requests }: Situation): number {
  const shown = inFront && !hidden
  const first = shown ? cadence.frontMs : hidden ? cadence.awayMs * HIDDEN : cadence.awayMs
  const grown = Math.min(
    shown ? cadence.awayMs : cadence.longestMs,
    first * GROWTH ** Math.min(quiet, 32),
  )
  const { max, perMs } = serviceRates.minute
  return Math.max(grown, Math.ceil((requests * perMs) / (max * cadence.share)))
}
