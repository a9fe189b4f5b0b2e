import { expect, test } from 'vitest'
import { pageAfterPlacing } from './after-placing.ts'

const placed = { state: 'placed', orderId: 'ord_1' } as const
const unknown = { state: 'unknown', orderId: null } as const

test('opens the placed order, or the orders while the outcome isn’t known', () => {
  expect(pageAfterPlacing(placed, true)).toBe('/orders/ord_1')
  expect(pageAfterPlacing(unknown, true)).toBe('/orders')
  expect(pageAfterPlacing({ state: 'refused', orderId: null }, true)).toBeNull()
})

test('opens no page for a person who left the composer', () => {
  expect(pageAfterPlacing(placed, false)).toBeNull()
  expect(pageAfterPlacing(unknown, false)).toBeNull()
})
