import { expect, test } from 'vitest'
import soakSync from './sync.ts'

test('ends in agreement with the service, when killed and behind a faulty proxy', async () => {
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
