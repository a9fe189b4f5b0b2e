import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cents, priceFactor } from '../api/money.ts'
import { allowlist } from './allowlist.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { createCountingIds, createIds } from './ids.ts'
import { checkKey, checkKeys, deliveredValue } from './key-rules.ts'
import {
  commissionClassOf,
  customerPriceUnder,
  defaultCommission,
  partnerPrice,
  takeSupply,
} from './pricing.ts'
import { deliverableFrom, givenUpAt } from './release.ts'
import { createTestClock, createTestRandom } from './testing/fixture.ts'
import { testValue } from './test-units.ts'
import { checkLimits } from './value-limits.ts'

describe('commission', () => {
  it('goes by product type first, then by delivery type', () => {
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

  it('is added half up', () => {
    const game = { productType: 'game', deliveryType: 'key' } as const
    expect(customerPriceUnder(cents(5), defaultCommission, game)).toBe(6)
    expect(customerPriceUnder(cents(4), defaultCommission, game)).toBe(4)
  })
})

describe('a partner price', () => {
  it('is exact where binary fractions are not', () => {
    expect(partnerPrice(cents(100), priceFactor(1.005))).toBe(101)
    expect(partnerPrice(cents(999), priceFactor(0.1))).toBe(100)
  })
})

describe('taking supply', () => {
  const offers = fc.array(
    fc.record({ customerPrice: fc.integer({ min: 1, max: 999 }).map(cents), stock: fc.nat(5) }),
    { maxLength: 6 },
  )

  it('takes what is asked, cheapest first, at the highest price used, or nothing at all', () => {
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

describe('an uploaded key', () => {
  const picture = (type: string, bytes: number[]) =>
    `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`
  const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  it.each([
    ['trimmed text', '  ABC-123\u00a0', 'ABC-123', 'text/plain'],
    ['4096 characters, whatever their size', '🗝'.repeat(4096), '🗝'.repeat(4096), 'text/plain'],
    ['a PNG', picture('png', png), picture('png', png), 'image/png'],
    [
      'a JPEG',
      picture('jpeg', [0xff, 0xd8, 0xff, 1]),
      picture('jpeg', [0xff, 0xd8, 0xff, 1]),
      'image/jpeg',
    ],
    [
      'a GIF',
      picture('gif', [...Buffer.from('GIF89a..')]),
      picture('gif', [...Buffer.from('GIF89a..')]),
      'image/gif',
    ],
  ])('may be %s', (_what, key, value, contentType) => {
    expect(checkKey(key)).toEqual({ ok: true, value, contentType })
  })

  it.each([
    ['empty', ' \t '],
    ['too long', 'x'.repeat(4097)],
    ['with a line break within', 'A\nB'],
    ['with a C1 control character', 'A\u0085B'],
    ['with half a character', 'A\ud800'],
    ['an SVG', 'data:image/svg+xml;base64,PHN2Zz4='],
    ['a PNG that is none', picture('png', [1, 2, 3])],
    ['a JPEG that says it is a PNG', picture('png', [0xff, 0xd8, 0xff])],
    ['broken base64', 'data:image/png;base64,iVBORw0KGgo'],
    [
      'a picture above 512 KiB',
      picture('png', [...png, ...Array.from({ length: 512 * 1024 - 7 }, () => 0)]),
    ],
  ])('is refused when %s', (_what, key) => {
    expect(checkKey(key).ok).toBe(false)
  })

  it('at 512 KiB exactly is fine', () => {
    expect(
      checkKey(picture('png', [...png, ...Array.from({ length: 512 * 1024 - 8 }, () => 0)])).ok,
    ).toBe(true)
  })

  it('is named by its index, and no problem contains it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 12, unit: 'binary' }), { minLength: 1, maxLength: 5 }),
        (keys) => {
          try {
            expect(checkKeys(keys)).toHaveLength(keys.length)
          } catch (error) {
            for (const key of keys) expect(JSON.stringify(error)).not.toContain(key)
            expect(error).toMatchObject({ code: 'VALIDATION_ERROR' })
          }
        },
      ),
    )
  })

  it('is delivered without the head of its data URI', () => {
    expect(deliveredValue(picture('png', png), 'image/png')).toBe(
      Buffer.from(png).toString('base64'),
    )
    expect(deliveredValue('A,B', 'text/plain')).toBe('A,B')
  })
})

describe('an allowlist', () => {
  it('admits addresses and blocks of both families', () => {
    const allows = allowlist(['10.1.0.0/16', '192.0.2.7', '2001:db8::/32', '::1'])
    for (const address of ['10.1.255.1', '192.0.2.7', '2001:db8:1::9', '::1', '::ffff:10.1.2.3'])
      expect([address, allows(address)]).toEqual([address, true])
    for (const address of ['10.2.0.1', '192.0.2.8', '2001:db9::1', '::2', '::ffff:10.2.0.1'])
      expect([address, allows(address)]).toEqual([address, false])
  })

  it('takes no family for a part of the other', () => {
    expect(allowlist(['::/0'])('10.0.0.1')).toBe(false)
    expect(allowlist(['::/0'])('2001:db8::1')).toBe(true)
    expect(allowlist(['0.0.0.0/0'])('2001:db8::1')).toBe(false)
    expect(allowlist(['::ffff:10.0.0.0/104'])('10.9.0.1')).toBe(true)
    expect(allowlist(['::ffff:a00:1'])('10.0.0.1')).toBe(true)
  })

  it('that is empty admits everyone', () => {
    expect(allowlist([])('203.0.113.9')).toBe(true)
  })
})

describe('a cursor', () => {
  it('comes back as the place it was made for, with the same filters only', () => {
    const key = fc.record({ updatedAt: fc.nat(), id: fc.string({ minLength: 1 }) })
    const filters = fc.record(
      { platform: fc.string(), inStock: fc.boolean() },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(key, filters, filters, (place, mine, other) => {
        const cursor = encodeCursor(place, mine)
        expect(decodeCursor(cursor, mine)).toEqual({ ok: true, key: place })
        const same = mine.platform === other.platform && mine.inStock === other.inStock
        expect(decodeCursor(cursor, other).ok).toBe(same)
      }),
    )
  })

  it('that anyone makes up is refused', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(decodeCursor(text, {}).ok).toBe(false)
      }),
    )
  })
})

describe('value limits', () => {
  it('let the limit itself pass and refuse one cent more, per order before per day', () => {
    const limits = { perOrderLimit: cents(1000), dailyLimit: cents(3000) }
    expect(() => checkLimits(limits, cents(1000), () => 2000)).not.toThrow()
    expect(() => checkLimits(limits, cents(1001), () => 9999)).toThrow(
      expect.objectContaining({ code: 'ORDER_LIMIT_EXCEEDED' }),
    )
    expect(() => checkLimits(limits, cents(1000), () => 2001)).toThrow(
      expect.objectContaining({ code: 'DAILY_LIMIT_EXCEEDED' }),
    )
    expect(() =>
      checkLimits({ perOrderLimit: null, dailyLimit: null }, cents(10 ** 9), () => 10 ** 9),
    ).not.toThrow()
  })
})

describe('a release date', () => {
  const day = Date.parse('2026-05-05')
  it('ahead holds delivery until 00:00 UTC of that day, and a day longer at most', () => {
    expect(deliverableFrom('2026-05-05', day - 1)).toBe(day)
    expect(deliverableFrom('2026-05-05', day)).toBe(day)
    expect(deliverableFrom('2026-05-04', day)).toBe(day)
    expect(deliverableFrom(null, day)).toBe(day)
    expect(givenUpAt(day, day - 1)).toBe(day + 86_400_000)
    expect(givenUpAt(day, day)).toBe(day)
  })
})

describe('made-up things', () => {
  it('of test mode begin with TEST-, all kinds', () => {
    const random = createTestRandom()
    for (const kind of ['key', 'gift', 'account', 'link'] as const)
      expect(testValue(kind, random)).toMatch(/^TEST-.{15,}/)
  })

  it('ids of later sort after, and counted ones come out alike', () => {
    const clock = createTestClock()
    const ids = createIds(clock, createTestRandom())
    const made = Array.from({ length: 50 }, () => {
      clock.move(1)
      return ids.next('ord')
    })
    expect([...made].sort()).toEqual(made)
    expect(made[0]).toMatch(/^ord_[0-9a-z]{20}$/)
    const count = () => {
      const counting = createCountingIds()
      return [counting.next('a'), counting.next('b'), counting.next('a')]
    }
    expect(count()).toEqual(count())
    expect(new Set(count()).size).toBe(3)
  })
})
