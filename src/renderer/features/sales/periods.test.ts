import { expect, test } from 'vitest'
import { barAt, barName, calendarOf, edgesOf } from './periods.ts'

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

test('a chosen bar ends at the next one, and is dropped once it isn’t in the period', () => {
  const first = new Date(2026, 9, 23).getTime()
  expect(barAt(edgesOf('30', now), first)).toEqual({
    from: first,
    to: new Date(2026, 9, 24).getTime(),
  })
  expect(barAt(edgesOf('30', now), null)).toBeNull()
  const nextDay = new Date(2026, 10, 22, 0, 1).getTime()
  expect(barAt(edgesOf('30', nextDay), first)).toBeNull()
  // The clock was moved back to yesterday: the last edge is the end of a bar, not a bar.
  const today = new Date(2026, 10, 21).getTime()
  expect(barAt(edgesOf('30', new Date(2026, 10, 20, 12).getTime()), today)).toBeNull()
})

test('names a bar by all the time whose sales it has', () => {
  const first = new Date(2026, 8, 1).getTime()
  expect(barName('30', first)).toBe('1 Sep 2026')
  expect(barName('all', first)).toBe('September 2026')
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
