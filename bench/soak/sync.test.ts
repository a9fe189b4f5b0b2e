import { expect, test } from 'vitest'
import soakSync from './sync.ts'

test('a desk that is killed, and one behind a proxy that does its worst, end in agreement with the service', async () => {
  const result = await soakSync({
    rounds: 1,
    seed: 20_261_121,
    log: () => {},
    products: 300,
    killsARound: 2,
    runsARound: 1,
    deeds: 5,
  })
  expect(result).toMatchObject({ lost: 0, twice: 0, wrong: 0, kills: 2, proxyRuns: 1 })
  expect(result.troubled).toBeGreaterThan(0)
}, 180_000)
