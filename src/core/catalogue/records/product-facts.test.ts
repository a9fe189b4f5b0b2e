import { expect, test } from 'vitest'
import { packFacts, partnerFacts, sellerFacts, unpackFacts } from './product-facts.ts'
import { servedProduct } from '../testing/service.ts'

test('products arrive in another thread unchanged', () => {
  const products = [
    partnerFacts(
      servedProduct('prd_1', {
        activation: { excludedCountries: ['de', 'BY'], allowedCountryCount: 7 },
        updatedAt: '2026-02-01T10:00:00Z',
        qty: null,
      }),
    ),
    partnerFacts(servedProduct('prd_2', { inStock: false, qty: 0, removed: true })),
    sellerFacts({ productId: 'prd_3' }),
    sellerFacts({
      productId: 'prd_4',
      name: 'Wayfarer’s Oath',
      commission: { class: 'keys', percent: 12.5 },
    }),
  ]
  expect(products[0]).toMatchObject({
    excluded: ',DE,BY,',
    allowedCountries: 7,
    updatedAt: Date.parse('2026-02-01T10:00:00Z'),
  })
  expect(unpackFacts(structuredClone(packFacts(products)))).toEqual(products)
})
