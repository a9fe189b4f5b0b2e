import { expect, it } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import { createdOffersCsv } from './created-offers-csv.ts'
import type { CreatedOffer, Missing } from './created-offers-csv.ts'

const missing = (value: string): Missing => ({
  value,
  lines: 3,
  product: {
    productId: `prd_${value}`,
    name: `=${value}`,
    platform: 'Steam',
    region: 'Global',
    deliveryType: 'key',
    bestSellerCents: null,
  },
})
const problem = {
  code: 'PRODUCT_UNAVAILABLE',
  what: 'Not created: the product is not sold.',
  effect: null,
  next: 'Choose another product.',
  status: 409,
  requestId: null,
  retryAfterMs: null,
} as const

it('lists each value with its result, its reason and the next step, without formulas', () => {
  const results = new Map<string, CreatedOffer>([
    ['Ardtide', { value: 'Ardtide', offerId: 'off_1', problem: null }],
    ['Brume', { value: 'Brume', offerId: null, problem }],
  ])
  const csv = createdOffersCsv(
    [missing('Ardtide'), missing('Brume'), missing('Cinder'), missing('Dunmere')],
    (row) => ({
      productId: row.product?.productId ?? null,
      cents: cents(450),
      wanted: row.value !== 'Dunmere',
    }),
    results,
  )
  const [, made, failed, open, left] = csv.trim().split(/\r?\n/)
  expect(made).toContain('Ardtide,prd_Ardtide,"\'=Ardtide",Steam,Global,key,4.50,Created,off_1,,')
  expect(failed).toContain('Failed,,Not created: the product is not sold.,Choose another product.')
  expect(open).toContain('Not created')
  expect(left).toContain('Not chosen')
})
