import { expect, test } from 'vitest'
import soakVault from './vault.ts'

test('keeps every key and opens them all, when the vault is killed many times while it is re-keyed', async () => {
  const result = await soakVault({ rounds: 1, seed: 20_261_121, log: () => {}, killsARound: 4 })
  expect(result).toMatchObject({ lost: 0, twice: 0, wrong: 0, kills: 4, entriesLeft: 0 })
  expect(result.kept).toBeGreaterThan(0)
}, 180_000)
