import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cents, customerPrice, percentHundredths } from '../../../../server/api/money.ts'
import type { PriceCeiling, PriceFloor } from '../../../contract/price-watch/price-rules.ts'
import { ceilingOf, floorOf } from './bounds.ts'

const known = {
  costCents: cents(980),
  commissionPercent: 10,
  ownFloorCents: null,
  ownCeilingCents: null,
}
const customer = (limit: number): PriceFloor => ({ kind: 'customer', cents: cents(limit) })
const cost = (profit: number, profitPercent: number): PriceFloor => ({
  kind: 'cost',
  profitCents: cents(profit),
  profitPercent,
})

describe.each([
  ['floor', floorOf],
  ['ceiling', ceilingOf],
] as const)('a %s', (_, limitOf) => {
  test.each([
    ['an amount that the seller receives', { kind: 'receive', cents: cents(1250) }, 1250],
    ['the cost and a profit', cost(140, 0), 1120],
    ['the cost and a percentage of it', cost(0, 10), 1078],
    ['the cost and both, rounded up to a cent', cost(140, 0.01), 1121],
  ] as const)('is %s', (_what, limit, expected) => {
    expect(limitOf(limit, known)).toEqual({ ok: true, cents: expected })
  })

  test('is unknown without the facts that it needs', () => {
    const nothing = { ...known, costCents: null, commissionPercent: null }
    expect(limitOf(cost(140, 0), nothing)).toEqual({ ok: false, reason: 'no-cost' })
    expect(limitOf(customer(1414), nothing)).toEqual({ ok: false, reason: 'no-commission' })
    expect(limitOf({ kind: 'receive', cents: cents(9) }, nothing)).toEqual({ ok: true, cents: 9 })
  })
})

test('the own limits of an offer narrow those of its rule, and never widen them', () => {
  const own = (floor: number | null, ceiling: number | null) => ({
    ...known,
    ownFloorCents: floor === null ? null : cents(floor),
    ownCeilingCents: ceiling === null ? null : cents(ceiling),
  })
  const receive = { kind: 'receive', cents: cents(1250) } as const
  const both = (of: ReturnType<typeof own>) => [floorOf(receive, of), ceilingOf(receive, of)]
  const is = (amount: number | null) => ({ ok: true, cents: amount })
  expect(both(own(null, null))).toEqual([is(1250), is(1250)])
  expect(both(own(1300, 1200))).toEqual([is(1300), is(1200)])
  expect(both(own(1200, 1300))).toEqual([is(1250), is(1250)])
  expect(ceilingOf({ kind: 'none' }, own(null, 1300))).toEqual(is(1300))
  expect(floorOf(cost(140, 0), { ...own(1300, null), costCents: null })).toEqual({
    ok: false,
    reason: 'no-cost',
  })
})

test('a rule without a ceiling has no highest price', () => {
  const none: PriceCeiling = { kind: 'none' }
  expect(ceilingOf(none, known)).toEqual({ ok: true, cents: null })
})

test.each([
  [1, 1, 1],
  [2, 2, 2],
  [1414, 1285, 1285],
  // With a commission of 10 %, no price costs the customer exactly 13.69.
  [1369, 1245, 1244],
])('a customer price of %i cents is a floor of %i and a ceiling of %i', (limit, floor, ceiling) => {
  expect([floorOf(customer(limit), known), ceilingOf(customer(limit), known)]).toEqual([
    { ok: true, cents: floor },
    { ok: true, cents: ceiling },
  ])
})

test('a limit in customer prices is the nearest price that keeps it, at any commission', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 100_000 }),
      fc.integer({ min: 0, max: 4000 }).map((hundredths) => hundredths / 100),
      (limit, commissionPercent) => {
        const hundredths = percentHundredths(commissionPercent)
        const pays = (price: number): number => customerPrice(cents(price), hundredths)
        const facts = { ...known, costCents: null, commissionPercent }
        const floor = floorOf(customer(limit), facts)
        const ceiling = ceilingOf(customer(limit), facts)
        if (!floor.ok || !ceiling.ok || ceiling.cents === null) throw new Error('no limit')
        expect(pays(floor.cents)).toBeGreaterThanOrEqual(limit)
        expect(pays(floor.cents - 1)).toBeLessThan(limit)
        expect(pays(ceiling.cents)).toBeLessThanOrEqual(limit)
        expect(pays(ceiling.cents + 1)).toBeGreaterThan(limit)
      },
    ),
  )
})
