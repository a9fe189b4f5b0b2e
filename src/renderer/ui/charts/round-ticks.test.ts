import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { roundTicks } from './round-ticks.ts'

test.each([
  [0, [0]],
  [99, [0]],
  [100, [0, 1]],
  [25_500, [0, 100, 200]],
  [450_000, [0, 2000, 4000]],
  [99_999, [0, 250, 500, 750]],
  [1_000_000, [0, 5000, 10_000]],
])('marks an axis up to %i cents at %j euros', (most, euros) => {
  expect(roundTicks(cents(most)).map((cents) => cents / 100)).toEqual(euros)
})

test('places at most four marks above zero, evenly spaced and none above the largest amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 10_000_000_000 }), (most) => {
      const marks = roundTicks(cents(most))
      expect(marks.length).toBeGreaterThanOrEqual(2)
      expect(marks.length).toBeLessThanOrEqual(5)
      expect(marks.at(-1)).toBeLessThanOrEqual(most)
      expect(new Set(marks.slice(1).map((mark, at) => mark - (marks[at] ?? 0))).size).toBe(1)
      for (const mark of marks) expect(mark % 100).toBe(0)
    }),
  )
})
