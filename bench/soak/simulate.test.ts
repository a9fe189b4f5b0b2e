import { expect, test } from 'vitest'
import soakSimulate from './simulate.ts'
import { plantedBugs } from './simulate/planted.ts'

test('loses nothing in a simulated day, which its seed repeats, and finds a planted bug', async () => {
  const planted = plantedBugs.filter(({ name }) => name.includes('another Idempotency-Key'))
  const result = await soakSimulate({ rounds: 1, seed: 9, log: () => {}, replayed: 1, planted })
  expect(result).toMatchObject({ lost: 0, twice: 0, wrong: 0, days: 1, replayed: 1, planted: 1 })
  expect(result.kills).toBeGreaterThan(0)
}, 180_000)
