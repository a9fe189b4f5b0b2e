import { expect, test, vi } from 'vitest'
import type { PriceRule } from '../../../contract/price-watch/price-rules.ts'
import { isWithin, isZone } from './hours.ts'

const everyDay = [0, 1, 2, 3, 4, 5, 6]
const hours = (days: number[], from: number, to: number, zone = 'UTC'): PriceRule['hours'] => ({
  days,
  from: from * 60,
  to: to * 60,
  zone,
})
/** A time in the week from Sunday, March 1, 2026. */
const at = (day: number, hour: number, minute = 0): number =>
  Date.UTC(2026, 2, 1 + day, hour, minute)

test.each([
  ['before its start', hours(everyDay, 9, 10), at(3, 8, 59), false],
  ['at its start', hours(everyDay, 9, 10), at(3, 9), true],
  ['until its end', hours(everyDay, 9, 10), at(3, 9, 59), true],
  ['at its end', hours(everyDay, 9, 10), at(3, 10), false],
  ['on a day that wasn’t chosen', hours([2, 4], 9, 10), at(3, 9), false],
  ['late on its day, over midnight', hours([5], 22, 6), at(5, 22), true],
  ['before its evening, over midnight', hours([5], 22, 6), at(5, 21, 59), false],
  ['early on the next day, over midnight', hours([5], 22, 6), at(6, 5, 59), true],
  ['at its end on the next day, over midnight', hours([5], 22, 6), at(6, 6), false],
  ['early on its own day, over midnight', hours([5], 22, 6), at(5, 5), false],
  ['late on the next day, over midnight', hours([5], 22, 6), at(6, 22), false],
  ['from Saturday to Sunday, over midnight', hours([6], 22, 6), at(7, 5), true],
  ['from Sunday to Monday, over midnight', hours([0], 22, 6), at(1, 5), true],
  ['at midnight', hours(everyDay, 0, 1), at(3, 0), true],
  ['on a full day', hours([3], 0, 0), at(3, 23, 59), true],
  ['on a full day with equal hours', hours([3], 9, 9), at(3, 5), true],
  ['after a full day with equal hours', hours([3], 9, 9), at(4, 5), false],
  ['on a full day that wasn’t chosen', hours([3], 0, 0), at(4, 0), false],
])('%s: %o at %i is active: %s', (_, rule, now, expected) => {
  expect(isWithin(rule, now)).toBe(expected)
})

test('knows every day of the week', () => {
  for (const day of everyDay)
    expect(everyDay.filter((chosen) => isWithin(hours([chosen], 0, 0), at(day, 12)))).toEqual([day])
})

test('follows local time in hours over midnight and through daylight saving changes', () => {
  const night = hours([5], 22, 6, 'Europe/Berlin')
  expect(isWithin(night, Date.UTC(2026, 2, 27, 21, 30))).toBe(true)
  expect(isWithin(night, Date.UTC(2026, 2, 28, 4, 30))).toBe(true)
  expect(isWithin(night, Date.UTC(2026, 2, 28, 5, 30))).toBe(false)
  expect(isWithin(night, Date.UTC(2026, 2, 27, 4, 30))).toBe(false)
  const day = hours(everyDay, 9, 10, 'Europe/Berlin')
  expect(isWithin(day, Date.UTC(2026, 2, 28, 8, 30))).toBe(true)
  expect(isWithin(day, Date.UTC(2026, 2, 29, 8, 30))).toBe(false)
  expect(isWithin(day, Date.UTC(2026, 2, 29, 7, 30))).toBe(true)
})

test('needs no time zone for a rule that is always active', () => {
  expect(isWithin(hours(everyDay, 0, 0, 'Nowhere/Else'), at(3, 9))).toBe(true)
  expect(isZone('Europe/Berlin')).toBe(true)
  expect(isZone('Nowhere/Else')).toBe(false)
})

test('reads a time zone only once, because that is slow', () => {
  const formats = vi.spyOn(Intl, 'DateTimeFormat')
  for (let hour = 0; hour < 24; hour++) isWithin(hours([3], 9, 17, 'Asia/Kathmandu'), at(3, hour))
  expect(formats).toHaveBeenCalledTimes(1)
})
