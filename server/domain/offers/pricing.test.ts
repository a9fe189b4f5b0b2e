import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cents, priceFactor } from '../../api/money.ts'
import {
  commissionClassOf,
  customerPriceUnder,
  defaultCommission,
  partnerPrice,
  takeSupply,
} from './pricing.ts'

describe('commission', () => {
  it('depends on product type first, then on delivery type', () => {
    expect(commissionClassOf({ productType: 'subscription', deliveryType: 'account' })).toBe(
      'special_subscriptions',
    )
    expect(commissionClassOf({ productType: 'game', deliveryType: 'account' })).toBe(
      'accounts_and_gifts',
    )
    expect(commissionClassOf({ productType: 'dlc', deliveryType: 'gift' })).toBe(
      'accounts_and_gifts',
    )
    expect(commissionClassOf({ productType: 'gift-card', deliveryType: 'link' })).toBe('keys')
  })

  it('is added with half-up rounding', () => {
    const game = { productType: 'game', deliveryType: 'key' } as const
    expect(customerPriceUnder(cents(5), defaultCommission, game)).toBe(6)
    expect(customerPriceUnder(cents(4), defaultCommission, game)).toBe(4)
  })
})

describe('a partner price', () => {
  it("is exact where binary fractions aren't", () => {
    expect(partnerPrice(cents(100), priceFactor(1.005))).toBe(101)
    expect(partnerPrice(cents(999), priceFactor(0.1))).toBe(100)
  })
})

describe('taking supply', () => {
  const offers = fc.array(
    fc.record({ customerPrice: fc.integer({ min: 1, max: 999 }).map(cents), stock: fc.nat(5) }),
    { maxLength: 6 },
  )

  it('takes the requested units, cheapest first, at the highest price used, or none at all', () => {
    fc.assert(
      fc.property(offers, fc.integer({ min: 1, max: 9 }), (given, qty) => {
        const sorted = given
          .map((offer) => ({ ...offer }))
          .sort((a, b) => a.customerPrice - b.customerPrice)
        const before = sorted.map(({ stock }) => stock)
        const available = before.reduce((sum, stock) => sum + stock, 0)
        const taken = takeSupply(sorted, qty)
        if (available < qty) {
          expect(taken).toBeNull()
          expect(sorted.map(({ stock }) => stock)).toEqual(before)
          return
        }
        expect(taken?.parts.reduce((sum, { count }) => sum + count, 0)).toBe(qty)
        const flat = sorted.flatMap((offer, index) =>
          Array.from({ length: before[index] ?? 0 }, () => offer.customerPrice),
        )
        expect(taken?.highest).toBe(flat[qty - 1])
        expect(sorted.reduce((sum, { stock }) => sum + stock, 0)).toBe(available - qty)
      }),
    )
  })
})
