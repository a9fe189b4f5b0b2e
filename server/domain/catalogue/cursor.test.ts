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
    const history = fc.constantFrom('', 'aAbBcC1_')
    fc.assert(
      fc.property(key, filters, filters, history, (place, mine, other, history) => {
        const cursor = encodeCursor(place, mine, history)
        expect(decodeCursor(cursor, mine, history)).toEqual({ ok: true, key: place })
        const same = mine.platform === other.platform && mine.inStock === other.inStock
        expect(decodeCursor(cursor, other, history).ok).toBe(same)
      }),
    )
  })

  it('is rejected after a reset or a restore, with the way to continue', () => {
    const cursor = encodeCursor({ updatedAt: 1, id: 'prd_1' }, {}, 'first')
    for (const history of ['', 'second'])
      expect(decodeCursor(cursor, {}, history)).toEqual({
        ok: false,
        problem: 'this cursor belongs to an earlier state; start a full sync',
      })
  })

  it('is rejected when it is made up', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(decodeCursor(text, {}, '').ok).toBe(false)
      }),
    )
  })

  it('is rejected when its position or its spelling was changed', () => {
    const cursor = encodeCursor({ updatedAt: 1234, id: 'prd_1' }, {}, '')
    const text = Buffer.from(cursor, 'base64url').toString()
    const moved = Buffer.from(text.replace(' 1234 ', ' 1235 ')).toString('base64url')
    for (const changed of [moved, `${cursor}=`, `${cursor} `])
      expect(decodeCursor(changed, {}, '')).toEqual({
        ok: false,
        problem: "isn't a cursor of this service",
      })
  })

  it('is rejected with the reason when the filters are others', () => {
    const cursor = encodeCursor({ updatedAt: 1, id: 'prd_1' }, { platform: 'Steam' }, '')
    expect(decodeCursor(cursor, {}, '')).toEqual({
      ok: false,
      problem: 'was issued with other filters',
    })
  })
})
