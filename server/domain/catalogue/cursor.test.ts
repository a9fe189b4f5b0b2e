import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor } from './cursor.ts'

describe('a cursor', () => {
  it('decodes to the position it was made for, with the same filters only', () => {
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

  it('is rejected when it is made up', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(decodeCursor(text, {}).ok).toBe(false)
      }),
    )
  })
})
