import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../../../server/api/time.ts'
import { escalatingCount } from './escalations.ts'

const now = Date.UTC(2026, 10, 21, 12)
const due = (...hours: (number | null)[]) =>
  hours.map((each) => ({ escalatesAt: each === null ? null : now + each * HOUR_MS }))

test('counts the disputes that escalate within 24 hours', () => {
  expect(escalatingCount(due(-1, 2, 23, 24, null), 5, now)).toBe('3')
  expect(escalatingCount([], 0, now)).toBe('0')
  expect(escalatingCount(due(1, 2), 2, now)).toBe('2')
})

test('says that there can be more if all rows escalate and others aren’t loaded', () => {
  expect(escalatingCount(due(1, 2), 3, now)).toBe('2+')
  expect(escalatingCount(due(1, 30), 3, now)).toBe('1')
})
