import { expect, test } from 'vitest'
import soakOrders from './orders.ts'

test('orders through a network that does its worst, from a console that is killed: each reference is one order or none, and the balance agrees to the cent', async () => {
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
