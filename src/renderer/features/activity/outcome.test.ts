import { expect, test } from 'vitest'
import { sinceOf } from './outcome.ts'

const hour = 3_600_000

test('a span of time begins with an hour and stays where it is until the next', () => {
  expect(sinceOf('any', 1000 * hour)).toBeNull()
  expect(sinceOf('day', 1000 * hour + 5)).toBe(976 * hour)
  expect(sinceOf('week', 1001 * hour - 1)).toBe(sinceOf('week', 1000 * hour))
})
