import { expect, it } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import { createdOffersCsv, initialChoice, withProduct } from './created-offers-csv.ts'
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
      product: row.product,
      cents: cents(450),
      isTyped: true,
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

const product = (productId: string, best: number | null) => ({
  productId,
  name: `=${productId}`,
  platform: 'Steam',
  region: 'Europe',
  deliveryType: 'gift',
  bestSellerCents: best === null ? null : cents(best),
})
const unknown: Missing = { value: 'Elden', lines: 1, product: null }

it('proposes the best price of the chosen product, not that of the one chosen before', () => {
  const first = withProduct(initialChoice(unknown), product('dlc', 200))
  expect(first).toMatchObject({ cents: 200, wanted: true })
  expect(withProduct(first, product('game', 5000)).cents).toBe(5000)
  expect(withProduct(first, product('unpriced', null)).cents).toBeNull()
})

it('keeps a typed price when another product is chosen', () => {
  const typed = { ...initialChoice(unknown), cents: cents(450), isTyped: true }
  expect(withProduct(typed, product('game', 5000)).cents).toBe(450)
  // A cleared price is none.
  expect(withProduct({ ...typed, cents: null }, product('game', 5000)).cents).toBe(5000)
})

it('names a product that was chosen by hand, with its edition', () => {
  const csv = createdOffersCsv(
    [unknown],
    (row) => withProduct(initialChoice(row), product('game', 5000)),
    new Map(),
  )
  expect(csv).toContain('Elden,game,"\'=game",Steam,Europe,gift,50.00,Not created')
})
