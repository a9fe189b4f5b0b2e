import { setImmediate } from 'node:timers/promises'
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import { addCents, averageCents, type Cents, ZERO } from '../../../../server/api/money.ts'
import type { Contract } from '../../../contract/index.ts'
import { MOST_OFFERS } from '../../../contract/price-watch/price-watch-records.ts'
import type { MarketRow, MarketTab } from '../../../contract/price-watch/price-watch-records.ts'
import { sortKey, wordsOf } from '../../mirror/mirror.ts'
import type { Earned } from './earnings.ts'
import type { PriceEngine, Watched } from '../engine/price-engine.ts'
import { leadsLost, leadTimes, shareOf } from '../engine/lead-times.ts'
import { inChunks } from '../in-chunks.ts'
import { isSelling } from '../rules/state.ts'
import type { Proposal } from '../store.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

type Inputs = InferContractRouterInputs<Contract['priceWatch']>
type Outputs = InferContractRouterOutputs<Contract['priceWatch']>

/** Daily earnings are the average over this many days. */
const EARNED_DAYS = 30

/**
 * Additional data for the market view: earnings of the last 30 days, proposals, and sends in
 * progress.
 */
export type MarketContext = {
  earned: Earned
  proposals: ReadonlyMap<string, Proposal>
  sending: ReadonlySet<string>
}

const heldReasons: ReadonlySet<string> = new Set([
  'held',
  'held-refused',
  'snoozed',
  'war',
  'changed-elsewhere',
])
const inTab: Record<MarketTab, (each: Watched, ground: MarketContext) => boolean> = {
  losing: ({ state }) => state.lead === 'behind',
  proposals: ({ facts }, { proposals, sending }) =>
    proposals.has(facts.offerId) || sending.has(facts.offerId),
  probing: ({ state }) => state.probe !== null && state.lead === 'leading',
  held: ({ decision }) => heldReasons.has(decision.reason),
  all: ({ facts }) => isSelling(facts),
}

/** What an offer earns a day; null without sales to judge by. */
const perDay = (ground: MarketContext, offerId: string): Cents | null => {
  const earned = ground.earned.get(offerId)
  return earned === undefined ? null : averageCents(earned.cents, EARNED_DAYS)
}

/** One offer as the screen shows it. */
export function marketRow(
  { facts, state, stored, decision }: Watched,
  ground: MarketContext,
): MarketRow {
  const proposal = ground.proposals.get(facts.offerId)
  return {
    offerId: facts.offerId,
    productId: facts.productId,
    name: facts.name,
    platform: facts.platform,
    region: facts.region,
    deliveryType: facts.deliveryType,
    stock: facts.stock,
    priceCents: facts.priceCents,
    customerCents: facts.customerCents,
    commissionPercent: facts.commissionPercent,
    costCents: facts.costCents,
    lead: state.lead,
    since: state.leadSince,
    bestCents: facts.bestCents,
    seenAt:
      state.lead === 'behind' && facts.bestAt !== null
        ? Math.min(facts.bestAt, facts.seenAt)
        : facts.seenAt,
    perDayCents: perDay(ground, facts.offerId),
    ruleId: stored?.ruleId ?? null,
    ruleName: stored?.rule.name ?? null,
    reason: decision.reason,
    until: decision.until,
    proposal:
      proposal === undefined
        ? null
        : {
            targetCents: proposal.targetCents,
            targetCustomerCents: proposal.targetCustomerCents,
            at: proposal.at,
          },
    sending: ground.sending.has(facts.offerId),
  }
}

/**
 * Cache of names folded for sorting and searching: folding takes more time than everything else
 * here.
 */
const foldedNames = new Map<string, string>()
const MAX_FOLDED_NAMES = 200_000
function foldedName(name: string): string {
  const known = foldedNames.get(name)
  if (known !== undefined) return known
  if (foldedNames.size >= MAX_FOLDED_NAMES) foldedNames.clear()
  const key = sortKey(name)
  foldedNames.set(name, key)
  return key
}

const sortValue: Record<
  NonNullable<Inputs['market']['sort']>['column'],
  (each: Watched, ground: MarketContext) => number | string
> = {
  lost: ({ facts }, ground) => perDay(ground, facts.offerId) ?? -1,
  name: ({ facts }) => foldedName(facts.name),
  customer: ({ facts }) => facts.customerCents,
  best: ({ facts }) => facts.bestCents ?? -1,
  seen: ({ facts }) => facts.seenAt,
  since: ({ state }) => state.leadSince,
}

/** Offers checked and sorted without a pause: a few milliseconds of work. */
const PIECE = 2000
const tabNames = Object.keys(inTab) as MarketTab[]

type Sortable = { each: Watched; by: number | string }

type Choice = Omit<Inputs['market'], 'window'>

/**
 * The offers in a tab, their order, and the number of offers in each tab with the other filters
 * unchanged. Runs in chunks, so that the core can serve other requests in between.
 */
async function offersIn(
  keeper: PriceEngine,
  ground: MarketContext,
  { tab = 'losing', query = '', ruleId = null, sort }: Choice,
) {
  const words = wordsOf(query)
  const typed = query.trim()
  const { column, direction } = sort ?? { column: 'lost', direction: 'desc' }
  const tabs: Record<MarketTab, number> = { losing: 0, proposals: 0, probing: 0, held: 0, all: 0 }
  const value = sortValue[column]
  const chosen: Sortable[] = []
  await inChunks([...keeper.watched().values()], PIECE, (each) => {
    const { facts, stored } = each
    if (ruleId !== null && stored?.ruleId !== ruleId) return
    if (words.length > 0 && facts.offerId !== typed) {
      const text = ` ${foldedName(facts.name)} ${foldedName(`${facts.platform} ${facts.region}`)}`
      if (!words.every((word) => text.includes(` ${word}`))) return
    }
    for (const name of tabNames) tabs[name] += Number(inTab[name](each, ground))
    if (inTab[tab](each, ground)) chosen.push({ each, by: value(each, ground) })
  })
  const sign = direction === 'asc' ? 1 : -1
  const order = (a: Sortable, b: Sortable): number =>
    a.by < b.by
      ? -sign
      : a.by > b.by
        ? sign
        : a.each.facts.name < b.each.facts.name
          ? -1
          : a.each.facts.name > b.each.facts.name
            ? 1
            : a.each.facts.offerId < b.each.facts.offerId
              ? -1
              : 1
  return { chosen, order, tabs }
}

/** A window of the offers in a tab, and the number of offers in each tab. */
export async function marketList(
  keeper: PriceEngine,
  ground: MarketContext,
  { window, ...choice }: Inputs['market'],
): Promise<Outputs['market']> {
  const { chosen, order, tabs } = await offersIn(keeper, ground, choice)
  const { offset = 0, limit = 100 } = window ?? {}
  return {
    total: chosen.length,
    rows: (await firstOf(chosen, order, offset + limit))
      .slice(offset)
      .map(({ each }) => marketRow(each, ground)),
    tabs,
  }
}

/** The index of an offer in a tab; null if the tab doesn't contain it. */
export async function positionInMarket(
  keeper: PriceEngine,
  ground: MarketContext,
  { offerId, ...choice }: Inputs['position'],
): Promise<number | null> {
  const { chosen, order } = await offersIn(keeper, ground, choice)
  const wanted = chosen.find(({ each }) => each.facts.offerId === offerId)
  if (wanted === undefined) return null
  return chosen.filter((other) => other !== wanted && order(other, wanted) < 0).length
}

/**
 * The first `count` in order. Sorts chunk by chunk, because only the first `count` of each chunk
 * can be among them.
 */
async function firstOf(
  all: readonly Sortable[],
  order: (a: Sortable, b: Sortable) => number,
  count: number,
): Promise<Sortable[]> {
  let first: Sortable[] = []
  for (let from = 0; from < all.length; from += PIECE) {
    if (from > 0) await setImmediate()
    first = [...first, ...all.slice(from, from + PIECE)].sort(order).slice(0, count)
  }
  return first
}

/**
 * Figures about an account's price watch. Runs in chunks, so that the core can serve other requests
 * in between.
 */
export async function overviewOf(
  keeper: PriceEngine,
  ground: MarketContext,
  now: number,
  listedAt: number | null,
): Promise<Outputs['overview']> {
  const all = [...keeper.watched().values()]
  const counts = {
    offers: all.length,
    watched: 0,
    leading: 0,
    losing: 0,
    unknown: 0,
    empty: 0,
    paused: 0,
    proposals: ground.proposals.size,
    probing: 0,
    held: 0,
    sending: ground.sending.size,
  }
  let lostPerDayCents = ZERO
  let lostUnknown = 0
  await inChunks(all, PIECE, (each) => {
    const { facts, state } = each
    counts.watched += Number(isSelling(facts))
    counts.leading += Number(state.lead === 'leading')
    counts.unknown += Number(state.lead === 'unknown')
    counts.empty += Number(facts.status === 'active' && facts.stock <= 0)
    counts.paused += Number(facts.status !== 'active')
    counts.probing += Number(inTab.probing(each, ground))
    counts.held += Number(inTab.held(each, ground))
    if (!inTab.losing(each, ground)) return
    counts.losing += 1
    const lost = perDay(ground, facts.offerId)
    lostUnknown += Number(lost === null)
    lostPerDayCents = addCents(lostPerDayCents, lost ?? ZERO)
  })
  const hours = await keeper.leadHours()
  const day = hours.reduce(
    (sum, { leadingMs, behindMs }) => ({
      leadingMs: sum.leadingMs + leadingMs,
      behindMs: sum.behindMs + behindMs,
    }),
    { leadingMs: 0, behindMs: 0 },
  )
  const rules = keeper.rules()
  return {
    counts,
    lostToday: leadsLost(keeper.store.db, now - DAY_MS),
    lostPerDayCents: lostUnknown > 0 && lostUnknown === counts.losing ? null : lostPerDayCents,
    lostUnknown,
    leadDay: shareOf(day),
    leadHours: hours.map(shareOf),
    rules: rules.length,
    auto: rules.filter(({ mode }) => mode === 'auto').length,
    stoppedAt: keeper.store.stoppedAt(),
    elsewhere: { offers: keeper.foreign().slice(0, MOST_OFFERS), suspended: keeper.suspended() },
    listedAt,
  }
}

/** Share of the known time since `from` in which one offer led. */
export const leadSince = (
  keeper: PriceEngine,
  offerId: string,
  from: number,
  now: number,
): number | null =>
  shareOf(leadTimes(keeper.store.db, [from, now], offerId)[0] ?? { leadingMs: 0, behindMs: 0 })
