import { describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import { checkSpendingLimits } from './spending-limits.ts'

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
})
