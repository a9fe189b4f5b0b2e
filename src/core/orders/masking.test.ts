import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskValue } from './masking.ts'

describe('a masked unit', () => {
  it.each([
    ['R3JQK-8WMVT-ZP4XA', 'key', 'text/plain', 'R3JQK-•••••-•••••'],
    ['TEST-AAAA-BBBB', 'key', 'text/plain', 'TEST-••••-••••'],
    ['ABCDEFGHIJKLMNOP', 'key', 'text/plain', 'ABCD••••••••'],
    ['https://gift.example/redeem/abc', 'gift', 'text/plain', 'gift.example/••••••••'],
    ['mira.holt@mail.example:Secret1', 'account', 'text/plain', 'mira.hol•••••'],
    ['A'.repeat(8192), 'key', 'image/png', 'picture, 6 KB'],
  ])('%j of a %s shows as expected', (value, type, content, masked) => expect(maskValue(value, type, content)).toBe(masked))

  it('never shows half of the secret or more', () => {
    const part = fc.string({ unit: fc.constantFrom(...'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'), minLength: 4, maxLength: 6 })
    fc.assert(fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), fc.constantFrom('key', 'account'), (groups, type) => {
      const value = type === 'account' ? `${groups.join('')}:${groups.join('')}` : groups.join('-')
      const shown = maskValue(value, type, 'text/plain').replaceAll(/[•-]/g, '').length
      expect(shown * 2).toBeLessThan(value.length)
    }))
  })
})
