import fc from 'fast-check'
import { cents } from '../../../../../server/api/money.ts'
import { newRuleDefaults } from '../../../../contract/price-watch/price-rules.ts'
import type { PriceRule, PriceStep } from '../../../../contract/price-watch/price-rules.ts'
import type { WatchConditions, OfferFacts, StoredRule, WatchState } from '../facts.ts'
import { customerFor } from '../target.ts'

export const noon = Date.UTC(2026, 2, 4, 12)
const minute = 60_000
const hour = 60 * minute

const step: fc.Arbitrary<PriceStep> = fc.oneof(
  fc.record({
    by: fc.constant('amount' as const),
    cents: fc.integer({ min: 0, max: 60 }).map(cents),
  }),
  fc.record({
    by: fc.constant('percent' as const),
    percent: fc.integer({ min: 1, max: 900 }).map((hundredths) => hundredths / 100),
  }),
)
const limit = fc.oneof(
  fc.record({
    kind: fc.constant('receive' as const),
    cents: fc.integer({ min: 1, max: 6000 }).map(cents),
  }),
  fc.record({
    kind: fc.constant('customer' as const),
    cents: fc.integer({ min: 1, max: 6000 }).map(cents),
  }),
  fc.record({
    kind: fc.constant('cost' as const),
    profitCents: fc.integer({ min: 0, max: 300 }).map(cents),
    profitPercent: fc.integer({ min: 0, max: 3000 }).map((hundredths) => hundredths / 100),
  }),
)

export const anyRule: fc.Arbitrary<PriceRule> = fc
  .record({
    behind: fc.oneof(
      fc.constant({ act: 'stay' as const }),
      fc.constant({ act: 'match' as const }),
      step.map((by) => ({ act: 'undercut' as const, step: by })),
    ),
    leading: fc.oneof(
      fc.constant({ act: 'stay' as const }),
      fc.record({
        act: fc.constant('raise' as const),
        step,
        everyMs: fc.integer({ min: 5, max: 600 }).map((minutes) => minutes * minute),
      }),
    ),
    floor: limit,
    ceiling: fc.oneof(fc.constant({ kind: 'none' as const }), limit),
    atFloor: fc.constantFrom('stay' as const, 'go' as const),
    ending: fc.constantFrom(null, '99', '9', '49', '0'),
    coolDownMs: fc.integer({ min: 0, max: 60 }).map((minutes) => minutes * minute),
    coolUpMs: fc.integer({ min: 0, max: 180 }).map((minutes) => minutes * minute),
    leastCents: fc.integer({ min: 0, max: 20 }).map(cents),
    changesADay: fc.integer({ min: 1, max: 20 }),
    mostPercent: fc.integer({ min: 1, max: 50 }),
    war: fc.record({
      changes: fc.integer({ min: 2, max: 8 }),
      withinMs: fc.integer({ min: 5, max: 240 }).map((minutes) => minutes * minute),
      holdMs: fc.integer({ min: 5, max: 600 }).map((minutes) => minutes * minute),
    }),
  })
  .map((some) => ({ ...newRuleDefaults, ...some }))

const age = fc
  .oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 14 }) },
    { weight: 1, arbitrary: fc.integer({ min: 15, max: 40 }) },
  )
  .map((minutes) => minutes * minute)

/** A limit near the price, so that it matters; `from` is its lowest factor. */
function near<Limit extends PriceRule['ceiling']>(
  given: Limit,
  price: number,
  from: number,
): Limit {
  return given.kind === 'receive' || given.kind === 'customer'
    ? {
        ...given,
        cents: cents(Math.max(1, Math.round(price * (from + (given.cents % 600) / 1000)))),
      }
    : given
}

export type Situation = {
  stored: StoredRule
  facts: OfferFacts
  state: WatchState
  now: number
  conditions: WatchConditions
}

/** A share of a price in percent, rounded up; null for none. */
const shareOf = (price: number, percent: number | null) =>
  percent === null ? null : cents(Math.ceil((price * percent) / 100))
const rarely = fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0)

/** Any situation in which a price decision can be needed, likely and unlikely ones. */
export const anySituation: fc.Arbitrary<Situation> = fc
  .record({
    rule: anyRule,
    price: fc.integer({ min: 1, max: 6000 }),
    percent: fc.constantFrom(10, 8, 12.5, 0, null),
    cost: fc.option(fc.integer({ min: 40, max: 100 }), { freq: 6 }),
    ownFloor: fc.option(fc.integer({ min: 60, max: 110 }), { freq: 1 }),
    ownCeiling: fc.option(fc.integer({ min: 90, max: 160 }), { freq: 1 }),
    status: fc.constantFrom('active', 'active', 'active', 'active', 'active', 'paused'),
    stock: fc.constantFrom(0, 1, 5, 20, 200, 2000),
    cheapest: fc.constantFrom(true, true, false, false, false, null),
    best: fc.option(fc.integer({ min: -200, max: 20 })),
    seenAge: age,
    bestAge: age,
    ownAge: fc.integer({ min: 0, max: 900 }),
    elsewhere: fc.option(fc.integer({ min: -300, max: 300 }), { freq: 4 }),
    waits: rarely,
    stopped: rarely,
    changes: fc.array(fc.integer({ min: 0, max: 26 * 60 }), { maxLength: 6 }),
    probe: fc.option(fc.integer({ min: 1, max: 60 })),
    failed: fc.option(fc.integer({ min: -20, max: 60 })),
    hold: fc.option(
      fc.record({
        why: fc.constantFrom(
          'person' as const,
          'war' as const,
          'foreign' as const,
          'snoozed' as const,
        ),
        forMs: fc.option(fc.integer({ min: -60, max: 60 })),
      }),
      { freq: 1 },
    ),
  })
  .map((given) => {
    const now = noon
    const customer =
      given.percent === null
        ? Math.round(given.price * 1.1)
        : customerFor(cents(given.price), given.percent)
    const facts: OfferFacts = {
      offerId: 'off_1',
      productId: 'p1',
      name: 'Hollow Tide',
      platform: 'Steam',
      region: 'Global',
      productType: 'game',
      deliveryType: 'key',
      status: given.status,
      stock: given.stock,
      priceCents: cents(given.price),
      customerCents: cents(customer),
      commissionPercent: given.percent,
      costCents: shareOf(given.price, given.cost),
      ownFloorCents: shareOf(given.price, given.ownFloor),
      ownCeilingCents: shareOf(given.price, given.ownCeiling),
      isCheapest: given.cheapest,
      seenAt: now - given.seenAge,
      bestCents: given.best === null ? null : cents(Math.max(1, customer + given.best)),
      bestAt: given.best === null ? null : now - given.bestAge,
      ownElsewhereCents:
        given.elsewhere === null ? null : cents(Math.max(1, customer + given.elsewhere)),
      waits: given.waits,
    }
    const state: WatchState = {
      lead: given.cheapest === true ? 'leading' : given.cheapest === false ? 'behind' : 'unknown',
      leadSince: now - given.ownAge * minute,
      ownCents: cents(given.price),
      ownSince: now - given.ownAge * minute,
      changes: given.changes
        .map((ago) => now - ago * minute)
        .sort((a, b) => a - b)
        .map((at) => ({ at, fromCents: cents(given.price + 1), toCents: cents(given.price) })),
      probe:
        given.probe === null
          ? null
          : {
              fromCents: cents(Math.max(1, given.price - given.probe)),
              toCents: cents(given.price),
              at: now - hour,
            },
      failed:
        given.failed === null
          ? null
          : { cents: cents(Math.max(1, given.price + given.failed)), at: now - 2 * hour },
      rejected: null,
      hold:
        given.hold === null
          ? null
          : {
              why: given.hold.why,
              until: given.hold.forMs === null ? null : now + given.hold.forMs * minute,
              since: now - hour,
            },
    }
    return {
      stored: {
        ruleId: 'r1',
        revision: 1,
        mode: 'auto',
        rule: {
          ...given.rule,
          floor: near(given.rule.floor, given.price, 0.5),
          ceiling: near(given.rule.ceiling, given.price, 0.9),
        },
      },
      facts,
      state,
      now,
      conditions: { stopped: given.stopped, staleMs: 15 * minute },
    }
  })
