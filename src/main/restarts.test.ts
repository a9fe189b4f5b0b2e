import { expect, test } from 'vitest'
import { createRestarts } from './restarts.ts'

test('a core that ends now and then is started again; one that keeps ending is not', () => {
  let now = 0
  const restarts = createRestarts(() => now)
  for (let end = 0; end < 10; end++) {
    now += 60_000
    expect(restarts.allowed()).toBe(true)
  }
  now += 60_000
  expect([1, 2, 3, 4].map(() => restarts.allowed())).toEqual([true, true, true, false])
})
