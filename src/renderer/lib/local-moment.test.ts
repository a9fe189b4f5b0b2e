import { expect, test } from 'vitest'
import { parseLocalMoment, formatLocalMoment } from './local-moment.ts'

test('parses a local date and time, and rejects other text', () => {
  expect(parseLocalMoment('')).toBeNull()
  expect(parseLocalMoment('2026-13-40T09:00')).toBeNull()
  expect(parseLocalMoment('2026-11-24T09:00')).toBe(new Date(2026, 10, 24, 9).getTime())
})

test('formats a moment so that it parses to the same value', () => {
  for (const text of ['2026-11-24T09:05', '2027-01-01T00:00', '0999-12-31T23:59'])
    expect(formatLocalMoment(parseLocalMoment(text) ?? 0)).toBe(text)
})
