import { expect, test } from 'vitest'
import { outcomeOf, reconcile } from './responses.ts'

test('decides about a lost response by the growth of stock and sales, and asks if that is unclear', () => {
  const before = { stock: 10, sold: 3 }
  expect(reconcile(before, { stock: 10, sold: 3 }, 5)).toBe('not-arrived')
  expect(reconcile(before, { stock: 15, sold: 3 }, 5)).toBe('arrived')
  expect(reconcile(before, { stock: 13, sold: 5 }, 5)).toBe('arrived')
  expect(reconcile(before, { stock: 8, sold: 5 }, 5)).toBe('not-arrived')
  expect(reconcile(before, { stock: 13, sold: 3 }, 5)).toBe('unclear')
  expect(reconcile({ stock: 10, sold: null }, { stock: 13, sold: 5 }, 5)).toBe('unclear')
  expect(reconcile(null, { stock: 15, sold: 3 }, 5)).toBe('unclear')
})

test('derives outcomes from counts only if all keys had the same, and not for duplicates in doubt', () => {
  expect(outcomeOf({ added: 3, duplicates: 0 }, 3, false)).toBe('added')
  expect(outcomeOf({ added: 0, duplicates: 3 }, 3, false)).toBe('duplicate')
  expect(outcomeOf({ added: 2, duplicates: 1 }, 3, false)).toBe('unsure')
  expect(outcomeOf({ added: 0, duplicates: 3 }, 3, true)).toBe('unsure')
  expect(outcomeOf({ added: 3, duplicates: 0 }, 3, true)).toBe('added')
})
