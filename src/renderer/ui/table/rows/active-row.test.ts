import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearestIndex } from './active-row.ts'

const keysAt =
  (keys: readonly (string | undefined)[]) =>
  (index: number): string | undefined =>
    keys[index]

test('finds a record that moved, the nearest one first', () => {
  const keys = keysAt(['a', 'b', 'c', 'd', 'b'])
  expect(nearestIndex('b', 1, 5, keys)).toBe(1)
  expect(nearestIndex('b', 3, 5, keys)).toBe(4)
  expect(nearestIndex('a', 4, 5, keys)).toBe(0)
  expect(nearestIndex('d', -1, 5, keys)).toBe(3)
})

test('finds nothing in an empty list, beyond its end, or among rows that are not loaded', () => {
  expect(nearestIndex('a', -1, 0, keysAt([]))).toBe(-1)
  expect(nearestIndex('b', 0, 1, keysAt(['a', 'b']))).toBe(-1)
  expect(nearestIndex('b', 0, 3, keysAt(['a', undefined, 'c']))).toBe(-1)
})

test('searches the rows around the place, or as many as asked', () => {
  const keys = (index: number): string => (index === 900 ? 'far' : 'other')
  expect(nearestIndex('far', -1, 1000, keys)).toBe(-1)
  expect(nearestIndex('far', 600, 1000, keys)).toBe(900)
  expect(nearestIndex('far', -1, 1000, keys, 1000)).toBe(900)
})

test('returns only indexes of the record itself', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }), { maxLength: 30 }),
      fc.integer({ min: -1, max: 40 }),
      (keys, from) => {
        const found = nearestIndex('b', from, keys.length, keysAt(keys))
        if (found < 0) expect(keys).not.toContain('b')
        else expect(keys[found]).toBe('b')
      },
    ),
  )
})
