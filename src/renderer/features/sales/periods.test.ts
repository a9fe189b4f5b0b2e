import { expect, test } from 'vitest'
import { calendarOf, edgesOf } from './periods.ts'

const now = new Date(2026, 10, 21, 15, 30).getTime()

test('starts days at local midnight and ends tomorrow', () => {
  const edges = edgesOf('30', now)
  expect(edges).toHaveLength(31)
  expect(edges.at(-1)).toBe(new Date(2026, 10, 22).getTime())
  expect(edges[0]).toBe(new Date(2026, 9, 23).getTime())
  expect(edges.every((edge) => new Date(edge).getHours() === 0)).toBe(true)
})

test('groups the longest period by calendar months', () => {
  const edges = edgesOf('all', now)
  expect(edges).toHaveLength(37)
  expect(edges.slice(-2)).toEqual([
    new Date(2026, 10, 1).getTime(),
    new Date(2026, 11, 1).getTime(),
  ])
})

test('starts the calendar on Monday of this week and includes the last release', () => {
  const short = calendarOf(Date.UTC(2026, 10, 21, 15), ['2026-11-26'])
  expect([short.length, short[0]?.date, short[5]]).toEqual([
    21,
    '2026-11-16',
    { date: '2026-11-21', day: 21, past: false, today: true },
  ])
  const long = calendarOf(Date.UTC(2026, 10, 21, 15), ['2026-12-10', 'not told'])
  expect([long.length, long.at(-1)?.date]).toEqual([28, '2026-12-13'])
})
