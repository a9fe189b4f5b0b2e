import { expect, test } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import { computeTotals } from './totals.ts'

type Line = Parameters<typeof computeTotals>[0][number]
const at = Date.UTC(2026, 0, 5, 9)
const line = (orderId: string, changes: Partial<Line> = {}): Line => ({
  orderId,
  at,
  productId: 'p1',
  name: 'Ironwharf 3',
  qty: 5,
  unitCents: cents(200),
  deliveredQty: 5,
  status: 'completed',
  ...changes,
})
const lines = [
  line('complete'),
  line('partial', { deliveredQty: 2, status: 'partially_completed' }),
  line('failed', { productId: 'p2', deliveredQty: 0, status: 'failed' }),
  line('open', { at: at + 24 * 3_600_000, deliveredQty: 1, status: 'processing' }),
]

test('counts the units that were not credited back, by day and by product', () => {
  const { days, products } = computeTotals(lines)
  expect(days).toEqual([
    { date: '2026-01-05', orders: 3, units: 7, chargedCents: 3000, refundedCents: 1600 },
    { date: '2026-01-06', orders: 1, units: 5, chargedCents: 1000, refundedCents: 0 },
  ])
  expect(products).toMatchObject([
    { productId: 'p1', orders: 3, units: 12, cents: 2400 },
    { productId: 'p2', orders: 1, units: 0, cents: 0 },
  ])
})

test('adds up to the same units and amounts by day and by product', () => {
  const { days, products, chargedCents, refundedCents } = computeTotals(lines)
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
  expect(sum(products.map(({ units }) => units))).toBe(sum(days.map(({ units }) => units)))
  expect(sum(products.map((product) => product.cents))).toBe(chargedCents - refundedCents)
})
