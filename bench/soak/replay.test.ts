import { expect, test } from 'vitest'
import soakReplay from './replay.ts'

test('repeats random sessions byte for byte, also on a loaded machine', async () => {
  const seed = Math.floor(Date.now() / 86_400_000)
  const told: string[] = []
  const result = await soakReplay({ rounds: 6, seed, log: (text) => told.push(text) })
  expect(result, `seed ${seed}: ${told.join('; ')}`).toMatchObject({ wrong: 0, loaded: 3 })
  expect(result.requests).toBeGreaterThan(40)
  expect(result.compared).toBeGreaterThan(0)
}, 180_000)
