import { expect, test } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import { unusualPrice } from './unusual-price.ts'

const product = {
  productId: 'prd_1',
  name: 'Quarry of Glass',
  platform: 'Steam',
  region: 'Global',
  deliveryType: 'key',
  bestSellerCents: cents(1000),
}

test('a price far from the best price of its product needs a second look', () => {
  expect(unusualPrice({ product, cents: cents(1200) }, 20)).toBeNull()
  expect(unusualPrice({ product, cents: cents(1201) }, 20)).toMatchObject({
    fromCents: 1000,
    toCents: 1201,
  })
  expect(unusualPrice({ product, cents: cents(101) }, 20)?.suggestedCents).toBe(1010)
  expect(unusualPrice({ product, cents: cents(100) }, 0)).toBeNull()
  expect(unusualPrice({ product, cents: null }, 20)).toBeNull()
  expect(unusualPrice({ product: null, cents: cents(1) }, 20)).toBeNull()
  const unknown = { ...product, bestSellerCents: null }
  expect(unusualPrice({ product: unknown, cents: cents(1) }, 20)).toBeNull()
})
