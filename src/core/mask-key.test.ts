import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastFour, maskKey } from './mask-key.ts'

describe('maskKey', () => {
  it.each([
    ['R3JQK-8WMVT-ZP4XA', 'R3JQK-•••••-•••••'],
    ['TEST-AAAA-BBBB', 'TEST-••••-••••'],
    ['ABCDEFGHIJKLMNOP', 'ABCD••••••••'],
    ['https://gift.example/redeem/abc', 'gift.example/••••••••'],
    ['mira.holt@mail.example:Secret1', 'mira.hol••••••••'],
  ])('masks %j as %j', (value, masked) => expect(maskKey(value)).toBe(masked))

  it('never shows half of the secret or more', () => {
    const part = fc.string({
      unit: fc.constantFrom(...'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'),
      minLength: 4,
      maxLength: 6,
    })
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('-', ':', ''),
        (groups, between) => {
          const value = groups.join(between)
          expect(maskKey(value).replaceAll(/[•-]/g, '').length * 2).toBeLessThan(value.length)
        },
      ),
    )
  })
})

describe('lastFour', () => {
  it.each([
    ['R3JQK-8WMVT-ZP4XA', 'P4XA'],
    ['ABCDEFGHIJKLMNOP', 'MNOP'],
    ['https://gift.example/redeem/8f3ac41c9d20', '9d20'],
  ])('returns for %j the characters %j', (value, last) => expect(lastFour(value)).toBe(last))

  it.each([
    'SHORT-KEY-1',
    'mira.holt@mail.example:Secret1234567',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==',
    'https://gift.example/redeem/abc',
    'two words and more of them',
  ])('returns nothing for %j', (value) => expect(lastFour(value)).toBeNull())
})
