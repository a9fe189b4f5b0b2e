import { expect, test } from 'vitest'
import soakWhy from './why.ts'

test('explains refusals over all endpoints, almost all with a request that passes, and no secret', async () => {
  const seed = Math.floor(Date.now() / 86_400_000)
  const told: string[] = []
  const result = await soakWhy({
    rounds: 60,
    seed,
    products: 100,
    log: (text) => told.push(text),
  })
  expect(result, `seed ${seed}: ${told.join('; ')}`).toMatchObject({ lost: 0, wrong: 0 })
  expect(result.refused).toBeGreaterThan(40)
}, 180_000)
