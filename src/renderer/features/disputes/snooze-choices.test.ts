import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../../server/api/time.ts'
import { isTooLate, snoozeChoices } from './snooze-choices.ts'

/** A local time in November 2026; the 23rd is a Monday. */
const at = (day: number, hour: number): number => new Date(2026, 10, day, hour).getTime()
const named = (now: number, escalatesAt: number | null): [string, string, number][] =>
  snoozeChoices(now, escalatesAt).map((choice) => [choice.key, choice.name, choice.at])

test('offers hours, mornings and the last six hours before the dispute escalates', () => {
  const now = at(24, 15)
  expect(named(now, at(26, 12))).toEqual([
    ['1', 'For 1 hour', at(24, 16)],
    ['2', 'For 3 hours', at(24, 18)],
    ['3', 'Until tomorrow', at(25, 9)],
    ['4', 'Until Monday', at(30, 9)],
    ['5', '6 hours before it escalates', at(26, 6)],
  ])
})

test('offers no time that has passed, and no deadline that does not exist', () => {
  const now = at(24, 15)
  expect(named(now, now + 6 * HOUR_MS).map(([key]) => key)).toEqual(['1', '2', '3', '4'])
  expect(named(now, now + 6 * HOUR_MS + 1).at(-1)).toEqual([
    '5',
    '6 hours before it escalates',
    now + 1,
  ])
  expect(named(now, null).map(([key]) => key)).toEqual(['1', '2', '3', '4'])
})

test('offers Monday on every day but Sunday, when tomorrow is Monday', () => {
  expect(named(at(29, 15), null).map(([key]) => key)).toEqual(['1', '2', '3'])
  expect(named(at(23, 15), null).at(-1)).toEqual(['4', 'Until Monday', at(30, 9)])
})

test('detects a snooze that ends when the dispute has escalated', () => {
  expect([isTooLate(9, 10), isTooLate(10, 10), isTooLate(11, 10), isTooLate(11, null)]).toEqual([
    false,
    true,
    true,
    false,
  ])
})
