import { describe, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { isChange } from './reasons.ts'
import { afterChange, isSelling, leadOf, notAfter, observe } from './state.ts'
import { facts, hour, minute, state } from './testing/examples.ts'
import { noon } from './testing/situations.ts'

const day = 24 * hour

test.each([
  ['active', 1, true],
  ['active', 0, false],
  ['paused', 1, false],
])('an offer that is %s with a stock of %i is selling: %s', (status, stock, expected) => {
  expect(isSelling({ status, stock })).toBe(expected)
})

describe('the lead', () => {
  test.each([
    ['is reported by the service', { isCheapest: true }, 'leading'],
    ['is reported by the service as lost', { isCheapest: false }, 'behind'],
    ['doesn’t matter for an empty offer', { isCheapest: true, stock: 0 }, 'none'],
    ['is lost to a lower best price', { isCheapest: null }, 'behind'],
    [
      'is unknown if the best price can be the own price',
      { isCheapest: null, bestCents: cents(1414) },
      'unknown',
    ],
    ['is unknown without a best price', { isCheapest: null, bestCents: null }, 'unknown'],
    [
      'is unknown without the time of the best price',
      { isCheapest: null, bestAt: null },
      'unknown',
    ],
    [
      'is unknown if the best price is older than the own price',
      { isCheapest: null, bestAt: noon - hour - 1 },
      'unknown',
    ],
    [
      'is lost to a best price read with the own price',
      { isCheapest: null, bestAt: noon - hour },
      'behind',
    ],
  ] as const)('%s', (_, some, expected) => {
    expect(leadOf(facts(some), noon - hour)).toBe(expected)
  })
})

describe('observing an offer', () => {
  const changed = afterChange(state(), {
    at: noon,
    fromCents: cents(1300),
    toCents: cents(1285),
    reason: 'undercut',
  })
  const moved = facts({
    priceCents: cents(1200),
    customerCents: cents(1320),
    seenAt: noon + minute,
  })

  test('starts with nothing but its price and lead', () => {
    expect(observe(null, facts(), false)).toEqual({
      lead: 'behind',
      leadSince: noon,
      ownCents: 1285,
      ownSince: noon,
      changes: [],
      probe: null,
      failed: null,
      hold: null,
      rejected: null,
    })
  })
  test('changes nothing if price and lead are the same', () => {
    const before = state()
    expect(observe(before, facts(), false)).toBe(before)
  })
  test('changes the lead when the service reports it', () => {
    expect(observe(state(), facts({ isCheapest: true }), true)).toEqual(
      state({ lead: 'leading', leadSince: noon }),
    )
  })
  test('forgets the raise and the rejected price when the price changes, but not a hold', () => {
    const before = state({
      probe: { fromCents: cents(1280), toCents: cents(1285), at: noon },
      failed: { cents: cents(1290), at: noon },
      rejected: { targetCents: cents(1244), bestCents: cents(1369) },
      hold: { why: 'person', until: null, since: noon },
    })
    expect(observe(before, moved, true)).toEqual({
      ...before,
      ownCents: 1200,
      ownSince: noon + minute,
      probe: null,
      rejected: null,
    })
  })
  test('holds an offer changed by a rule after its price was set elsewhere', () => {
    expect(observe(changed, moved, false).hold).toEqual({
      why: 'foreign',
      until: null,
      since: noon + minute,
    })
    expect(observe(changed, moved, true).hold, 'set by this console').toBeNull()
    expect(observe(state(), moved, false).hold, 'never changed by a rule').toBeNull()
  })
  test.each([
    [noon + day - 1, 'foreign'],
    [noon + day, undefined],
  ])('holds it only if a rule changed it within a day: at %i, %s', (seenAt, why) => {
    expect(observe(changed, { ...moved, seenAt }, false).hold?.why).toBe(why)
  })
})

describe('after a change', () => {
  const change = { at: noon, fromCents: cents(1285), toCents: cents(1290) }
  const old = { at: noon - day, fromCents: cents(1200), toCents: cents(1250) }
  const recent = { at: noon - day + 1, fromCents: cents(1250), toCents: cents(1285) }
  const before = state({
    changes: [old, recent],
    probe: { fromCents: cents(1250), toCents: cents(1285), at: noon - hour },
    failed: { cents: cents(1400), at: noon - hour },
    rejected: { targetCents: cents(1244), bestCents: cents(1369) },
  })

  test('knows the changes of the last 24 hours, and what a raise led with', () => {
    expect(afterChange(before, { ...change, reason: 'raise' })).toEqual({
      ...before,
      ownCents: 1290,
      ownSince: noon,
      changes: [recent, change],
      probe: { fromCents: 1285, toCents: 1290, at: noon },
      rejected: null,
    })
  })
  test('knows the price that lost the lead', () => {
    expect(afterChange(before, { ...change, reason: 'step-back' })).toMatchObject({
      probe: null,
      failed: { cents: 1285, at: noon },
    })
  })
})

test('distinguishes reasons for a change from reasons for keeping a price', () => {
  expect(['match', 'undercut', 'raise', 'to-floor'].map(isChange)).toEqual([true, true, true, true])
  expect(['leading', 'applied', ''].map(isChange)).toEqual([false, false, false])
})

describe('a state when the clock was set back', () => {
  test('has no times in the future, and a hold lasts as long as before', () => {
    const change = { at: noon, fromCents: cents(1250), toCents: cents(1285) }
    const before = state({
      leadSince: noon - 9 * hour,
      ownSince: noon,
      changes: [{ ...change, at: noon - 9 * hour }, change],
      probe: change,
      failed: { cents: cents(1400), at: noon },
      hold: { why: 'refused', since: noon, until: noon + hour },
    })
    const now = noon - 8 * hour
    expect(notAfter(before, now)).toEqual({
      ...before,
      ownSince: now,
      changes: [before.changes[0], { ...change, at: now }],
      probe: { ...change, at: now },
      failed: { cents: cents(1400), at: now },
      hold: { why: 'refused', since: now, until: now + hour },
    })
  })

  test('is unchanged otherwise, and while there is none', () => {
    const before = state({ leadSince: noon, ownSince: noon })
    expect(notAfter(before, noon)).toBe(before)
    expect(notAfter(null, noon)).toBeNull()
  })
})
