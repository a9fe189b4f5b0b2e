import { Failure } from '../../failure.ts'
import { serviceRates } from '../../service-client/service-client.ts'
import type { PriceWatchContext } from '../context.ts'
import type { PriceEngine, Watched } from '../engine/price-engine.ts'
import { isSelling } from '../rules/state.ts'
import type { BestPriceLookup } from '../store.ts'

/**
 * How often the best price of an offer that is behind is looked up if the list of offers doesn't
 * include it: less often the longer it is behind. It is always looked up before a price is sent.
 */
const minBehindLookupMs = 60_000
const maxBehindLookupMs = 5 * 60_000
const behindLookupInterval = (behindForMs: number): number =>
  Math.min(maxBehindLookupMs, Math.max(minBehindLookupMs, behindForMs / 4))
/** Minimum time between two lookups of an offer that leads or whose lead is unknown. */
const otherLookupMs = 30 * 60_000
/** Share of the requests per minute that lookups can use. */
const REQUEST_SHARE = 0.35
/** Lookups of offers that lead, per pass. */
const OTHERS_PER_PASS = 2
const MAX_IN_FLIGHT = 4

/** Whether a stored time is this old; one in the future says nothing, because the clock was set. */
const isOlder = (at: number, now: number, ms: number): boolean => at > now || now - at >= ms

/** How many products are looked up in a pass of this length in milliseconds. */
const lookupsIn = (roundMs: number): number =>
  Math.max(
    1,
    Math.floor((serviceRates.minute.max * REQUEST_SHARE * roundMs) / serviceRates.minute.perMs),
  )

/** How often the offers that aren't behind are searched for those with the oldest lookups. */
const GATHER_EVERY_MS = 60_000

/**
 * Selects the offers to look up in a pass: offers that are behind, oldest lookup first, then a few
 * of the others in turn.
 */
export function createLookupSchedule() {
  let rest: string[] = []
  let gatheredAt = Number.NEGATIVE_INFINITY
  const isDue = (each: Watched | undefined, now: number): boolean =>
    each !== undefined &&
    isSelling(each.facts) &&
    each.facts.productId !== '' &&
    each.state.lead !== 'behind' &&
    isOlder(each.facts.bestAt ?? 0, now, otherLookupMs)

  return function due(
    watched: ReadonlyMap<string, Watched>,
    behind: ReadonlySet<string>,
    now: number,
    roundMs: number,
  ): string[] {
    const lost: { offerId: string; at: number; ruled: boolean }[] = []
    for (const offerId of behind) {
      const each = watched.get(offerId)
      if (each === undefined || !isSelling(each.facts) || each.facts.productId === '') continue
      const { facts, state, stored } = each
      const at = facts.bestAt ?? 0
      if (
        at < state.ownSince ||
        at < state.leadSince ||
        isOlder(at, now, behindLookupInterval(now - state.leadSince))
      )
        lost.push({ offerId, at, ruled: stored !== null })
    }
    lost.sort((a, b) => Number(b.ruled) - Number(a.ruled) || a.at - b.at)
    if (isOlder(gatheredAt, now, GATHER_EVERY_MS)) {
      gatheredAt = now
      rest = [...watched.values()]
        .filter((each) => isDue(each, now))
        .map(({ facts }) => facts)
        .sort((a, b) => (b.bestAt ?? 0) - (a.bestAt ?? 0))
        .map(({ offerId }) => offerId)
    }
    const first = lost.slice(0, lookupsIn(roundMs)).map(({ offerId }) => offerId)
    for (
      let left = Math.min(OTHERS_PER_PASS, lookupsIn(roundMs) - first.length);
      left > 0 && rest.length > 0;
    ) {
      const next = rest.pop() ?? ''
      if (!isDue(watched.get(next), now)) continue
      first.push(next)
      left -= 1
    }
    return first
  }
}

/**
 * Looks up the best customer price of products (Seller API, GET /products) and records it. It is
 * null for products that the service doesn't list.
 */
export async function lookUpBestPrices(
  context: PriceWatchContext,
  accountId: string,
  keeper: PriceEngine,
  offerIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const line = context.connection(accountId)
  const waiting = [...offerIds]
  const looks = new Map<string, BestPriceLookup>()
  const work = async (): Promise<void> => {
    for (
      let offerId = waiting.shift();
      offerId !== undefined && !signal.aborted;
      offerId = waiting.shift()
    ) {
      const productId = keeper.watched().get(offerId)?.facts.productId ?? ''
      if (productId === '') continue
      const asked = context.clock.now()
      const answer = await line.call(
        'listSellerProducts',
        { query: { search: productId, limit: 10 } },
        { priority: 'watch', signal },
      )
      const product = answer.results.find((each) => each.productId === productId)
      looks.set(offerId, { bestCents: product?.shopPrice ?? null, bestAt: asked })
    }
  }
  const results = await Promise.allSettled(
    Array.from({ length: Math.min(MAX_IN_FLIGHT, waiting.length) }, work),
  )
  keeper.saveLookups(looks)
  for (const result of results)
    if (result.status === 'rejected' && !(result.reason instanceof Failure)) throw result.reason
}
