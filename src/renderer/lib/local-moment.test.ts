import { expect, test } from 'vitest'
import { formatLocalMoment, momentExample, parseLocalMoment } from './local-moment.ts'

const at = new Date(2026, 10, 24, 9, 5).getTime()

test('reads the format of the screens, and the one of programs', () => {
  for (const text of [
    '24 Nov 2026, 09:05',
    '24 nov 2026 9:05',
    ' 24  November 2026,  09:05 ',
    '2026-11-24T09:05',
    '2026-11-24 09:05',
  ])
    expect(parseLocalMoment(text), text).toBe(at)
  expect(parseLocalMoment('3 Sept 2026, 00:00')).toBe(new Date(2026, 8, 3).getTime())
  expect(parseLocalMoment(momentExample)).not.toBeNull()
})

test('rejects incomplete text and dates that don’t exist', () => {
  for (const text of [
    '',
    '24 Nov 2026',
    '24 Nov 2026, 9:5',
    '31 Jun 2026, 09:00',
    '24 Foo 2026, 09:00',
    '24 Novum 2026, 09:00',
    '24 Nov 2026, 24:00',
    '24 Nov 2026, 09:60',
    '2026-13-40T09:00',
    '11/24/2026, 09:05',
  ])
    expect(parseLocalMoment(text), text).toBeNull()
})

test('formats a moment so that it parses to the same value', () => {
  for (let month = 0; month < 12; month++) {
    const moment = new Date(2026, month, 28, 23, 59).getTime()
    expect(parseLocalMoment(formatLocalMoment(moment))).toBe(moment)
  }
})
