import { describe, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { PriceRule } from '../../../contract/price-watch/price-rules.ts'
import type { HoldReason, OfferFacts, WatchState } from './facts.ts'
import { decided, facts, hour, minute, rule, state } from './testing/examples.ts'
import { noon } from './testing/situations.ts'

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
        // The target is 12.44 again, because no price leads to 13.69.
        facts({ bestCents: cents(1370) }),
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

type Edge = [string, Partial<PriceRule>, Partial<OfferFacts>, Partial<WatchState>, string]
const receive = (amount: number) => ({ kind: 'receive' as const, cents: cents(amount) })
const changesAt = (...times: number[]): WatchState['changes'] =>
  times.map((at) => ({ at, fromCents: cents(1300), toCents: cents(1285) }))

describe('at the edges of a rule', () => {
  test.each<Edge>([
    ['an offer read 15 minutes ago', {}, { seenAt: noon - 15 * minute }, {}, 'undercut'],
    ['an offer read earlier', {}, { seenAt: noon - 15 * minute - 1 }, {}, 'stale'],
    ['a best price read 15 minutes ago', {}, { bestAt: noon - 15 * minute }, {}, 'undercut'],
    ['a best price read earlier', {}, { bestAt: noon - 15 * minute - 1 }, {}, 'stale'],
    ['a best price read at an unknown time', {}, { bestAt: null }, {}, 'stale'],
    ['a best price read with the own price', {}, {}, { ownSince: noon }, 'undercut'],
    ['a best price read before the own price', {}, {}, { ownSince: noon + 1 }, 'stale'],
    ['the same best price', {}, { bestCents: cents(1414) }, {}, 'undercut'],
    ['a higher best price', {}, { bestCents: cents(1415) }, {}, 'lead-unknown'],
    ['another own shop above the best', {}, { ownElsewhereCents: cents(1370) }, {}, 'undercut'],
    ['another own shop below it', {}, { ownElsewhereCents: cents(1368) }, {}, 'own-shop-leads'],
    ['an unknown commission', {}, { commissionPercent: null }, {}, 'no-commission'],
    ['an unknown lead', {}, { isCheapest: null, bestCents: cents(1414) }, {}, 'lead-unknown'],
    ['a match', { behind: { act: 'match' } }, { bestCents: cents(1414) }, {}, 'matched'],
    ['a target at the floor', { floor: receive(1244) }, {}, {}, 'undercut'],
    ['a target below the floor', { floor: receive(1245) }, {}, {}, 'at-floor'],
    ['a price at the floor', { floor: receive(1285), atFloor: 'go' }, {}, {}, 'at-floor'],
    ['a price above the floor', { floor: receive(1284), atFloor: 'go' }, {}, {}, 'to-floor'],
    ['equal limits', { floor: receive(1285), ceiling: receive(1285) }, {}, {}, 'at-floor'],
    [
      'a floor above the ceiling',
      { floor: receive(1286), ceiling: receive(1285) },
      {},
      {},
      'floor-above-ceiling',
    ],
    ['the smallest change', { leastCents: cents(41) }, {}, {}, 'undercut'],
    ['a smaller change', { leastCents: cents(42) }, {}, {}, 'too-small'],
    ['the largest change', { mostPercent: 41 / 12.85 }, {}, {}, 'undercut'],
    ['a larger change', { mostPercent: 3.19 }, {}, {}, 'too-far'],
    ['a larger raise', { floor: receive(1600) }, {}, {}, 'too-far'],
    ['a change 15 minutes ago', {}, {}, { changes: changesAt(noon - 15 * minute) }, 'undercut'],
    ['a later change', {}, {}, { changes: changesAt(noon - 15 * minute + 1) }, 'cooling-down'],
    [
      'another rejected price',
      {},
      {},
      { rejected: { targetCents: cents(1243), bestCents: cents(1369) } },
      'undercut',
    ],
  ])('decides with %s', (_, some, about, remembered, reason) => {
    expect(decided(rule(some), facts(about), state(remembered)).reason).toBe(reason)
  })

  test('never undercuts a price of one cent', () => {
    const free = rule({ floor: receive(1), mostPercent: 50 })
    const cheap = { commissionPercent: 0, priceCents: cents(2), customerCents: cents(2) }
    expect(decided(free, facts({ ...cheap, bestCents: cents(2) }))).toMatchObject({
      reason: 'undercut',
      targetCents: 1,
    })
    expect(decided(free, facts({ ...cheap, bestCents: cents(1) }))).toMatchObject({
      reason: 'at-floor',
      targetCents: null,
    })
  })

  test('rounds down to an ending exactly at the floor', () => {
    const to49 = (floor: number) => decided(rule({ ending: '49', floor: receive(floor) }), facts())
    expect(to49(1226).targetCustomerCents).toBe(1349)
    expect(to49(1227).targetCustomerCents).toBe(1368)
  })

  test('never exceeds the highest price that the service accepts', () => {
    const raises = rule({
      leading: { act: 'raise', step: { by: 'amount', cents: cents(100) }, everyMs: hour },
      ceiling: { kind: 'cost', profitCents: cents(9_000_000), profitPercent: 0 },
      floor: receive(1),
    })
    const dear = facts({
      isCheapest: true,
      commissionPercent: 0,
      costCents: cents(9_000_000),
      priceCents: cents(9_999_990),
      customerCents: cents(9_999_990),
    })
    expect(decided(raises, dear, state({ lead: 'leading' }))).toMatchObject({
      reason: 'raise',
      targetCents: 10_000_000,
      ceilingCents: 18_000_000,
    })
  })
})

describe('a decision', () => {
  const counted = state({
    changes: changesAt(noon - 24 * hour, noon - 24 * hour + 1, noon - hour, noon - hour + 1),
  })
  const known = {
    targetCents: null,
    targetCustomerCents: null,
    floorCents: null,
    ceilingCents: null,
    changesToday: 0,
    changesInWindow: 0,
    until: null,
    hold: null,
  }
  test('contains the target, the limits, and the changes of the day and the window', () => {
    expect(decided(rule({ ceiling: receive(2000), coolDownMs: 0 }), facts(), counted)).toEqual({
      ...known,
      reason: 'undercut',
      targetCents: 1244,
      targetCustomerCents: 1368,
      floorCents: 1120,
      ceilingCents: 2000,
      changesToday: 3,
      changesInWindow: 1,
    })
  })
  test('contains no limits without a rule, or for an offer that isn’t selling', () => {
    expect(decided(null, facts(), counted)).toEqual({
      ...known,
      reason: 'no-rule',
      changesToday: 3,
    })
    expect(decided(rule(), facts({ stock: 0 }))).toEqual({ ...known, reason: 'not-selling' })
  })
  test('contains the limits that can be computed', () => {
    const both = rule({ ceiling: { kind: 'customer', cents: cents(2000) } })
    expect(decided(both, facts({ costCents: null }))).toEqual({
      ...known,
      reason: 'no-cost',
      ceilingCents: 1818,
    })
    expect(decided(both, facts({ commissionPercent: null }))).toEqual({
      ...known,
      reason: 'no-commission',
      floorCents: 1120,
    })
    const still = { ...both, behind: { act: 'stay' as const } }
    expect(decided(still, facts({ commissionPercent: null })).reason).toBe('no-commission')
    expect(decided(both, facts({ waits: true }))).toEqual({
      ...known,
      reason: 'outbox-waits',
      floorCents: 1120,
      ceilingCents: 1818,
    })
  })
  test('contains no customer price without a commission', () => {
    const up = rule({ floor: receive(1300) })
    expect(decided(up, facts({ commissionPercent: null }))).toMatchObject({
      reason: 'up-to-floor',
      targetCents: 1300,
      targetCustomerCents: null,
    })
  })
})

describe('keeps the price until', () => {
  test.each<[HoldReason, string]>([
    ['person', 'held'],
    ['war', 'war'],
    ['foreign', 'changed-elsewhere'],
    ['snoozed', 'snoozed'],
    ['refused', 'held-refused'],
  ])('a hold ends (%s)', (why, reason) => {
    const held = (until: number | null) =>
      decided(rule(), facts(), state({ hold: { why, until, since: noon - hour } }))
    expect(held(noon + 1)).toMatchObject({ reason, until: noon + 1, targetCents: null })
    expect(held(null)).toMatchObject({ reason, until: null, targetCents: null })
    expect(held(noon).reason).toBe('undercut')
  })
  test('the cooldown is over, longer before a raise', () => {
    const changes = changesAt(noon - 2 * hour, noon - 10 * minute)
    const paced = { coolDownMs: 11 * minute, coolUpMs: 10 * minute }
    expect(decided(rule(paced), facts(), state({ changes }))).toMatchObject({
      reason: 'cooling-down',
      until: noon + minute,
      hold: null,
    })
    const raises = rule({
      ...paced,
      leading: { act: 'raise', step: { by: 'amount', cents: cents(5) }, everyMs: minute },
    })
    const leads = facts({ isCheapest: true })
    const leading = state({ lead: 'leading', changes })
    expect(decided(raises, leads, leading).reason).toBe('raise')
    expect(decided({ ...raises, coolUpMs: hour }, leads, leading)).toMatchObject({
      reason: 'cooling-down',
      until: noon + 50 * minute,
    })
  })
  test('the oldest change of the day is 24 hours old', () => {
    const changes = changesAt(noon - 25 * hour, noon - 20 * hour, noon - 2 * hour)
    expect(decided(rule({ changesADay: 2 }), facts(), state({ changes }))).toMatchObject({
      reason: 'daily-limit',
      until: noon + 4 * hour,
      hold: null,
    })
    expect(decided(rule({ changesADay: 3 }), facts(), state({ changes })).reason).toBe('undercut')
  })
  test('a price war is over, and holds the offer for that time', () => {
    const changes = changesAt(noon - 2 * hour, noon - 50 * minute, noon - 20 * minute)
    const war = (count: number) =>
      rule({ war: { changes: count, withinMs: hour, holdMs: 3 * hour } })
    expect(decided(war(2), facts(), state({ changes }))).toMatchObject({
      reason: 'war',
      targetCents: null,
      until: noon + 3 * hour,
      hold: { why: 'war', until: noon + 3 * hour },
    })
    expect(decided(war(3), facts(), state({ changes })).reason).toBe('undercut')
  })
})

test('corrects a price outside the limits even if the change is small or recent', () => {
  const changes = changesAt(noon - minute)
  const hasty = { leastCents: cents(50), coolDownMs: hour, coolUpMs: hour }
  const corrected = (some: Partial<PriceRule>) =>
    decided(rule({ ...hasty, ...some }), facts(), state({ changes }))
  expect(corrected({ floor: receive(1286) })).toMatchObject({
    reason: 'up-to-floor',
    targetCents: 1286,
  })
  expect(corrected({ ceiling: receive(1284) })).toMatchObject({
    reason: 'down-to-ceiling',
    targetCents: 1284,
  })
  expect(corrected({ floor: receive(1285), ceiling: receive(1285) }).reason).toBe('at-floor')
})
