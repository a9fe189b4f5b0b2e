import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cents,
  commissionCents,
  customerPrice,
  euroAmount,
  euroAmountBetween,
  euroBound,
  formatEuros,
  fromCents,
  MAX_CENTS,
  parseEuros,
  percentHundredths,
  percentUpTo,
  priceFactor,
  roundedEuroAmount,
  timesFactor,
  toCents,
} from './money.ts'

const anyCents = fc
  .oneof(
    fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
    fc.integer({ min: -1e15, max: 1e15 }),
  )
  .map(cents)

/** Rounds half up using integers only: the simple rule that the fast paths are checked against. */
const halfUp = (numerator: bigint, denominator: bigint): number =>
  Number((numerator * 2n + denominator) / (denominator * 2n))

describe('cents and euros', () => {
  it('survives the round trip through JSON for any amount', () => {
    fc.assert(
      fc.property(anyCents, (amount) => {
        const wire: unknown = JSON.parse(JSON.stringify(fromCents(amount)))
        expect(euroAmount.parse(wire)).toBe(amount)
        expect(String(wire)).toMatch(/^-?\d+(\.\d{1,2})?$/)
      }),
      { numRuns: 5_000 },
    )
  })

  it('survives formatting and parsing', () => {
    fc.assert(
      fc.property(anyCents, (amount) => {
        if (Math.abs(amount) < 1e12)
          expect(parseEuros(formatEuros(amount))).toEqual({ ok: true, cents: amount })
        expect(toCents(formatEuros(amount).replaceAll(',', ''))).toBe(amount)
      }),
    )
  })

  it('rejects a third decimal and never rounds it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -100_000_000, max: 100_000_000 }),
        fc.integer({ min: 1, max: 9 }),
        (amount, mill) => {
          expect(euroAmount.safeParse((amount * 10 + mill) / 1000).success).toBe(false)
        },
      ),
    )
    for (const bad of ['12.5', null, Number.NaN, Number.POSITIVE_INFINITY, 1e14, 0.1 + 0.2])
      expect(euroAmount.safeParse(bad).success).toBe(false)
    expect(() => toCents('1.005')).toThrow(RangeError)
    expect(() => cents(0.5)).toThrow(RangeError)
  })

  it('keeps bounds inclusive', () => {
    const price = euroAmountBetween(1, 10_000_000)
    expect(price.parse(0.01)).toBe(1)
    expect(price.parse(100_000)).toBe(10_000_000)
    expect(price.safeParse(0).success).toBe(false)
    expect(price.safeParse(100_000.01).success).toBe(false)
  })

  it('accepts any highest amount, and never rounds it up', () => {
    expect([15.99, 0.29, 10.509, 4.35 * 1.05, 0].map((bound) => euroBound.parse(bound))).toEqual([
      1599, 29, 1050, 456, 0,
    ])
    expect(Object.is(euroBound.parse(-0), 0)).toBe(true)
    for (const refused of [-0.001, Number.NaN, Number.POSITIVE_INFINITY, '1'])
      expect(euroBound.safeParse(refused).success).toBe(false)
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (bound) => {
        const amount = euroBound.parse(bound)
        expect(amount / 100).toBeLessThanOrEqual(bound)
        if (amount < MAX_CENTS) expect((amount + 1) / 100).toBeGreaterThan(bound)
      }),
    )
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_CENTS }), (amount) => {
        expect(euroBound.parse(amount / 100)).toBe(amount)
      }),
    )
  })

  it('rounds an amount from another service to the nearest cent', () => {
    expect(roundedEuroAmount.parse(12.339999999999998)).toBe(1234)
  })

  it('has no negative zero', () => {
    expect(Object.is(toCents(-0), 0)).toBe(true)
    expect(parseEuros('-0')).toEqual({ ok: true, cents: 0 })
    expect(Object.is(euroAmount.parse(-0), 0)).toBe(true)
  })
})

describe('amounts typed by a person', () => {
  it.each([
    ['12', 1200],
    ['12.5', 1250],
    ['12,50', 1250],
    [' 1,284.60 ', 128_460],
    ['€ 3.20', 320],
    ['3.20 EUR', 320],
    ['1,284', 128_400],
    ['.5', 50],
    ['.', null],
    ['0.05', 5],
    ['7.', 700],
  ])('%s', (text, expected) => {
    const parsed = parseEuros(text)
    expect(parsed.ok ? parsed.cents : null).toBe(expected)
  })

  it.each([
    ['', 'empty'],
    ['€', 'empty'],
    ['abc', 'format'],
    ['1.2.3', 'format'],
    ['1,28,4', 'format'],
    ['1.005', 'decimals'],
    ['99999999999', 'too-large'],
  ])('rejects %s: %s', (text, reason) => {
    expect(parseEuros(text)).toEqual({ ok: false, reason })
  })
})

describe('rates', () => {
  it('rounds commissions half up', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        (price, percent) => {
          expect(commissionCents(cents(price), percent)).toBe(
            halfUp(BigInt(price) * BigInt(percent), 10_000n),
          )
        },
      ),
    )
    expect(commissionCents(cents(5), percentHundredths(10))).toBe(1)
    expect(commissionCents(cents(4), percentHundredths(10))).toBe(0)
    expect(customerPrice(cents(1999), percentHundredths(15))).toBe(2299)
  })

  it('accepts exactly the percents with at most two decimals', () => {
    const percent = percentUpTo(100)
    for (let hundredths = 0; hundredths <= 10_000; hundredths += 1) {
      const given = hundredths / 100
      expect(percentHundredths(percent.parse(given))).toBe(hundredths)
    }
    for (const given of [10.299999999999999, 0.30000000000000004, 1e-18, 12.345, -0.01, 100.01])
      expect(percent.safeParse(given).success, `${given}`).toBe(false)
    expect(percent.safeParse(12.345).error?.issues).toMatchObject([
      { message: 'must have at most two decimals' },
    ])
  })

  it("multiplies by the factor's decimals, not by its double", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000_000 }),
        fc.integer({ min: 1, max: 9_999_999 }),
        fc.integer({ min: 0, max: 6 }),
        (price, digits, decimals) => {
          const factor = Number(`${digits}e-${decimals}`)
          expect(timesFactor(cents(price), priceFactor(factor))).toBe(
            halfUp(BigInt(price) * BigInt(digits), 10n ** BigInt(decimals)),
          )
        },
      ),
    )
    // 1.15 × 1.10 in doubles is 1.2649999999999999; half up of the decimals is 1.27.
    expect(timesFactor(cents(115), priceFactor(1.1))).toBe(127)
    expect(timesFactor(cents(100), priceFactor(1.005))).toBe(101)
  })

  it('accepts factors with exponents and rejects invalid factors', () => {
    expect(timesFactor(cents(1_000_000), priceFactor(5e-7))).toBe(1)
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => priceFactor(bad)).toThrow(RangeError)
  })
})
