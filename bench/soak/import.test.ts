import { expect, test } from 'vitest'
import soakImport from './import.ts'

test('uploads every key of an import once although it is killed many times, and undoes it completely', async () => {
  const result = await soakImport({
    rounds: 1,
    seed: 20_261_121,
    log: () => {},
    keys: 6_000,
    killsARound: 5,
  })
  expect(result).toMatchObject({ lost: 0, twice: 0, wrong: 0, clear: 0 })
  expect(result.kills).toBeGreaterThanOrEqual(3)
  expect(result.midway).toBeGreaterThan(0)
  expect(result.undoing).toBeGreaterThan(0)
}, 180_000)
