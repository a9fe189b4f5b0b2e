import { expect, test } from 'vitest'
import { linesLeft, pageAfterPlacing } from './after-placing.ts'
import { newLine } from './basket.ts'

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

test('leaves the lines in the basket that were added while the order was placed', () => {
  const [sent, added] = [newLine('p1', 1), newLine('p2', 3)]
  expect(linesLeft([sent, added], [sent.id])).toEqual([added])
  expect(linesLeft([sent], [sent.id])).toEqual([])
})
