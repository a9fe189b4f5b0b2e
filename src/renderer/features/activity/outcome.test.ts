import { expect, test } from 'vitest'
import { sinceOf } from './outcome.ts'
import { HOUR_MS } from '../../../../server/api/time.ts'

test('starts a period at a full HOUR_MS and keeps it until the next HOUR_MS', () => {
  expect(sinceOf('any', 1000 * HOUR_MS)).toBeNull()
  expect(sinceOf('day', 1000 * HOUR_MS + 5)).toBe(976 * HOUR_MS)
  expect(sinceOf('week', 1001 * HOUR_MS - 1)).toBe(sinceOf('week', 1000 * HOUR_MS))
})
