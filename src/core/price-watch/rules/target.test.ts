import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { customerFor, endingDown, endingUp, receiveFor, stepCents } from './target.ts'

test.each([
  [{ by: 'amount', cents: cents(5) }, 1414, 5],
  [{ by: 'amount', cents: cents(0) }, 1414, 0],
  [{ by: 'percent', percent: 2 }, 1400, 28],
  [{ by: 'percent', percent: 2 }, 1401, 29],
  [{ by: 'percent', percent: 0 }, 1400, 1],
] as const)('a step of %o at a price of %i is %i cents', (step, price, expected) => {
  expect(stepCents(step, cents(price))).toBe(expected)
})

test.each([
  [1368, '99', 1299, 1399],
  [1399, '99', 1399, 1399],
  [1400, '99', 1399, 1499],
  [1368, '9', 1359, 1369],
  [1368, null, 1368, 1368],
  [100, '0', 100, 100],
  // No price below has this ending.
  [50, '99', 50, 99],
  [5, '0', 5, 10],
  [0, '0', 0, 0],
  [12, '01', 1, 101],
])('rounds %i to the ending %s: %i down, %i up', (customer, ending, down, up) => {
  expect([endingDown(cents(customer), ending), endingUp(cents(customer), ending)]).toEqual([
    down,
    up,
  ])
})

test('rounds to the nearest price with the ending', () => {
  const ending = fc.stringMatching(/^\d{1,2}$/)
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 100_000 }), ending, (customer, digits) => {
      const down = endingDown(cents(customer), digits)
      const up = endingUp(cents(customer), digits)
      const every = digits.length === 1 ? 10 : 100
      expect(String(down).endsWith(digits) || down === Number(digits)).toBe(true)
      expect(String(up).endsWith(digits)).toBe(true)
      expect(customer - down).toBeGreaterThanOrEqual(0)
      expect(customer - down).toBeLessThan(every)
      expect(up - down).toBe(down === customer ? 0 : every)
    }),
  )
})

test('converts between what the seller receives and what the customer pays', () => {
  expect(customerFor(cents(1244), 10)).toBe(1368)
  expect(receiveFor(cents(1368), 10)).toBe(1244)
  expect(receiveFor(cents(1369), 10), 'the customer never pays more').toBe(1244)
  expect(receiveFor(cents(0), 10), 'at least a cent').toBe(1)
})
