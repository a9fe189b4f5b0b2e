import { describe, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { newRuleDefaults } from '../../../contract/price-watch/price-rules.ts'
import type { PriceRule } from '../../../contract/price-watch/price-rules.ts'
import { decide } from './decide.ts'
import type { OfferFacts, WatchState } from './facts.ts'
import { ruleFor } from './fits.ts'
import { isWithin } from './hours.ts'
import { afterChange, observe } from './state.ts'
import { endingDown } from './target.ts'
import { noon } from './testing/situations.ts'

const minute = 60_000
const hour = 60 * minute

const facts = (some: Partial<OfferFacts> = {}): OfferFacts => ({
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
  isCheapest: false,
  seenAt: noon,
  bestCents: cents(1369),
  bestAt: noon,
  ownElsewhereCents: null,
  waits: false,
  ...some,
})
const state = (some: Partial<WatchState> = {}): WatchState => ({
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
const rule = (some: Partial<PriceRule> = {}): PriceRule => ({
  ...newRuleDefaults,
  name: 'Steam keys',
  floor: { kind: 'cost', profitCents: cents(140), profitPercent: 0 },
  ...some,
})
const decided = (
  of: PriceRule,
  about: OfferFacts,
  remembered: WatchState = state(),
  now = noon,
  stopped = false,
) =>
  decide({ ruleId: 'r1', revision: 1, mode: 'propose', rule: of }, about, remembered, now, {
    stopped,
    staleMs: 15 * minute,
  })

const raises = rule({
  leading: { act: 'raise', step: { by: 'amount', cents: cents(5) }, everyMs: 6 * hour },
  ceiling: { kind: 'customer', cents: cents(2995) },
})
const leading = facts({ isCheapest: true, bestCents: cents(1414) })
const since = (ms: number): WatchState =>
  state({ lead: 'leading', leadSince: noon - ms, ownSince: noon - ms })

describe('behind', () => {
  test.each([
    [
      'undercuts by an amount, in customer prices',
      rule(),
      {
        reason: 'undercut',
        targetCents: cents(1244),
        targetCustomerCents: cents(1368),
        floorCents: cents(1120),
      },
    ],
    [
      'undercuts by a percentage',
      rule({ behind: { act: 'undercut', step: { by: 'percent', percent: 2 } } }),
      { reason: 'undercut', targetCustomerCents: cents(1341) },
    ],
    [
      'matches with the nearest price that the commission allows',
      rule({ behind: { act: 'match' } }),
      { reason: 'match', targetCustomerCents: cents(1368) },
    ],
    [
      'rounds down to an ending',
      rule({ ending: '49' }),
      { reason: 'undercut', targetCustomerCents: cents(1349) },
    ],
    [
      'does not round below the floor',
      rule({ ending: '49', floor: { kind: 'customer', cents: cents(1360) } }),
      { reason: 'undercut', targetCustomerCents: cents(1368) },
    ],
    [
      'keeps the price if the rule says so',
      rule({ behind: { act: 'stay' } }),
      { reason: 'told-to-stay', targetCents: null },
    ],
    [
      'keeps the price rather than going below the floor',
      rule({ floor: { kind: 'receive', cents: cents(1250) } }),
      { reason: 'at-floor', targetCents: null },
    ],
    [
      'goes down to the floor if the rule says so',
      rule({ floor: { kind: 'receive', cents: cents(1250) }, atFloor: 'go' }),
      { reason: 'to-floor', targetCents: cents(1250) },
    ],
    [
      'skips small changes',
      rule({ leastCents: cents(50) }),
      { reason: 'too-small', targetCents: null },
    ],
    [
      'leaves large changes to a person',
      rule({ mostPercent: 3 }),
      { reason: 'too-far', targetCents: null },
    ],
    [
      'changes nothing if the floor is above the ceiling',
      rule({ ceiling: { kind: 'receive', cents: cents(1000) } }),
      { reason: 'floor-above-ceiling', targetCents: null },
    ],
    [
      'pauses outside its hours',
      rule({ hours: { days: [3], from: 13 * 60, to: 14 * 60, zone: 'UTC' } }),
      { reason: 'out-of-hours', targetCents: null },
    ],
  ])('%s', (_, of, expected) => {
    expect(decided(of, facts())).toMatchObject(expected)
  })

  test.each([
    [
      'the best price is older than the current own price',
      facts({ bestAt: noon - 2 * hour }),
      state({ ownSince: noon - hour }),
      'stale',
    ],
    ['the offer was read too long ago', facts({ seenAt: noon - hour }), state(), 'stale'],
    [
      'the best price is unknown',
      facts({ bestCents: null, bestAt: null }),
      state(),
      'best-unknown',
    ],
    ['no other offer is cheaper', facts({ bestCents: cents(1500) }), state(), 'lead-unknown'],
    [
      'another shop of the seller is the cheapest',
      facts({ ownElsewhereCents: cents(1369) }),
      state(),
      'own-shop-leads',
    ],
    ['the cost is unknown', facts({ costCents: null }), state(), 'no-cost'],
    ['it is paused', facts({ status: 'paused' }), state(), 'not-selling'],
    ['it is empty', facts({ stock: 0 }), state(), 'not-selling'],
    ['a change is queued in the outbox', facts({ waits: true }), state(), 'outbox-waits'],
    [
      'someone else set its price',
      facts(),
      state({ hold: { why: 'foreign', until: null, since: noon } }),
      'changed-elsewhere',
    ],
    [
      'a person rejected this price',
      facts(),
      state({ rejected: { targetCents: cents(1244), bestCents: cents(1369) } }),
      'rejected',
    ],
    [
      'it changed a moment ago',
      facts(),
      state({ changes: [{ at: noon - minute, fromCents: cents(1300), toCents: cents(1285) }] }),
      'cooling-down',
    ],
    [
      'it reached the daily limit',
      facts(),
      state({
        changes: Array.from({ length: 12 }, (_, index) => ({
          at: noon - (20 - index) * hour,
          fromCents: cents(1300),
          toCents: cents(1285),
        })),
      }),
      'daily-limit',
    ],
    [
      'there is a price war',
      facts(),
      state({
        changes: Array.from({ length: 6 }, (_, index) => ({
          at: noon - (50 - index) * minute,
          fromCents: cents(1300),
          toCents: cents(1285),
        })),
      }),
      'war',
    ],
  ])('keeps the price while %s', (_, about, remembered, reason) => {
    expect(decided(rule(), about, remembered)).toMatchObject({ reason, targetCents: null })
  })

  test('keeps the price while sending is stopped', () => {
    expect(decided(rule(), facts(), state(), noon, true)).toMatchObject({
      reason: 'stopped',
      targetCents: null,
    })
  })
  test('proposes a rejected price again when the best price changes', () => {
    expect(
      decided(
        rule(),
        facts({ bestCents: cents(1368) }),
        state({ rejected: { targetCents: cents(1244), bestCents: cents(1369) } }),
      ).reason,
    ).toBe('undercut')
  })
  test('raises a price below its floor, and lowers a price above its ceiling', () => {
    expect(
      decided(rule({ floor: { kind: 'receive', cents: cents(1400) } }), facts()),
    ).toMatchObject({
      reason: 'up-to-floor',
      targetCents: cents(1400),
    })
    expect(
      decided(rule({ ceiling: { kind: 'customer', cents: cents(1300) } }), facts()),
    ).toMatchObject({
      reason: 'down-to-ceiling',
      targetCustomerCents: cents(1300),
    })
  })
})

describe('leading', () => {
  test('never goes down, because the best price is its own', () => {
    expect(decided(rule(), leading, since(hour))).toMatchObject({
      reason: 'leading',
      targetCents: null,
    })
  })
  test('raises by a step after leading long enough', () => {
    expect(decided(raises, leading, since(7 * hour))).toMatchObject({
      reason: 'raise',
      targetCustomerCents: cents(1419),
    })
    expect(decided(raises, leading, since(5 * hour))).toMatchObject({
      reason: 'leading',
      targetCents: null,
      until: noon + hour,
    })
  })
  test('stops at the ceiling', () => {
    const low = { ...raises, ceiling: { kind: 'customer', cents: cents(1416) } } as const
    expect(decided(low, leading, since(7 * hour))).toMatchObject({
      reason: 'raise',
      targetCustomerCents: cents(1416),
    })
    expect(
      decided(
        { ...low, ceiling: { kind: 'customer', cents: cents(1414) } },
        leading,
        since(7 * hour),
      ).reason,
    ).toBe('at-ceiling')
  })
  test('steps back when a raise loses the lead, and doesn’t retry that price for a day', () => {
    const raised = afterChange(since(7 * hour), {
      at: noon - minute,
      fromCents: cents(1285),
      toCents: cents(1290),
      reason: 'raise',
    })
    const lost = facts({
      priceCents: cents(1290),
      customerCents: cents(1419),
      bestCents: cents(1416),
    })
    const back = decided(raises, lost, observe(raised, lost, true))
    expect(back).toMatchObject({ reason: 'step-back', targetCents: cents(1285) })
    const stepped = afterChange(raised, {
      at: noon,
      fromCents: cents(1290),
      toCents: cents(1285),
      reason: 'step-back',
    })
    const again = { ...leading, seenAt: noon + 8 * hour }
    expect(
      decided(
        raises,
        again,
        observe({ ...stepped, lead: 'behind' }, { ...again, seenAt: noon + minute }, true),
        noon + 8 * hour,
      ),
    ).toMatchObject({ reason: 'leading', targetCents: null })
    expect(
      decided(
        raises,
        { ...again, seenAt: noon + 25 * hour },
        { ...stepped, lead: 'leading', leadSince: noon + minute, changes: [] },
        noon + 25 * hour,
      ).reason,
    ).toBe('raise')
  })
  test('treats a rival below the price before the raise like any other', () => {
    const raised = afterChange(since(7 * hour), {
      at: noon - hour,
      fromCents: cents(1285),
      toCents: cents(1290),
      reason: 'raise',
    })
    expect(
      decided(
        raises,
        facts({ priceCents: cents(1290), customerCents: cents(1419), bestCents: cents(1400) }),
        raised,
      ).reason,
    ).toBe('undercut')
  })
})

describe('state', () => {
  const changed = afterChange(state(), {
    at: noon,
    fromCents: cents(1285),
    toCents: cents(1244),
    reason: 'undercut',
  })
  test('holds an offer changed by a rule after its price was set elsewhere', () => {
    expect(
      observe(
        changed,
        facts({ priceCents: cents(1200), customerCents: cents(1320), seenAt: noon + minute }),
        false,
      ).hold,
    ).toMatchObject({ why: 'foreign', until: null })
    expect(
      observe(
        changed,
        facts({ priceCents: cents(1200), customerCents: cents(1320), seenAt: noon + minute }),
        true,
      ).hold,
    ).toBeNull()
    expect(
      observe(
        state(),
        facts({ priceCents: cents(1200), customerCents: cents(1320), seenAt: noon + minute }),
        false,
      ).hold,
    ).toBeNull()
  })
  test('changes the lead when the service reports it', () => {
    expect(observe(state(), leading, true)).toMatchObject({ lead: 'leading', leadSince: noon })
    expect(observe(state(), facts(), true)).toMatchObject({
      lead: 'behind',
      leadSince: noon - 4 * hour,
    })
  })
})

test('applies the first rule in force that matches', () => {
  const steam = rule({
    name: 'Steam',
    scope: {
      kind: 'filter',
      platforms: ['Steam'],
      regions: [],
      productTypes: [],
      deliveryTypes: [],
      fromCents: null,
      toCents: null,
    },
  })
  const rules = [
    { ruleId: 'off', revision: 1, mode: 'off', rule: rule() },
    { ruleId: 'later', revision: 1, mode: 'auto', rule: rule({ startsAt: noon + 1 }) },
    {
      ruleId: 'one',
      revision: 1,
      mode: 'propose',
      rule: rule({ scope: { kind: 'offers', offerIds: ['off_9'] } }),
    },
    { ruleId: 'steam', revision: 1, mode: 'propose', rule: steam },
    { ruleId: 'rest', revision: 1, mode: 'propose', rule: rule() },
  ] as const
  expect(ruleFor(rules, facts(), noon)?.ruleId).toBe('steam')
  expect(ruleFor(rules, facts({ offerId: 'off_9' }), noon)?.ruleId).toBe('one')
  expect(ruleFor(rules, facts({ platform: 'GOG' }), noon)?.ruleId).toBe('rest')
  expect(ruleFor(rules, facts({ platform: 'GOG' }), noon + 1)?.ruleId).toBe('later')
})

test('follows local time in hours over midnight and through daylight saving changes', () => {
  const night = { days: [5], from: 22 * 60, to: 6 * 60, zone: 'Europe/Berlin' }
  expect(isWithin(night, Date.UTC(2026, 2, 27, 21, 30))).toBe(true)
  expect(isWithin(night, Date.UTC(2026, 2, 28, 4, 30))).toBe(true)
  expect(isWithin(night, Date.UTC(2026, 2, 28, 5, 30))).toBe(false)
  expect(isWithin(night, Date.UTC(2026, 2, 27, 4, 30))).toBe(false)
  const day = { days: [0, 1, 2, 3, 4, 5, 6], from: 9 * 60, to: 10 * 60, zone: 'Europe/Berlin' }
  expect(isWithin(day, Date.UTC(2026, 2, 28, 8, 30))).toBe(true)
  expect(isWithin(day, Date.UTC(2026, 2, 29, 8, 30))).toBe(false)
  expect(isWithin(day, Date.UTC(2026, 2, 29, 7, 30))).toBe(true)
})

test.each([
  [1368, '99', 1299],
  [1399, '99', 1399],
  [1368, '9', 1359],
  [50, '99', 50],
  [100, '0', 100],
])('rounds %i to the ending %s: %i', (customer, ending, expected) => {
  expect(endingDown(cents(customer), ending)).toBe(expected)
})
