import { describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import { checkSpendingLimits, defaultSpendingLimits } from './spending-limits.ts'

describe('spending limits', () => {
  it('accept the exact limit and reject one cent more, per order before per day', () => {
    const limits = { perOrderLimit: cents(1000), dailyLimit: cents(3000) }
    expect(() => checkSpendingLimits(limits, cents(1000), () => 2000)).not.toThrow()
    expect(() => checkSpendingLimits(limits, cents(1001), () => 9999)).toThrow(
      expect.objectContaining({ code: 'ORDER_LIMIT_EXCEEDED' }),
    )
    expect(() => checkSpendingLimits(limits, cents(1000), () => 2001)).toThrow(
      expect.objectContaining({ code: 'DAILY_LIMIT_EXCEEDED' }),
    )
    expect(() =>
      checkSpendingLimits({ perOrderLimit: null, dailyLimit: null }, cents(10 ** 9), () => 10 ** 9),
    ).not.toThrow()
  })

  it('name the limit and the total compared with it, the day including earlier orders', () => {
    const limits = { perOrderLimit: cents(1000), dailyLimit: cents(3000) }
    expect(() => checkSpendingLimits(limits, cents(1001), () => 0)).toThrow(
      expect.objectContaining({ details: { limit: 10, total: 10.01 } }),
    )
    expect(() => checkSpendingLimits(limits, cents(900), () => 2150)).toThrow(
      expect.objectContaining({ details: { limit: 30, total: 30.5 } }),
    )
  })

  it('are EUR 2,500 per order and EUR 10,000 per 24 hours by default', () => {
    expect(defaultSpendingLimits).toEqual({ perOrder: 250_000, daily: 1_000_000 })
  })
})
