import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents, ZERO } from '../../../../../server/api/money.ts'
import type { BulkChange, Reprice } from '../../../../contract/offers/offer-bulk.ts'
import type { OfferRow } from '../../../../contract/offers/offers.ts'
import { customerAt, planOffer } from './rules.ts'
import type { PriceLimits } from './rules.ts'

const offer = (more: Partial<OfferRow> = {}): OfferRow => ({
  offerId: 'off_1',
  productId: 'prd_1',
  name: 'Cinderkeep',
  platform: 'Steam',
  region: 'Europe',
  productType: 'game',
  deliveryType: 'key',
  priceCents: cents(1000),
  customerCents: cents(1100),
  commission: { class: 'keys', percent: 10 },
  status: 'active',
  stock: 8,
  sold: 3,
  isCheapest: false,
  lowestCustomerCents: cents(1050),
  costCents: null,
  lowAt: null,
  ownFloorCents: null,
  ownCeilingCents: null,
  updatedAt: 0,
  seenAt: 0,
  pending: null,
  ...more,
})
const price = (how: Reprice, keepFloor = true): BulkChange => ({ kind: 'price', how, keepFloor })
const free: PriceLimits = { floorCents: null, ceilingCents: null }
const to = (row: OfferRow, change: BulkChange, limits = free) => {
  const { verdict, note, after } = planOffer(row, change, limits)
  return [verdict, note, after.priceCents]
}

test('changes a price by an amount, by a percentage (rounding half up), to the best price, or below it', () => {
  expect(to(offer(), price({ by: 'amount', cents: cents(-25) }))).toEqual(['changes', null, 975])
  expect(
    to(
      offer({ isCheapest: null, priceCents: cents(150) }),
      price({ by: 'percent', hundredths: -300 }),
    ),
  ).toEqual(['changes', null, 146])
  expect(
    to(
      offer({ isCheapest: null, priceCents: cents(1285) }),
      price({ by: 'percent', hundredths: -300 }),
    ),
  ).toEqual(['changes', null, 1246])
  const match = planOffer(offer({ lowestCustomerCents: cents(1045) }), price({ by: 'match' }), free)
  expect(match.after).toMatchObject({
    customerCents: cents(1045),
    leads: false,
    aheadCents: cents(0),
  })
  expect(planOffer(offer(), price({ by: 'undercut', cents: cents(1) }), free)).toMatchObject({
    note: 'takes-lead',
    after: { customerCents: cents(1049), leads: true, aheadCents: cents(1) },
  })
})

test('never undercuts its own lead, and leaves out offers with unknown prices', () => {
  expect(
    to(
      offer({ isCheapest: true, lowestCustomerCents: cents(1100) }),
      price({ by: 'undercut', cents: cents(1) }),
    ),
  ).toEqual(['stays', 'leads-already', 1000])
  expect(to(offer({ lowestCustomerCents: null }), price({ by: 'match' }))).toEqual([
    'left-out',
    'no-best-price',
    1000,
  ])
  expect(to(offer({ commission: null }), price({ by: 'match' }))).toEqual([
    'left-out',
    'no-commission',
    1000,
  ])
  expect(to(offer({ priceCents: cents(20) }), price({ by: 'amount', cents: cents(-20) }))).toEqual([
    'left-out',
    'too-low',
    20,
  ])
})

test('stops at the floor, or only warns about it', () => {
  const limits = { floorCents: cents(980), ceilingCents: cents(1200) }
  expect(to(offer(), price({ by: 'amount', cents: cents(-50) }), limits)).toEqual([
    'changes',
    'stops-at-floor',
    980,
  ])
  expect(
    to(offer({ priceCents: cents(980) }), price({ by: 'amount', cents: cents(-50) }), limits),
  ).toEqual(['stays', 'at-floor', 980])
  expect(
    to(offer({ priceCents: cents(900) }), price({ by: 'amount', cents: cents(-50) }), limits),
  ).toEqual(['stays', 'at-floor', 900])
  expect(to(offer(), price({ by: 'amount', cents: cents(-50) }, false), limits)).toEqual([
    'changes',
    'below-floor',
    950,
  ])
  expect(to(offer(), price({ by: 'amount', cents: cents(500) }), limits)).toEqual([
    'changes',
    'stops-at-ceiling',
    1200,
  ])
})

test('leaves out offers with a queued or running change', () => {
  const pending = { priceCents: cents(5), status: null, problem: null }
  expect(
    to(
      offer({ pending: { ...pending, state: 'waits' } }),
      price({ by: 'amount', cents: cents(1) }),
    ),
  ).toEqual(['left-out', 'waits-in-outbox', 1000])
  expect(
    to(offer({ pending: { ...pending, state: 'saving' } }), { kind: 'status', status: 'paused' }),
  ).toEqual(['left-out', 'being-changed', 1000])
})

test('never goes below an enforced floor or below a cent, and never claims a lead that the prices contradict', () => {
  const how = fc.oneof(
    fc.record({
      by: fc.constant('amount' as const),
      cents: fc.integer({ min: -3000, max: 3000 }).map(cents),
    }),
    fc.record({
      by: fc.constant('percent' as const),
      hundredths: fc.integer({ min: -9900, max: 9900 }),
    }),
    fc.constant({ by: 'match' as const }),
    fc.record({
      by: fc.constant('undercut' as const),
      cents: fc.integer({ min: 1, max: 500 }).map(cents),
    }),
  )
  const row = fc.record({
    priceCents: fc.integer({ min: 1, max: 5000 }).map(cents),
    lowestCustomerCents: fc.option(fc.integer({ min: 1, max: 6000 }).map(cents)),
    isCheapest: fc.constantFrom(true, false, null),
    stock: fc.integer({ min: 0, max: 3 }),
    status: fc.constantFrom('active', 'paused'),
  })
  fc.assert(
    fc.property(
      row,
      how,
      fc.option(fc.integer({ min: 1, max: 5000 }).map(cents)),
      (facts, rule, floor) => {
        const base = offer(facts)
        const now = { ...base, customerCents: customerAt(base, facts.priceCents) ?? ZERO }
        const { verdict, after } = planOffer(now, price(rule), {
          floorCents: floor,
          ceilingCents: null,
        })
        const wanted = after.priceCents ?? 0
        expect(wanted).toBeGreaterThanOrEqual(1)
        if (floor !== null && wanted < facts.priceCents)
          expect(wanted).toBeGreaterThanOrEqual(floor)
        if (verdict !== 'changes') expect(wanted).toBe(facts.priceCents)
        if (verdict === 'changes' && after.leads === true && facts.isCheapest === false)
          expect(after.customerCents).toBeLessThan(facts.lowestCustomerCents ?? 0)
        if (facts.status === 'paused' || facts.stock === 0) expect(after.leads).toBeNull()
      },
    ),
    { numRuns: 400 },
  )
})
