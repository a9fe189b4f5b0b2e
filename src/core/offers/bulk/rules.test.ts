import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BulkChange, Reprice } from '../../../contract/offer-bulk.ts'
import type { OfferRow } from '../../../contract/offers.ts'
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
  priceCents: 1000,
  customerCents: 1100,
  commission: { class: 'keys', percent: 10 },
  status: 'active',
  stock: 8,
  sold: 3,
  isCheapest: false,
  lowestCustomerCents: 1050,
  costCents: null,
  lowAt: null,
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
  expect(to(offer(), price({ by: 'amount', cents: -25 }))).toEqual(['changes', null, 975])
  expect(
    to(offer({ isCheapest: null, priceCents: 150 }), price({ by: 'percent', hundredths: -300 })),
  ).toEqual(['changes', null, 146])
  expect(
    to(offer({ isCheapest: null, priceCents: 1285 }), price({ by: 'percent', hundredths: -300 })),
  ).toEqual(['changes', null, 1246])
  const match = planOffer(offer({ lowestCustomerCents: 1045 }), price({ by: 'match' }), free)
  expect(match.after).toMatchObject({ customerCents: 1045, leads: false, aheadCents: 0 })
  expect(planOffer(offer(), price({ by: 'undercut', cents: 1 }), free)).toMatchObject({
    note: 'takes-lead',
    after: { customerCents: 1049, leads: true, aheadCents: 1 },
  })
})

test('never undercuts its own lead, and leaves out offers with unknown prices', () => {
  expect(
    to(offer({ isCheapest: true, lowestCustomerCents: 1100 }), price({ by: 'undercut', cents: 1 })),
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
  expect(to(offer({ priceCents: 20 }), price({ by: 'amount', cents: -20 }))).toEqual([
    'left-out',
    'too-low',
    20,
  ])
})

test('stops at the floor, or only warns about it', () => {
  const limits = { floorCents: 980, ceilingCents: 1200 }
  expect(to(offer(), price({ by: 'amount', cents: -50 }), limits)).toEqual([
    'changes',
    'stops-at-floor',
    980,
  ])
  expect(to(offer({ priceCents: 980 }), price({ by: 'amount', cents: -50 }), limits)).toEqual([
    'stays',
    'at-floor',
    980,
  ])
  expect(to(offer({ priceCents: 900 }), price({ by: 'amount', cents: -50 }), limits)).toEqual([
    'stays',
    'at-floor',
    900,
  ])
  expect(to(offer(), price({ by: 'amount', cents: -50 }, false), limits)).toEqual([
    'changes',
    'below-floor',
    950,
  ])
  expect(to(offer(), price({ by: 'amount', cents: 500 }), limits)).toEqual([
    'changes',
    'stops-at-ceiling',
    1200,
  ])
})

test('leaves out offers with a queued or running change', () => {
  const pending = { priceCents: 5, status: null, problem: null }
  expect(
    to(offer({ pending: { ...pending, state: 'waits' } }), price({ by: 'amount', cents: 1 })),
  ).toEqual(['left-out', 'waits-in-outbox', 1000])
  expect(
    to(offer({ pending: { ...pending, state: 'saving' } }), { kind: 'status', status: 'paused' }),
  ).toEqual(['left-out', 'being-changed', 1000])
})

test('never goes below an enforced floor or below a cent, and never claims a lead that the prices contradict', () => {
  const how = fc.oneof(
    fc.record({ by: fc.constant('amount' as const), cents: fc.integer({ min: -3000, max: 3000 }) }),
    fc.record({
      by: fc.constant('percent' as const),
      hundredths: fc.integer({ min: -9900, max: 9900 }),
    }),
    fc.constant({ by: 'match' as const }),
    fc.record({ by: fc.constant('undercut' as const), cents: fc.integer({ min: 1, max: 500 }) }),
  )
  const row = fc.record({
    priceCents: fc.integer({ min: 1, max: 5000 }),
    lowestCustomerCents: fc.option(fc.integer({ min: 1, max: 6000 })),
    isCheapest: fc.constantFrom(true, false, null),
    stock: fc.integer({ min: 0, max: 3 }),
    status: fc.constantFrom('active', 'paused'),
  })
  fc.assert(
    fc.property(row, how, fc.option(fc.integer({ min: 1, max: 5000 })), (facts, rule, floor) => {
      const base = offer(facts)
      const now = { ...base, customerCents: customerAt(base, facts.priceCents) ?? 0 }
      const { verdict, after } = planOffer(now, price(rule), {
        floorCents: floor,
        ceilingCents: null,
      })
      const wanted = after.priceCents ?? 0
      expect(wanted).toBeGreaterThanOrEqual(1)
      if (floor !== null && wanted < facts.priceCents) expect(wanted).toBeGreaterThanOrEqual(floor)
      if (verdict !== 'changes') expect(wanted).toBe(facts.priceCents)
      if (verdict === 'changes' && after.leads === true && facts.isCheapest === false)
        expect(after.customerCents).toBeLessThan(facts.lowestCustomerCents ?? 0)
      if (facts.status === 'paused' || facts.stock === 0) expect(after.leads).toBeNull()
    }),
    { numRuns: 400 },
  )
})
