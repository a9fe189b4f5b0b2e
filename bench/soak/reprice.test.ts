import { expect, test } from 'vitest'
import soakReprice from './reprice.ts'

test('sends approved prices once, or still proposes them, when the console is killed while sending', async () => {
  const result = await soakReprice({
    rounds: 1,
    seed: 20_261_121,
    log: () => {},
    offers: 40,
    killsARound: 2,
    situations: 500,
    rivalries: 10,
  })
  expect(result).toMatchObject({ lost: 0, twice: 0, wrong: 0 })
  expect(result.midway).toBeGreaterThan(0)
  expect(result.applied).toBeGreaterThan(0)
}, 180_000)
