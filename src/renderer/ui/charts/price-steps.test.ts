import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { spansBehind, gapsOf, priceTicks, pointsSince, timeTicks, valueAt } from './price-steps.ts'

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

test('a time axis has round times of this computer, and the end', () => {
  const at = (time: string): number => Date.parse(`2026-03-10T${time}Z`)
  const clocks = (from: string, to: string, zoneHours = 0): string[] =>
    timeTicks(at(from), at(to), zoneHours * 3_600_000).map((each) =>
      new Date(each + zoneHours * 3_600_000).toISOString().slice(11, 16),
    )
  expect(clocks('08:07', '09:52')).toEqual(['08:30', '09:00', '09:30', '09:52'])
  expect(clocks('00:10', '23:50')).toEqual(['06:00', '12:00', '18:00', '23:50'])
  // 5:30 ahead of UTC: midnight and noon there.
  expect(clocks('00:10', '23:50', 5.5)).toEqual(['06:00', '12:00', '18:00', '00:00', '05:20'])
})

test('a time axis has few labels that ascend to the end, whatever its length', () => {
  const length = fc.integer({ min: 60_000, max: 400 * 86_400_000 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2e12 }), length, (from, ms) => {
      const ticks = timeTicks(from, from + ms, 0)
      expect(ticks.at(-1)).toBe(from + ms)
      expect(ticks.length).toBeLessThanOrEqual(5)
      expect(ticks.every((tick, index) => index === 0 || tick > (ticks[index - 1] ?? 0))).toBe(true)
      expect(ticks[0]).toBeGreaterThanOrEqual(from)
    }),
  )
})
