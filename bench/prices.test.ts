import { expect, test } from 'vitest'
import benchPrices from './prices.ts'

test('the benchmark of prices applies all of them while a person changes one', async () => {
  const figures = await benchPrices({ log: () => {}, offers: 40 })
  expect(figures.offers).toBe(40)
  expect(figures.appliedPerS).toBeGreaterThan(0)
  expect(figures.bulkPerS).toBeGreaterThan(0)
  expect(figures.personWorstMs).toBeGreaterThan(0)
}, 120_000)
