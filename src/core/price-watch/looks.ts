import type { CoreContext } from '../context.ts'
import { Failure } from '../failure.ts'
import { serviceRates } from '../service-client/service-client.ts'
import type { Keeper, Watched } from './keeper.ts'
import { isSelling } from './rules/state.ts'
import type { Look } from './store.ts'

/**
 * The best price of a lost offer is looked up so often, where the list of offers doesn't tell it:
 * more seldom the longer it is behind. Before a price is sent it is looked up anyway.
 */
const lostEveryMs = 60_000
const lostSeldomMs = 5 * 60_000
const lostEvery = (behindForMs: number): number =>
  Math.min(lostSeldomMs, Math.max(lostEveryMs, behindForMs / 4))
/**
 * Offers that lead, or whose lead is unknown, are looked up in turn, each no more often than this.
 */
const restEveryMs = 30 * 60_000
/** Part of the minute's requests that looking up may take. */
const SHARE = 0.35
/** Looks at offers that lead, for each round. */
const REST_A_ROUND = 2
const AT_ONCE = 4

/** How many products are looked up in a round of so many milliseconds. */
const looksIn = (roundMs: number): number =>
  Math.max(1, Math.floor((serviceRates.minute.max * SHARE * roundMs) / serviceRates.minute.perMs))

/**
 * Offers that are not behind are gone through so often for those that were looked up longest ago.
 */
const GATHERED_MS = 60_000

/**
 * Which offers to look up in a round: those that lost the lead, the longest unseen first; then a
 * few of the rest in turn.
 */
export function createLooks() {
  let rest: string[] = []
  let gatheredAt = Number.NEGATIVE_INFINITY
  const isDue = (each: Watched | undefined, now: number): boolean =>
    each !== undefined &&
    isSelling(each.facts) &&
    each.facts.productId !== '' &&
    each.state.lead !== 'behind' &&
    now - (each.facts.bestAt ?? 0) >= restEveryMs

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
        now - at >= lostEvery(now - state.leadSince)
      )
        lost.push({ offerId, at, ruled: stored !== null })
    }
    lost.sort((a, b) => Number(b.ruled) - Number(a.ruled) || a.at - b.at)
    if (now - gatheredAt >= GATHERED_MS) {
      gatheredAt = now
      rest = [...watched.values()]
        .filter((each) => isDue(each, now))
        .map(({ facts }) => facts)
        .sort((a, b) => (b.bestAt ?? 0) - (a.bestAt ?? 0))
        .map(({ offerId }) => offerId)
    }
    const first = lost.slice(0, looksIn(roundMs)).map(({ offerId }) => offerId)
    for (
      let left = Math.min(REST_A_ROUND, looksIn(roundMs) - first.length);
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
 * Looks up products' best customer price (Seller API, GET /products) and notes it. An offer whose
 * product the service doesn't list has none.
 */
export async function lookUp(
  context: CoreContext,
  accountId: string,
  keeper: Keeper,
  offerIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const line = context.connection(accountId)
  const waiting = [...offerIds]
  const looks = new Map<string, Look>()
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
      const product = (answer.results ?? []).find((each) => each.productId === productId)
      looks.set(offerId, { bestCents: product?.shopPrice ?? null, bestAt: asked })
    }
  }
  const results = await Promise.allSettled(
    Array.from({ length: Math.min(AT_ONCE, waiting.length) }, work),
  )
  keeper.noteLooks(looks)
  for (const result of results)
    if (result.status === 'rejected' && !(result.reason instanceof Failure)) throw result.reason
}
