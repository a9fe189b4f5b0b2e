import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { unitPriceFor } from './price-tiers.ts'

const tiers = [
  { minQty: 1, unitCents: cents(550) },
  { minQty: 4, unitCents: cents(600) },
]
test.each([
  ['the first tier', 550, 3, 550],
  ['a later tier', 550, 4, 600],
  ['a later tier, up to 9 units', 550, 9, 600],
  ['a newer listed price', 700, 9, 700],
  ['no known price', null, 9, null],
])('uses %s', (_what, price, qty, expected) => {
  expect(unitPriceFor(price === null ? null : cents(price), tiers, qty)).toBe(expected)
})

test('knows only the price of one unit without tiers', () => {
  expect(unitPriceFor(cents(550), [], 9)).toBe(550)
})
