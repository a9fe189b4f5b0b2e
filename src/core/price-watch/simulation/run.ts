import type { PriceRule } from '../../../contract/price-watch/price-rules.ts'
import type { SimulationResult } from '../../../contract/price-watch/price-simulation.ts'
import { cents, subtractCents } from '../../../../server/api/money.ts'
import type { ResponseBody } from '../../../../server/api/handlers.ts'
import type { BackendProcesses } from '../../../platform/backends/backend-process.ts'
import { preSendRejection } from '../sending/pre-send-check.ts'
import { isChange } from '../rules/reasons.ts'
import { decide } from '../rules/decide.ts'
import type { OfferFacts, StoredRule, WatchState } from '../rules/facts.ts'
import { ruleFor } from '../rules/fits.ts'
import { afterChange, observe } from '../rules/state.ts'
import { createTally } from './tally.ts'
import type { SoldUnit } from './tally.ts'
import { openWorld } from './world.ts'
import type { CopiedOffer, MarketSize, SimulationWorld } from './world.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

/**
 * Time between two steps of the rules. The price watch runs more often, but shorter steps would
 * make a simulation proportionally slower.
 */
const stepMs = 3_600_000
const PAGE = 100

export type SimulationInput = {
  backends: BackendProcesses
  copies: readonly CopiedOffer[]
  rules: readonly PriceRule[]
  days: number
  market: MarketSize
  /**
   * The same text gives the same market to several sets of rules: what sellers and customers do
   * depends on ids, which come from it. It must be secret, because keys come from it too.
   */
  world: string
  signal: AbortSignal
  progress: (part: number) => void
}

type ServiceOffer = ResponseBody<'getOffer'>

/**
 * Runs one set of rules on the bundled market in a separate backend, as if every rule had
 * auto-apply, with the same decisions and the same pre-send check.
 */
export async function simulateRules({
  backends,
  copies,
  rules,
  days,
  market,
  world: repeatable,
  signal,
  progress,
}: SimulationInput): Promise<SimulationResult> {
  const backend = await backends.start({ dataDir: null, port: 0, seed: 'empty', repeatable })
  try {
    const world = await openWorld(backend.ready, copies, market, signal)
    const stored = rules.map((rule, index): StoredRule => ({
      ruleId: String(index),
      revision: 1,
      mode: 'auto',
      rule,
    }))
    const states = new Map<string, WatchState>()
    const began = await world.now()
    const tally = createTally(world.originals, began, days)
    const steps = Math.round((days * DAY_MS) / stepMs)
    let now = began
    for (let step = 0; step <= steps; step += 1) {
      signal.throwIfAborted()
      const before = now
      if (step > 0) now = await world.advance(stepMs)
      await world.play(now - began)
      await runStep(world, stored, states, now, now - before, tally, signal)
      progress(step / steps)
    }
    tally.sold(await salesOf(world, signal))
    return tally.result()
  } finally {
    await backend.stop()
  }
}

async function pages<T>(
  ask: (page: number) => Promise<{ results: readonly T[]; hasMore?: boolean | undefined }>,
): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page += 1) {
    const { results, hasMore = false } = await ask(page)
    all.push(...results)
    if (!hasMore) return all
  }
}

/** One step: observes, decides, checks and changes every offer. */
async function runStep(
  world: SimulationWorld,
  rules: readonly StoredRule[],
  states: Map<string, WatchState>,
  now: number,
  passedMs: number,
  tally: ReturnType<typeof createTally>,
  signal: AbortSignal,
): Promise<void> {
  const offers = await pages(
    async (page) =>
      (await world.seller('listOffers', { query: { page, limit: PAGE } }, { signal })).body,
  )
  const seen = offers.map((offer) => {
    const facts = factsOf(offer, world.originals.get(offer.id), now)
    const stored = ruleFor(
      rules,
      { ...facts, offerId: world.originals.get(offer.id)?.offerId ?? offer.id },
      now,
    )
    let state = observe(states.get(offer.id) ?? null, facts, false)
    const decision = decide(stored, facts, state, now, { stopped: false, staleMs: stepMs })
    if (decision.hold !== null) state = { ...state, hold: { ...decision.hold, since: now } }
    states.set(offer.id, state)
    return { facts, state, stored, decision }
  })
  tally.step(now, passedMs, seen)
  for (const { facts, state, stored, decision } of seen) {
    const { targetCents, reason } = decision
    if (stored === null || targetCents === null || !isChange(reason)) continue
    const refusal = preSendRejection({
      rule: stored.rule,
      targetCents,
      fromCents: facts.priceCents,
      priceCents: facts.priceCents,
      status: facts.status,
      stock: facts.stock,
      commissionPercent: facts.commissionPercent,
      costCents: facts.costCents,
      ownFloorCents: facts.ownFloorCents,
      ownCeilingCents: facts.ownCeilingCents,
      readAt: facts.seenAt,
      now,
      stopped: false,
      changesToday: decision.changesToday,
    })
    if (refusal !== null) {
      tally.refused()
      continue
    }
    await world.seller(
      'changeOffer',
      { params: { id: facts.offerId }, body: { price: cents(targetCents) } },
      { signal },
    )
    states.set(
      facts.offerId,
      afterChange(state, { at: now, fromCents: facts.priceCents, toCents: targetCents, reason }),
    )
    tally.changed(facts.offerId, now, subtractCents(targetCents, facts.priceCents))
  }
}

function factsOf(offer: ServiceOffer, copy: CopiedOffer | undefined, now: number): OfferFacts {
  return {
    offerId: offer.id,
    productId: offer.productId ?? '',
    name: offer.name ?? '',
    platform: copy?.platform ?? '',
    region: copy?.region ?? '',
    productType: copy?.productType ?? '',
    deliveryType: copy?.deliveryType ?? '',
    status: offer.status,
    stock: offer.stock,
    priceCents: offer.price,
    customerCents: offer.customerPrice,
    commissionPercent: offer.commission?.percent ?? null,
    costCents: copy?.costCents ?? null,
    ownFloorCents: copy?.ownFloorCents ?? null,
    ownCeilingCents: copy?.ownCeilingCents ?? null,
    isCheapest: offer.isCheapest ?? null,
    seenAt: now,
    bestCents: offer.lowestCustomerPrice ?? null,
    bestAt: now,
    ownElsewhereCents: null,
    waits: false,
  }
}

const salesOf = async (world: SimulationWorld, signal: AbortSignal): Promise<SoldUnit[]> =>
  (
    await pages(
      async (page) =>
        (await world.seller('listSales', { query: { page, limit: PAGE } }, { signal })).body,
    )
  ).flatMap(({ offerId, price, soldAt }) =>
    offerId == null || price == null || soldAt == null
      ? []
      : [{ offerId, priceCents: price, at: Date.parse(String(soldAt)) }],
  )
