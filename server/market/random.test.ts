import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from './random.ts'

const stream = (seed: string, count = 20): number[] => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => random.next())
}

test('the same seed gives the same stream, and another seed a different one', () => {
  expect(stream('keydesk')).toEqual(stream('keydesk'))
  expect(stream('keydesk')).not.toEqual(stream('keydesl'))
  expect(stream('1')).not.toEqual(stream('2'))
})

test('numbers spread evenly over their range', () => {
  const counts = Array.from({ length: 10 }, () => 0)
  for (const value of stream('spread', 50_000))
    counts[Math.floor(value * 10)] = (counts[Math.floor(value * 10)] ?? 0) + 1
  for (const count of counts) expect(Math.abs(count - 5000)).toBeLessThan(300)
})

test('between stays within its bounds and reaches both', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.integer({ min: -50, max: 50 }),
      fc.integer({ min: 0, max: 5 }),
      (seed, low, width) => {
        const random = seededRandom(seed)
        const drawn = new Set(Array.from({ length: 200 }, () => random.between(low, low + width)))
        expect([...drawn].toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: width + 1 }, (_, index) => low + index),
        )
      },
    ),
    { numRuns: 50 },
  )
})

test('a sample has the requested number of different members of the list, in its order', () => {
  fc.assert(
    fc.property(fc.string(), fc.uniqueArray(fc.integer()), fc.nat(30), (seed, list, count) => {
      const sample = seededRandom(seed).sample(list, count)
      expect(sample).toHaveLength(Math.min(count, list.length))
      expect(list.filter((item) => sample.includes(item))).toEqual(sample)
    }),
    { numRuns: 100 },
  )
})

test('weights determine the frequency', () => {
  const random = seededRandom('weights')
  const drawn = Array.from(
    { length: 10_000 },
    () =>
      random.weighted([
        { weight: 1, name: 'rare' },
        { weight: 9, name: 'common' },
      ]).name,
  )
  expect(Math.abs(drawn.filter((name) => name === 'rare').length - 1000)).toBeLessThan(120)
})

test("an empty list can't be picked from", () => {
  expect(() => seededRandom('x').pick([])).toThrow(RangeError)
})
