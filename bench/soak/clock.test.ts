import { expect, test } from 'vitest'
import soakClock from './clock.ts'

test('finishes every job once and in time while the wall clock is set back by a minute to a year', async () => {
  const result = await soakClock({
    rounds: 1,
    seed: 30,
    log: () => {},
    keys: 20,
    orders: 4,
    disputes: 3,
  })
  expect(result).toMatchObject({ lost: 0, twice: 0, wrong: 0, jobs: 7, standing: 0, early: 0 })
  expect(result.jumps).toBeGreaterThan(50)
  expect(result.states).toBeGreaterThan(20)
}, 180_000)
