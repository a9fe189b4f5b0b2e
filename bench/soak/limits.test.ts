import { expect, test } from 'vitest'
import soakLimits from './limits.ts'

test('decides about request rates, and sets waits and headers of rejections, exactly as brute force does', async () => {
  const seed = Math.floor(Date.now() / 86_400_000)
  const told: string[] = []
  const result = await soakLimits({ rounds: 6000, seed, log: (text) => told.push(text) })
  expect(told, `seed ${seed}`).toEqual([])
  expect(result).toMatchObject({ lost: 0, twice: 0, wrong: 0 })
  expect(result.refused).toBeGreaterThan(0)
  expect(result.exactlyThen).toBeGreaterThan(0)
}, 180_000)
