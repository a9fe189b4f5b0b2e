import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { spansBehind, gapsOf, priceTicks, pointsSince, valueAt } from './price-steps.ts'

test('a gap lasts until a price is known again', () => {
  expect(
    gapsOf(
      [
        { at: 1, cents: cents(5) },
        { at: 3, cents: null },
        { at: 4, cents: null },
        { at: 6, cents: cents(5) },
        { at: 8, cents: null },
      ],
      10,
    ),
  ).toEqual([
    { from: 3, to: 6 },
    { from: 8, to: 10 },
  ])
})

test('counts as behind while the own price is above the best price', () => {
  const own = [
    { at: 0, cents: cents(100) },
    { at: 6, cents: cents(90) },
  ]
  const best = [
    { at: 0, cents: cents(100) },
    { at: 2, cents: cents(95) },
    { at: 4, cents: cents(99) },
    { at: 6, cents: cents(95) },
  ]
  expect(spansBehind(own, best, 10)).toEqual([{ from: 2, to: 6 }])
})

test('starts a range with the value that was valid then', () => {
  expect(
    pointsSince(
      [
        { at: 0, cents: cents(1) },
        { at: 5, cents: cents(2) },
        { at: 9, cents: cents(3) },
      ],
      7,
    ),
  ).toEqual([
    { at: 7, cents: cents(2) },
    { at: 9, cents: cents(3) },
  ])
  expect(valueAt([{ at: 2, cents: cents(4) }], 1)).toBeNull()
})

test('fits every value between two to five grid lines', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 10_000_000 }).map(cents), { minLength: 1, maxLength: 20 }),
      (values) => {
        const ticks = priceTicks(values)
        expect(ticks.length).toBeGreaterThanOrEqual(3)
        expect(ticks.length).toBeLessThanOrEqual(5)
        expect(ticks[0]).toBeLessThanOrEqual(Math.min(...values))
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(...values))
      },
    ),
  )
})
