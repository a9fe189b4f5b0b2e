import { type PolledTopic, pollingPeriods } from '../../contract/app/app.ts'
import { serviceRates } from '../service-client/service-client.ts'

/**
 * How often one kind of record is polled: milliseconds between two polls, and the maximum share of
 * the requests per minute (0 to 1).
 */
export type Cadence = {
  /** While the topic is in front. */
  frontMs: number
  /** While another topic is in front. */
  awayMs: number
  /** The maximum, when nothing changes for a while. */
  longestMs: number
  share: number
}

export const cadences = {
  offers: { ...pollingPeriods.offers, share: 0.25 },
  sales: { ...pollingPeriods.sales, share: 0.1 },
  disputes: { ...pollingPeriods.disputes, share: 0.1 },
  balance: { ...pollingPeriods.balance, share: 0.05 },
  orders: { ...pollingPeriods.orders, share: 0.1 },
} as const satisfies Record<PolledTopic, Cadence>

/** Factor that lengthens the pause each time a poll finds nothing new. */
const GROWTH = 1.5
/**
 * Least part of its share that a topic uses while it isn't in front and nothing changes: reading a
 * long list again and again would otherwise take as many requests as a list that changes.
 */
const UNCHANGED = 0.2
/** Factor that lengthens the pause while no window is visible. */
const HIDDEN = 2

export type Situation = {
  /** Whether the user is viewing these records. */
  inFront: boolean
  /** Whether no window is visible. */
  hidden: boolean
  /** Number of polls in a row that found nothing new. */
  quiet: number
  /** Number of requests in the last poll. */
  requests: number
}

/**
 * Milliseconds from the end of a poll to the next. A foreground topic is never polled less often
 * than others are at first. A poll with many requests lengthens the pause, so that the topic keeps
 * to its share of the requests per minute (Seller API, Limits), and to a smaller one while nothing
 * changes.
 */
export function pauseBeforeNextPoll(
  cadence: Cadence,
  { inFront, hidden, quiet, requests }: Situation,
): number {
  const shown = inFront && !hidden
  const first = shown ? cadence.frontMs : hidden ? cadence.awayMs * HIDDEN : cadence.awayMs
  const growth = GROWTH ** Math.min(quiet, 32)
  const grown = Math.min(shown ? cadence.awayMs : cadence.longestMs, first * growth)
  const { max, perMs } = serviceRates.minute
  const share = cadence.share * (shown ? 1 : Math.max(UNCHANGED, 1 / growth))
  return Math.max(grown, Math.ceil((requests * perMs) / (max * share)))
}
