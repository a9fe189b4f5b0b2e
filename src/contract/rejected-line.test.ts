import { expect, test } from 'vitest'
import { cents } from '../../server/api/money.ts'
import type { Problem } from './base.ts'
import type { ProblemCode } from './problem-codes.ts'
import { rejectedLineOf } from './rejected-line.ts'

const lines = [
  { productId: 'p1', maxUnitCents: cents(900) },
  { productId: 'p2', maxUnitCents: cents(500) },
  { productId: 'p1', maxUnitCents: cents(500) },
  { productId: 'p1', maxUnitCents: cents(700) },
]
const lineOf = (code: ProblemCode, details?: Problem['details']): number | null =>
  rejectedLineOf({ code, details }, lines)

test('finds the line that the service numbered, also if others have its product', () => {
  expect(lineOf('OUT_OF_STOCK', { productId: 'p1', line: 3 })).toBe(2)
  expect(lineOf('PRICE_CHANGED', { productId: 'p1', line: 4, currentPrice: 8 })).toBe(3)
})

test.each([
  ['the first with a maximum below the price', 'PRICE_CHANGED', { currentPrice: 8 }, 2],
  ['the first for a price below every maximum', 'PRICE_CHANGED', { currentPrice: 1 }, 0],
  ['the last for missing stock, which its lines share', 'OUT_OF_STOCK', {}, 3],
  ['the first for another reason', 'PRODUCT_UNAVAILABLE', {}, 0],
] as const)('finds, without a number, of the lines of a product %s', (_what, code, more, at) => {
  expect(lineOf(code, { productId: 'p1', ...more })).toBe(at)
})

test('finds no line for a rejection that names none', () => {
  expect(lineOf('INSUFFICIENT_BALANCE')).toBeNull()
  expect(lineOf('OUT_OF_STOCK', { productId: 'p9' })).toBeNull()
  expect(lineOf('OUT_OF_STOCK', { productId: 'p9', line: 2 })).toBeNull()
})
