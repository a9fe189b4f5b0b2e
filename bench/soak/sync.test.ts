import { expect, test } from 'vitest'
import soakSync from './sync.ts'

test('a sync that is killed again and again ends with the catalogue of the service', async () => {
  const result = await soakSync({ rounds: 1, seed: 20_261_121, log: () => {}, products: 2500, killsARound: 3 })
  expect(result).toMatchObject({ lost: 0, twice: 0, wrong: 0 })
  expect(result.kills).toBeGreaterThan(0)
}, 180_000)
