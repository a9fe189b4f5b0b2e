import { describe, expect, it } from 'vitest'
import { createTestRandom } from '../testing/fixture.ts'
import { randomCode, testValue } from './test-units.ts'

describe('a test unit', () => {
  it('starts with TEST- for every delivery type', () => {
    const random = createTestRandom()
    for (const kind of ['key', 'gift', 'account', 'link'] as const)
      expect(testValue(kind, random)).toMatch(/^TEST-.{15,}/)
  })

  it('looks like a unit of its kind', () => {
    const zeros = { bytes: (count: number) => new Uint8Array(count) }
    expect(testValue('key', zeros)).toBe('TEST-AAAAA-AAAAA-AAAAA')
    expect(testValue('account', zeros)).toBe('TEST-user-aaaaaaaa:AAAAAAA')
    expect(testValue('gift', zeros)).toBe('TEST-https://gift.example/AAAAAAAAAAAAAAA')
    expect(testValue('link', zeros)).toBe('TEST-https://activate.example/AAAAAAAAAAAAAAA')
  })

  it('has none of the characters that are easily confused', () => {
    const all = { bytes: () => Uint8Array.from({ length: 256 }, (_, byte) => byte) }
    expect(new Set(randomCode(all, 256))).toEqual(new Set('ABCDEFGHJKLMNPQRSTUVWXYZ23456789'))
  })
})
