import { expect, test } from 'vitest'
import { syncedAt } from './service-connection.ts'

test('each list has its own age, and a page of several lists has the age of the oldest', () => {
  const partner = { orders: 500, balance: 400, products: 900 }
  expect(syncedAt(partner, 'orders')).toBe(500)
  expect(syncedAt(partner, 'products')).toBe(900)
  expect(syncedAt(partner, null), 'the catalogue is read much less often').toBe(400)
  expect(syncedAt({ ...partner, products: 1 }, null)).toBe(400)
  expect(syncedAt({ ...partner, orders: null }, 'orders'), 'first sync').toBeNull()
  expect(syncedAt({ ...partner, orders: null }, null)).toBeNull()
  expect(syncedAt(partner, 'sales'), 'a list of the other role').toBe(400)
  expect(syncedAt({}, null)).toBeNull()
})
