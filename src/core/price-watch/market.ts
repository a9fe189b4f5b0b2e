import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../contract/index.ts'
import type { MarketRow, MarketTab } from '../../contract/price-watch.ts'
import { sortKey, wordsOf } from '../mirror/mirror.ts'
import type { Keeper, Watched } from './keeper.ts'
import { leadTimes, shareOf } from './leads.ts'
import { isSelling } from './rules/state.ts'
import type { Proposal } from './store.ts'

type Inputs = InferContractRouterInputs<Contract['priceWatch']>
type Outputs = InferContractRouterOutputs<Contract['priceWatch']>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** What an offer earns a day is taken from so many days of its own sales. */
const EARNED_DAYS = 30

/** What else the market view knows: what each offer earned since 30 days ago, what is proposed, what is being sent. */
export type MarketGround = { earned: ReadonlyMap<string, { cents: number; sales: number }>; proposals: ReadonlyMap<string, Proposal>; sending: ReadonlySet<string> }

const heldReasons: ReadonlySet<string> = new Set(['held', 'held-refused', 'snoozed', 'war', 'changed-elsewhere'])
const inTab: Record<MarketTab, (each: Watched, ground: MarketGround) => boolean> = {
  losing: ({ state }) => state.lead === 'behind',
  proposals: ({ facts }, { proposals, sending }) => proposals.has(facts.offerId) || sending.has(facts.offerId),
  probing: ({ state }) => state.probe !== null && state.lead === 'leading',
  held: ({ decision }) => heldReasons.has(decision.reason),
  all: ({ facts }) => isSelling(facts),
}

const perDay = (ground: MarketGround, offerId: string): number => Math.round((ground.earned.get(offerId)?.cents ?? 0) / EARNED_DAYS)

/** One offer as the screen shows it. */
export function marketRow({ facts, state, stored, decision }: Watched, ground: MarketGround): MarketRow {
  const proposal = ground.proposals.get(facts.offerId)
  return {
    offerId: facts.offerId, productId: facts.productId, name: facts.name, platform: facts.platform, region: facts.region, stock: facts.stock,
    priceCents: facts.priceCents, customerCents: facts.customerCents, commissionPercent: facts.commissionPercent, costCents: facts.costCents,
    lead: state.lead, since: state.leadSince, bestCents: facts.bestCents, seenAt: state.lead === 'behind' && facts.bestAt !== null ? Math.min(facts.bestAt, facts.seenAt) : facts.seenAt,
    perDayCents: perDay(ground, facts.offerId), ruleId: stored?.ruleId ?? null, ruleName: stored?.rule.name ?? null, reason: decision.reason, until: decision.until,
    proposal: proposal === undefined ? null : { targetCents: proposal.targetCents, targetCustomerCents: proposal.targetCustomerCents, at: proposal.at },
    sending: ground.sending.has(facts.offerId),
  }
}

const sortValue: Record<NonNullable<Inputs['market']['sort']>['column'], (each: Watched, ground: MarketGround) => number | string> = {
  lost: ({ facts }, ground) => perDay(ground, facts.offerId),
  name: ({ facts }) => sortKey(facts.name),
  customer: ({ facts }) => facts.customerCents,
  best: ({ facts }) => facts.bestCents ?? -1,
  seen: ({ facts }) => facts.seenAt,
  since: ({ state }) => state.leadSince,
}

/** A window of the offers of a tab, and how many each tab has with the other choices as they are. */
export function marketList(keeper: Keeper, ground: MarketGround, { tab = 'losing', query = '', ruleId = null, sort, window }: Inputs['market']): Outputs['market'] {
  const words = wordsOf(query)
  const { column, direction } = sort ?? { column: 'lost', direction: 'desc' }
  const fitting = [...keeper.watched().values()].filter(({ facts, stored }) => {
    if (ruleId !== null && stored?.ruleId !== ruleId) return false
    if (words.length === 0 || facts.offerId === query.trim()) return true
    const text = ` ${sortKey(`${facts.name} ${facts.platform} ${facts.region}`)}`
    return words.every((word) => text.includes(` ${word}`))
  })
  const tabs = Object.fromEntries(Object.entries(inTab).map(([name, fits]) => [name, fitting.filter((each) => fits(each, ground)).length])) as Record<MarketTab, number>
  const value = sortValue[column]
  const sign = direction === 'asc' ? 1 : -1
  const chosen = fitting.filter((each) => inTab[tab](each, ground)).map((each) => ({ each, by: value(each, ground) }))
  chosen.sort((a, b) => (a.by < b.by ? -sign : a.by > b.by ? sign : a.each.facts.name < b.each.facts.name ? -1 : 1))
  const { offset = 0, limit = 100 } = window ?? {}
  return { total: chosen.length, rows: chosen.slice(offset, offset + limit).map(({ each }) => marketRow(each, ground)), tabs }
}

/** The watch of one account in figures. */
export function overviewOf(keeper: Keeper, ground: MarketGround, now: number, listedAt: number | null): Outputs['overview'] {
  const all = [...keeper.watched().values()]
  const count = (fits: (each: Watched) => boolean): number => all.reduce((sum, each) => sum + Number(fits(each)), 0)
  const losing = all.filter((each) => inTab.losing(each, ground))
  const edges = Array.from({ length: 25 }, (_, index) => now - (24 - index) * HOUR_MS)
  const hours = leadTimes(keeper.store.db, edges)
  const day = hours.reduce((sum, { leadingMs, behindMs }) => ({ leadingMs: sum.leadingMs + leadingMs, behindMs: sum.behindMs + behindMs }), { leadingMs: 0, behindMs: 0 })
  const rules = keeper.rules()
  return {
    counts: {
      offers: all.length, watched: count(({ facts }) => isSelling(facts)), leading: count(({ state }) => state.lead === 'leading'), losing: losing.length,
      unknown: count(({ state }) => state.lead === 'unknown'), empty: count(({ facts }) => facts.status === 'active' && facts.stock <= 0), paused: count(({ facts }) => facts.status !== 'active'),
      proposals: ground.proposals.size, probing: count((each) => inTab.probing(each, ground)), held: count((each) => inTab.held(each, ground)), sending: ground.sending.size,
    },
    lostToday: losing.filter(({ state }) => state.leadSince > now - DAY_MS).length,
    lostPerDayCents: losing.reduce((sum, { facts }) => sum + perDay(ground, facts.offerId), 0),
    leadDay: shareOf(day), leadHours: hours.map(shareOf),
    rules: rules.length, auto: rules.filter(({ mode }) => mode === 'auto').length, stoppedAt: keeper.store.stoppedAt(),
    elsewhere: { offers: keeper.foreign().slice(0, 50), suspended: keeper.suspended() }, listedAt,
  }
}

/** Part of the known time in the lead of one offer, since a moment. */
export const leadSince = (keeper: Keeper, offerId: string, from: number, now: number): number | null =>
  shareOf(leadTimes(keeper.store.db, [from, now], offerId)[0] ?? { leadingMs: 0, behindMs: 0 })
