import { expect, test } from 'vitest'
import soakOrders from './orders.ts'

test('places one order or none per reference, over a bad network and although the console is killed', async () => {
  const result = await soakOrders({
    rounds: 1,
    seed: 20_261_122,
    log: () => {},
    orders: 12,
    killsARound: 1,
  })
  expect(result).toMatchObject({ lost: 0, twice: 0, wrong: 0, orders: 12 })
  expect(result.troubled).toBeGreaterThan(0)
}, 180_000)
