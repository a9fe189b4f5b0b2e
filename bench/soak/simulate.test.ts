import { expect, test } from 'vitest'
import soakPlanted from './planted.ts'
import soakSimulate from './simulate.ts'
import { plantedBugs } from './simulate/planted.ts'

test('loses nothing in a simulated day, which its seed repeats', async () => {
  const result = await soakSimulate({ rounds: 1, seed: 9, log: () => {}, replayed: 1 })
  expect(result).toMatchObject({ lost: 0, twice: 0, wrong: 0, days: 1, replayed: 1 })
  expect(result.kills).toBeGreaterThan(0)
}, 180_000)

test('starts no more days after it is stopped', async () => {
  const stop = AbortSignal.abort()
  const result = await soakSimulate({ rounds: 100, seed: 9, log: () => {}, stop })
  expect(result).toMatchObject({ lost: 0, twice: 0, wrong: 0, days: 0 })
})

test('finds a planted bug in a simulated day', async () => {
  const bugs = plantedBugs.filter(({ name }) => name === 'uploads keys to another offer')
  const result = await soakPlanted({ rounds: 1, log: () => {}, bugs })
  expect(result).toMatchObject({ wrong: 0, bugs: 1 })
}, 180_000)
