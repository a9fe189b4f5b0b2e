import { expect, test } from 'vitest'
import soakDisputes from './disputes.ts'

test('does each thing once and ends in agreement with the service, when killed while responses are lost', async () => {
  const result = await soakDisputes({
    rounds: 1,
    seed: 8,
    log: () => {},
    killsARound: 2,
    claims: 10,
  })
  expect(result).toMatchObject({ lost: 0, twice: 0, wrong: 0, kills: 2 })
  expect(result.answers + result.settled).toBeGreaterThan(0)
}, 180_000)
