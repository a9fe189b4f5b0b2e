import { cents } from '../../../../../server/api/money.ts'
import { newRuleDefaults } from '../../../../contract/price-watch/price-rules.ts'
import type { PriceRule } from '../../../../contract/price-watch/price-rules.ts'
import { decide } from '../decide.ts'
import type { Decision, OfferFacts, WatchState } from '../facts.ts'
import { noon } from './situations.ts'

export const minute = 60_000
export const hour = 60 * minute

/** An offer for €14.14 with a commission of 10 %, behind another offer for €13.69. */
export const facts = (some: Partial<OfferFacts> = {}): OfferFacts => ({
  offerId: 'off_1',
  productId: 'p1',
  name: 'Hollow Tide',
  platform: 'Steam',
  region: 'Global',
  productType: 'game',
  deliveryType: 'key',
  status: 'active',
  stock: 412,
  priceCents: cents(1285),
  customerCents: cents(1414),
  commissionPercent: 10,
  costCents: cents(980),
  ownFloorCents: null,
  ownCeilingCents: null,
  isCheapest: false,
  seenAt: noon,
  bestCents: cents(1369),
  bestAt: noon,
  ownElsewhereCents: null,
  waits: false,
  ...some,
})

/** The state of that offer: behind for four hours, with the same price for a day. */
export const state = (some: Partial<WatchState> = {}): WatchState => ({
  lead: 'behind',
  leadSince: noon - 4 * hour,
  ownCents: cents(1285),
  ownSince: noon - 24 * hour,
  changes: [],
  probe: null,
  failed: null,
  hold: null,
  rejected: null,
  ...some,
})

/** A rule that undercuts by a cent, with a floor of €11.20. */
export const rule = (some: Partial<PriceRule> = {}): PriceRule => ({
  ...newRuleDefaults,
  name: 'Steam keys',
  floor: { kind: 'cost', profitCents: cents(140), profitPercent: 0 },
  ...some,
})

/** The decision of a rule at noon, with readings that are stale after 15 minutes. */
export const decided = (
  of: PriceRule | null,
  about: OfferFacts,
  remembered: WatchState = state(),
  now = noon,
  stopped = false,
): Decision =>
  decide(
    of === null ? null : { ruleId: 'r1', revision: 1, mode: 'propose', rule: of },
    about,
    remembered,
    now,
    { stopped, staleMs: 15 * minute },
  )
