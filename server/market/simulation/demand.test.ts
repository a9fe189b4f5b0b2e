import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DAY, HOUR, isWeekend, shareOfDay } from './calendar.ts'
import { arrivals, randomFor } from './random-for.ts'
import { conversion } from './demand.ts'
import { customerOf } from './people.ts'

it('about half of the customers buy at the usual price, and hardly any at one and a half times it', () => {
  const ratio = fc.double({ min: 0, max: 5, noNaN: true })
  fc.assert(
    fc.property(ratio, ratio, (a, b) => {
      expect(conversion(Math.min(a, b))).toBeGreaterThanOrEqual(conversion(Math.max(a, b)))
      expect(conversion(a)).toBeGreaterThan(0)
      expect(conversion(a)).toBeLessThan(1)
    }),
  )
  expect(conversion(1)).toBeGreaterThan(0.5)
  expect(conversion(1)).toBeLessThan(0.65)
  expect(conversion(1.5)).toBeLessThan(0.06)
})

it('a week has seven days of customers, more at weekends and in the evening', () => {
  const monday = Date.UTC(2026, 2, 2)
  const hours = Array.from({ length: 7 * 24 }, (_, index) => shareOfDay(monday + index * HOUR))
  expect(hours.reduce((sum, share) => sum + share, 0)).toBeCloseTo(7, 1)
  expect([0, 4, 5, 6].map((day) => isWeekend(monday + day * DAY))).toEqual([
    false,
    false,
    true,
    true,
  ])
  expect(shareOfDay(monday + 20 * HOUR)).toBeGreaterThan(5 * shareOfDay(monday + 4 * HOUR))
})

it.each([0.05, 1, 8, 75])('arrivals have the expected rate: %d', (mean) => {
  const total = Array.from({ length: 3000 }, (_, index) =>
    arrivals(randomFor('rate', mean, index), mean),
  ).reduce((sum, count) => sum + count, 0)
  expect(Math.abs(total / 3000 - mean)).toBeLessThan(4 * Math.sqrt(mean / 3000))
  expect(arrivals(randomFor('none'), 0)).toBe(0)
})

it('a customer always has the same properties, and all kinds of customers exist', () => {
  expect(customerOf('seed', 7)).toEqual(customerOf('seed', 7))
  const people = Array.from({ length: 400 }, (_, number) => customerOf('seed', number))
  expect(new Set(people.map(({ language }) => language)).size).toBe(6)
  expect(people.every(({ language, country }) => language.countries.includes(country))).toBe(true)
  expect(people.filter(({ patience }) => patience < 72).length).toBeGreaterThan(200)
})
