import { expect, test } from 'vitest'
import soakModel from './model.ts'

test('matches a plain model of the service, whatever partners, sellers, customers and support do', async () => {
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
  // A seed has up to 150 operations; a few seeds have only a few.
  expect(result.operations).toBeGreaterThan(20)
}, 300_000)
