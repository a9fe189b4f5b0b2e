import { isFresh, longAgo, msSince } from '../../clock.ts'
import type { Monotonic } from '../../clock.ts'
import { Failure } from '../../failure.ts'
import { startPollLoop } from '../../mirror/mirror.ts'
import type { PollLoop } from '../../mirror/mirror.ts'
import type { Offers } from '../../offers/offers.ts'
import { serviceRates } from '../../service-client/service-client.ts'
import type { PriceWatchContext } from '../context.ts'
import type { PriceEngine } from '../engine/price-engine.ts'
import { pruneLeads } from '../engine/lead-times.ts'
import { createLookupSchedule, lookUpBestPrices } from './best-prices.ts'
import { isInForce } from '../rules/fits.ts'
import type { SendQueue } from '../sending/send-queue.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

/** Pause between two passes while rules are in force, and while none is. */
const activePassMs = 5000
const idlePassMs = 30_000
/**
 * How often offers are decided again whose decision can change without a new reading. All offers
 * are decided after each reading of the list.
 */
const DECIDE_EVERY_MS = 60_000
/**
 * How often the list of offers is read while rules are in force, if that stays within this share of
 * the requests per minute.
 */
const LIST_MS = 30_000
const LIST_SHARE = 0.25
const FLUSH_MS = 15 * 60_000

export type PollLoopParts = {
  context: PriceWatchContext
  offers: Offers
  accountId: string
  keeper: PriceEngine
  sending: SendQueue
  changed: () => void
  signal: AbortSignal
  track: <T>(work: Promise<T>) => Promise<T>
}

/**
 * Runs the best-price polling of one account: finds offers that are behind in the list, looks those
 * up (and slowly the others in turn), decides what changed, and sends auto-applied prices.
 */
export function createPriceWatchLoop({
  context,
  offers,
  accountId,
  keeper,
  sending,
  changed,
  signal,
  track,
}: PollLoopParts) {
  const line = context.connection(accountId)
  const dueLooks = createLookupSchedule()
  let considered: { listedAt: number | null; at: Monotonic } | null = null
  let flushedAt = context.clock.monotonic()
  let thinnedAt = longAgo
  const inForce = (): boolean => keeper.rules().some((rule) => isInForce(rule, context.clock.now()))
  const roundMs = (): number => (inForce() ? activePassMs : idlePassMs)

  function listIsDue(): boolean {
    const { lastAt, pages } = offers.pricing.lastListing(accountId)
    if (lastAt === null || !inForce()) return false
    const { max, perMs } = serviceRates.minute
    return !isFresh(context.clock, lastAt, Math.max(LIST_MS, (pages * perMs) / (max * LIST_SHARE)))
  }

  async function considerAll(): Promise<void> {
    considered = {
      listedAt: offers.pricing.lastListing(accountId).lastAt,
      at: context.clock.monotonic(),
    }
    await keeper.considerAll(signal)
    changed()
  }

  async function round(): Promise<void> {
    const now = context.clock.now()
    if (offers.pricing.lastListing(accountId).lastAt === null) return
    if (listIsDue()) await offers.pricing.refreshList(accountId)
    if (considered === null || considered.listedAt !== offers.pricing.lastListing(accountId).lastAt)
      await considerAll()
    else if (msSince(context.clock, considered.at) >= DECIDE_EVERY_MS) {
      considered.at = context.clock.monotonic()
      if ((await keeper.decideDue(signal)) > 0) changed()
    }
    const due = dueLooks(keeper.watched(), keeper.behind(), context.clock.now(), roundMs())
    if (due.length > 0) {
      await lookUpBestPrices(context, accountId, keeper, due, signal)
      keeper.consider(due)
      changed()
    }
    // Thousands of prices take minutes: reading continues, so that they are checked against
    // fresh data.
    void track(sending.pump(signal))
    if (msSince(context.clock, flushedAt) >= FLUSH_MS) {
      flushedAt = context.clock.monotonic()
      await keeper.log.flush()
    }
    if (msSince(context.clock, thinnedAt) >= DAY_MS) {
      thinnedAt = context.clock.monotonic()
      keeper.log.prune(now)
      pruneLeads(keeper.store.db, now)
    }
  }

  const rounds: PollLoop = startPollLoop({
    clock: context.clock,
    random: context.random,
    signal,
    pause: roundMs,
    ready: (until) => line.ready(until),
    pass: () => track(round()),
    onFailure: (error) => {
      if (!(error instanceof Failure)) context.report('price watch', error)
    },
  })
  return {
    /** Starts a pass now; resolves when it is over and the queued prices are sent. */
    async now(): Promise<void> {
      await rounds.runNow()
      await track(sending.pump(signal))
    },
  }
}
export type PriceWatchLoop = ReturnType<typeof createPriceWatchLoop>
