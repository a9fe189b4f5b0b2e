import type { Database } from 'better-sqlite3'
import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { copyDetails, copyNewDetails } from './partner-details.ts'
import { syncPartnerCatalogue } from './partner-sync.ts'
import { syncSellerCatalogue } from './seller-sync.ts'
import { applyOwnOffers } from './own-offers.ts'
import { findProduct, pagesOfOwnOffers } from '../store.ts'
import { readSyncState } from './sync-state.ts'
import { searchProducts } from '../search/search.ts'
import { localWork } from '../testing/local-work.ts'
import { filterOf, openMirror } from '../testing/products.ts'
import { createCatalogueService, servedProduct } from '../testing/service.ts'
import type { CatalogueService } from '../testing/service.ts'

const id = (i: number): string => `prd_${String(i).padStart(5, '0')}`
let at = 1_000_000
const signal = new AbortController().signal
const pass = (db: Database, service: CatalogueService, added: (ids: string[]) => void = () => {}) =>
  syncSellerCatalogue({
    ...localWork(db, service.line),
    now: () => (at += 1000),
    signal,
    page: () => {},
    added,
    pagesOfOwnOffers: () => pagesOfOwnOffers(db),
  })
const filled = (count: number): CatalogueService => {
  const service = createCatalogueService()
  for (let i = 0; i < count; i += 1) {
    service.sellerProducts.push({
      productId: id(i),
      name: `Product ${i}`,
      platform: 'Steam',
      region: 'Global',
      productType: 'game',
      deliveryType: 'key',
      shopPrice: cents(1100),
      bestSellerPrice: cents(1000),
      commission: { class: 'keys', percent: 10 },
    })
  }
  return service
}
const total = (db: Database): number =>
  searchProducts(db, filterOf(), null, { offset: 0, limit: 1 }).total

test('the first listing resumes at the page where it was interrupted', async () => {
  const [db, service] = [openMirror(), filled(730)]
  service.intercept(() => {
    if (service.calls.length === 4) throw new Error('killed')
  })
  await expect(pass(db, service)).rejects.toThrow('killed')
  expect(readSyncState(db)).toMatchObject({ complete: false, page: 4, done: 300, total: 730 })
  await pass(db, service)
  expect(service.calls.map(({ query }) => query['page'])).toEqual([1, 2, 3, 4, 4, 5, 6, 7, 8])
  expect(readSyncState(db)).toMatchObject({ complete: true, page: 1, done: 730, total: 730 })
  expect(findProduct(db, id(5))).toMatchObject({
    price_cents: 1100,
    best_seller_cents: 1000,
    commission_class: 'keys',
    commission_percent: 10,
    in_stock: null,
    qty: null,
    excluded: null,
  })
})

test('later passes read the pages of own offers first', async () => {
  const [db, service] = [openMirror(), filled(730)]
  await pass(db, service)
  applyOwnOffers(db, [
    { productId: id(650), offerId: 'off_1' },
    { productId: id(210), offerId: 'off_2' },
  ])
  service.calls.length = 0
  await pass(db, service)
  expect(service.calls.map(({ query }) => query['page']).slice(0, 3)).toEqual([3, 7, 1])
})

test('a product is removed only after two rounds without it', async () => {
  const [db, service] = [openMirror(), filled(150)]
  await pass(db, service)
  service.sellerProducts.splice(20, 1)
  await pass(db, service)
  expect(total(db)).toBe(150)
  await pass(db, service)
  expect(total(db)).toBe(149)
  expect(findProduct(db, id(20))?.removed).toBe(1)
})

test('with only the documented fields, the id replaces the name and everything else is unknown', async () => {
  const [db, service] = [openMirror(), createCatalogueService()]
  service.sellerProducts.push({ productId: 'prd_1' })
  await pass(db, service)
  expect(findProduct(db, 'prd_1')).toMatchObject({
    name: 'prd_1',
    platform: '',
    price_cents: null,
    best_seller_cents: null,
    commission_class: null,
    in_stock: null,
  })
})

test("copies stock and activation from a partner's mirror, and clears them with it", async () => {
  const [seller, partner, service] = [openMirror(), openMirror(), filled(50)]
  for (let i = 0; i < 60; i += 1)
    service.put(
      servedProduct(id(i), {
        qty: i,
        inStock: i > 0,
        activation: i % 2 === 0 ? null : { excludedCountries: ['DE'], allowedCountryCount: 200 },
      }),
    )
  const partnerPass = () =>
    syncPartnerCatalogue({
      ...localWork(partner, service.line),
      now: () => (at += 1000),
      signal,
      page: () => {},
    })
  await partnerPass()
  const lender = { accountId: 'acc_partner', db: partner }
  await pass(seller, service)
  expect(await copyDetails(seller, lender, signal)).toBe(50)
  expect(findProduct(seller, id(7))).toMatchObject({
    qty: 7,
    in_stock: 1,
    excluded: ',DE,',
    allowed_countries: 200,
    price_cents: 1100,
  })
  expect(
    searchProducts(seller, filterOf({ inStockOnly: true }), null, { offset: 0, limit: 1 }).total,
  ).toBe(49)
  expect(
    searchProducts(seller, filterOf({ country: 'DE' }), null, { offset: 0, limit: 1 }).total,
  ).toBe(25)

  expect(await copyDetails(seller, lender, signal)).toBe(0)
  service.put(servedProduct(id(7), { qty: 99 }))
  await partnerPass()
  expect(await copyDetails(seller, lender, signal)).toBe(1)
  expect(findProduct(seller, id(7))?.qty).toBe(99)

  service.sellerProducts.push({ productId: id(55), name: 'New here' })
  await pass(seller, service, (ids) => void copyNewDetails(seller, partner, ids))
  expect(findProduct(seller, id(55))).toMatchObject({ name: 'New here', qty: 55 })
  expect(await pass(seller, service).then(() => findProduct(seller, id(7))?.qty)).toBe(99)

  await copyDetails(seller, null, signal)
  expect(findProduct(seller, id(7))).toMatchObject({
    qty: null,
    in_stock: null,
    excluded: null,
    lent_at: null,
  })
})
