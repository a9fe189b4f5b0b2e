import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import { customerPays, sellerReceives } from './commission.ts'

describe('commission between seller and customer price', () => {
  it('adds the commission and rounds half up', () => {
    expect(customerPays(cents(1285), 10)).toBe(1414)
    expect(customerPays(cents(1240), 10)).toBe(1364)
  })

  it('finds the highest seller price for a customer price', () => {
    const percent = fc.constantFrom(0, 10, 12.5, 15, 20)
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 10_000_000 }), percent, (customer, rate) => {
        const receive = sellerReceives(cents(customer), rate)
        expect(customerPays(receive, rate)).toBeLessThanOrEqual(customer)
        expect(customerPays(cents(receive + 1), rate)).toBeGreaterThan(customer)
      }),
    )
  })
})
