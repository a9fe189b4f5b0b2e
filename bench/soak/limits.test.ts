import { expect, test } from 'vitest'
import soakLimits from './limits.ts'

test('request rates decide, tell the wait and head their refusals exactly as brute force does', async () => {
  const seed = Math.floor(Date.now() / 86_400_000)
  const told: string[] = []
  const result = await soakLimits({ rounds: 6000, seed, log: (text) => told.push(text) })
  expect(told, `seed ${seed}`).toEqual([])
  expect(result).toMatchObject({ lost: 0, twice: 0, wrong: 0 })
  expect(result.refused).toBeGreaterThan(0)
  expect(result.exactlyThen).toBeGreaterThan(0)
}, 180_000)
