import { expect, test } from 'vitest'
import soakModel from './model.ts'

test('whatever partners, sellers, customers and support do, the service does what a plain model of it says', async () => {
  const told: string[] = []
  const seed = Math.floor(Math.random() * 2 ** 31)
  const result = await soakModel({
    rounds: 3,
    seed,
    log: (text) => void told.push(text),
    operations: 150,
    processes: 0,
  })
  expect(result, `seed ${seed}: ${told.join('\n')}`).toMatchObject({
    lost: 0,
    twice: 0,
    wrong: 0,
    seeds: 3,
  })
  // A seed has up to 150 operations; now and then one has few.
  expect(result.operations).toBeGreaterThan(20)
}, 300_000)
