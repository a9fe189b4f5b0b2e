import { expect, test } from 'vitest'
import { sinceOf } from './outcome.ts'

const hour = 3_600_000

test('starts a period at a full hour and keeps it until the next hour', () => {
  expect(sinceOf('any', 1000 * hour)).toBeNull()
  expect(sinceOf('day', 1000 * hour + 5)).toBe(976 * hour)
  expect(sinceOf('week', 1001 * hour - 1)).toBe(sinceOf('week', 1000 * hour))
})
