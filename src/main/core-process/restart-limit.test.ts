import { expect, test } from 'vitest'
import { createRestartLimit } from './restart-limit.ts'

test('restarts a core that stops occasionally, but not one that keeps stopping', () => {
  let now = 0
  const restarts = createRestartLimit(() => now)
  for (let end = 0; end < 10; end++) {
    now += 60_000
    expect(restarts.allowed()).toBe(true)
  }
  now += 60_000
  expect([1, 2, 3, 4].map(() => restarts.allowed())).toEqual([true, true, true, false])
})
