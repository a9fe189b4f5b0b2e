import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cents, ZERO } from '../../../server/api/money.ts'
import { formatCents, formatDuration, formatStock, formatTimeLeft, parseCents } from './format.ts'

describe('money format', () => {
  test('has two decimals, groups and a true minus', () => {
    expect(formatCents(cents(128460))).toBe('1,284.60')
    expect(formatCents(cents(-45))).toBe('−0.45')
    expect(formatCents(cents(25), { sign: true })).toBe('+0.25')
    expect(formatCents(ZERO, { sign: true })).toBe('0.00')
  })

  test('parses what it formats', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (amount) => {
        expect(parseCents(formatCents(cents(amount)))).toEqual({ cents: amount })
      }),
    )
  })

  test('names the error of an invalid price', () => {
    expect(parseCents('12.405')).toEqual({ wrong: 'At most two decimals' })
    expect(parseCents('')).toEqual({ wrong: 'Enter a price' })
    expect(parseCents('12a')).toEqual({ wrong: 'Use digits and one decimal point' })
    expect(parseCents('.')).toEqual({ wrong: 'Use digits and one decimal point' })
    expect(parseCents('12,4')).toEqual({ cents: 1240 })
  })
})

test('formats durations with at most two units', () => {
  expect(formatDuration(34_900)).toBe('34 s')
  expect(formatDuration(4 * 60_000)).toBe('4 min')
  expect(formatDuration((5 * 60 + 12) * 60_000)).toBe('5 h 12 m')
  expect(formatDuration((2 * 24 + 20) * 3_600_000)).toBe('2 d 20 h')
  expect(formatDuration(-5)).toBe('0 s')
})

test('formats full hours and days, and ten days or more, with one unit', () => {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
  const texts = (...spans: number[]): string[] => spans.map(formatDuration)
  expect(texts(6 * hour, 6 * hour + minute - 1, 6 * hour + minute)).toEqual([
    '6 h',
    '6 h',
    '6 h 1 m',
  ])
  expect(texts(day, day + hour - 1, day + hour, 7 * day)).toEqual([
    '1 day',
    '1 day',
    '1 d 1 h',
    '7 days',
  ])
  expect(texts(10 * day - 1, 10 * day, 130 * day + 5 * hour, 1200 * day)).toEqual([
    '9 d 23 h',
    '10 days',
    '130 days',
    '1,200 days',
  ])
})

test('rounds the time left up, to ten seconds under ten minutes', () => {
  expect([0, 900, 59_000, 59_500, 85_000, 119_000, 170_000].map(formatTimeLeft)).toEqual([
    '0 s',
    '1 s',
    '59 s',
    '1 min',
    '1 min 30 s',
    '2 min',
    '2 min 50 s',
  ])
  expect([595_000, 601_000, 4_000_000].map(formatTimeLeft)).toEqual(['10 min', '11 min', '1 h 7 m'])
})

test('formats stock above the cap as 99+ and names unknown stock', () => {
  expect([formatStock(99), formatStock(98), formatStock(0), formatStock(null)]).toEqual([
    '99+',
    '98',
    '0',
    'unknown',
  ])
})
