import { expect, test } from 'vitest'
import { fateOf, reconcile } from './upload-answers.ts'

test('treats a request with a lost response as arrived if stock and sales grew by its keys, as not arrived if they didn’t grow, and asks otherwise', () => {
  const before = { stock: 10, sold: 3 }
  expect(reconcile(before, { stock: 10, sold: 3 }, 5)).toBe('not-arrived')
  expect(reconcile(before, { stock: 15, sold: 3 }, 5)).toBe('arrived')
  expect(reconcile(before, { stock: 13, sold: 5 }, 5)).toBe('arrived')
  expect(reconcile(before, { stock: 8, sold: 5 }, 5)).toBe('not-arrived')
  expect(reconcile(before, { stock: 13, sold: 3 }, 5)).toBe('unclear')
  expect(reconcile({ stock: 10, sold: null }, { stock: 13, sold: 5 }, 5)).toBe('unclear')
  expect(reconcile(null, { stock: 15, sold: 3 }, 5)).toBe('unclear')
})

test('derives each key’s outcome from counts only if all keys had the same one, and never marks duplicates of a request sent again in doubt', () => {
  expect(fateOf({ added: 3, duplicates: 0 }, 3, false)).toBe('added')
  expect(fateOf({ added: 0, duplicates: 3 }, 3, false)).toBe('duplicate')
  expect(fateOf({ added: 2, duplicates: 1 }, 3, false)).toBe('unsure')
  expect(fateOf({ added: 0, duplicates: 3 }, 3, true)).toBe('unsure')
  expect(fateOf({ added: 3, duplicates: 0 }, 3, true)).toBe('added')
})
