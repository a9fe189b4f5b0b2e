import { readdirSync } from 'node:fs'
import path from 'node:path'
import { call } from '@orpc/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startFeature } from '../testing/start-feature.ts'
import type { Started } from '../testing/start-feature.ts'
import { startBackend } from '../mirror/testing/backend.ts'
import type { DemoBackend } from '../mirror/testing/backend.ts'
import { createMirrorHarness } from '../mirror/testing/harness.ts'
import type { MirrorHarness } from '../mirror/testing/harness.ts'
import { catalogueFeature, catalogueSchema, ownOffersSchema } from './catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import { createCatalogueRouter } from './router.ts'

let backend: DemoBackend
let harness: MirrorHarness
let catalogue: Started<Catalogue>
const rows = async (accountId: string, more: object = {}) =>
  (await catalogue.search({ accountId, window: { offset: 0, limit: 500 }, ...more })).rows

/** All products as the service lists them to the demo partner. */
async function serviceProducts(): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = []
  for (let page = 1; ; page += 1) {
    const answer = await fetch(
      `${backend.baseUrl}/products?limit=100&includeRemoved=true&page=${page}`,
      { headers: { authorization: `Bearer ${backend.demo.partnerLiveKey}` } },
    )
    const { results, hasMore } = (await answer.json()) as {
      results: Record<string, unknown>[]
      hasMore: boolean
    }
    all.push(...results)
    if (!hasMore) return all
  }
}

beforeAll(async () => {
  backend = await startBackend(2000)
  harness = createMirrorHarness({ schemas: [catalogueSchema, ownOffersSchema] })
  catalogue = startFeature(catalogueFeature, harness.context, {})
  harness.add({
    id: 'partner',
    role: 'partner',
    baseUrl: backend.baseUrl,
    key: backend.demo.partnerLiveKey,
  })
  harness.add({
    id: 'seller',
    role: 'seller',
    baseUrl: backend.baseUrl,
    key: backend.demo.sellerKey,
  })
  harness.begin('partner')
  harness.begin('seller')
  await catalogue.syncNow('partner')
  await catalogue.syncNow('seller')
  // Partner details are copied to the seller's mirror in the background.
  const stockOf = async (accountId: string): Promise<string> =>
    JSON.stringify((await rows(accountId)).map((row) => [row.qty, row.inStock]))
  await vi.waitUntil(async () => (await stockOf('seller')) === (await stockOf('partner')), {
    timeout: 60_000,
    interval: 200,
  })
}, 120_000)

afterAll(async () => {
  await harness.close(catalogue)
  await backend.stop()
})

test("the partner's mirror equals the service's list", async () => {
  const served = await serviceProducts()
  const mirrored = harness.context.mirrors
    .database('partner')
    .prepare(
      `SELECT product_id, name, platform, region, product_type, delivery_type, price_cents, in_stock, qty,
        updated_at, removed
      FROM products ORDER BY product_id`,
    )
    .all()
  expect(mirrored).toEqual(
    served
      .map((product) => ({
        product_id: product['id'],
        name: product['name'],
        platform: product['platform'],
        region: product['region'],
        product_type: product['productType'],
        delivery_type: product['deliveryType'],
        price_cents: Math.round(Number(product['price']) * 100),
        in_stock: Number(product['inStock']),
        qty: product['qty'],
        updated_at: Date.parse(String(product['updatedAt'])),
        removed: Number(product['removed']),
      }))
      .toSorted((a, b) => (String(a.product_id) < String(b.product_id) ? -1 : 1)),
  )
  // With 20 products that have left the catalogue.
  expect(mirrored.length).toBe(2020)
  expect(catalogue.sync({ accountId: 'partner' })).toMatchObject({
    state: 'idle',
    kind: 'changes',
    done: 2000,
    total: 2000,
  })
  expect(harness.jobs.size).toBe(0)
  expect(harness.reports).toEqual([])
})

test('a seller gets shop and best seller price from its own API, the rest from the partner account', async () => {
  const [seller, partner] = [await rows('seller'), await rows('partner')]
  expect((await catalogue.search({ accountId: 'seller' })).total).toBe(
    (await catalogue.search({ accountId: 'partner' })).total,
  )
  expect(seller.map((row) => row.productId)).toEqual(partner.map((row) => row.productId))
  expect(seller.map((row) => [row.qty, row.inStock])).toEqual(
    partner.map((row) => [row.qty, row.inStock]),
  )
  expect(
    seller.some(
      (row) =>
        row.bestSellerCents !== null &&
        row.priceCents !== null &&
        row.bestSellerCents < row.priceCents,
    ),
  ).toBe(true)
  const product = catalogue.product({ accountId: 'seller', productId: seller[0]?.productId ?? '' })
  expect(product).toMatchObject({ detailsFrom: { accountId: 'partner', name: 'Account partner' } })
  expect(product.description).toBe(
    catalogue.product({ accountId: 'partner', productId: product.productId }).description,
  )
  expect(product.commission).not.toBeNull()
})

test('a change on the service arrives with the next incremental sync, in both mirrors and in the history', async () => {
  const [product] = await rows('partner', { filter: { inStockOnly: true } })
  const productId = product?.productId ?? ''
  await backend.dashboard('PATCH', `/products/${productId}`, {
    name: 'Zanzibar Lighthouse',
    supplyUnknown: true,
  })
  harness.told.length = 0
  await catalogue.syncNow('partner')
  await catalogue.syncNow('seller')
  expect(
    (await rows('partner', { filter: { query: 'zanzbar' } })).map((row) => [
      row.productId,
      row.qty,
    ]),
  ).toEqual([[productId, null]])
  expect(
    (await catalogue.search({ accountId: 'seller', filter: { query: 'zanzbar' } })).guessed,
  ).toBe('zanzibar')
  await expect
    .poll(() =>
      harness.told.some((change) => change.topic === 'catalogue' && change.accountId === 'partner'),
    )
    .toBe(true)

  await backend.dashboard('PATCH', `/products/${productId}`, { removed: true })
  await catalogue.syncNow('partner')
  expect(await rows('partner', { filter: { query: 'zanzibar' } })).toEqual([])
  const removed = catalogue.product({ accountId: 'partner', productId })
  expect(removed.removed).toBe(true)
  expect(removed.history.at(-1)).toMatchObject({ priceCents: null, inStock: false })
  expect(catalogue.orderable('partner', ['prd_none', productId])).toMatchObject([
    null,
    { productId, removed: true },
  ])
})

test('fetches each cover once and stores it as a file', async () => {
  const withCover = (await rows('partner')).find(
    (row) => catalogue.product({ accountId: 'partner', productId: row.productId }).hasCover,
  )
  const productId = withCover?.productId ?? ''
  const [fromPartner, fromSeller] = await Promise.all([
    catalogue.cover({ accountId: 'partner', productId }),
    catalogue.cover({ accountId: 'seller', productId }),
  ])
  expect(fromPartner?.contentType).toMatch(/^image\//)
  expect(fromSeller).toEqual(fromPartner)
  const files = readdirSync(path.join(harness.dataDir, 'covers'))
  expect(files).toHaveLength(1)
  expect(files[0]).toMatch(/^[0-9a-f]{64}$/)
})

test('every result matches the contract', async () => {
  const router = createCatalogueRouter(catalogue)
  const filter = { query: 'a', country: 'de', inStockOnly: true }
  const found = await call(router.search, {
    accountId: 'seller',
    filter,
    sort: { column: 'price', direction: 'desc' },
  })
  expect(found.rows.length).toBeGreaterThan(0)
  expect(found.rows.every((row) => row.activates === 'yes' || row.activates === 'unknown')).toBe(
    true,
  )
  const counts = await call(router.counts, { accountId: 'seller', filter })
  expect(counts.inStock).toBe(found.total)
  for (const { productId } of (await rows('partner')).slice(0, 50))
    await call(router.product, { accountId: 'seller', productId })
  await call(router.sync, { accountId: 'seller' })
  await expect(
    call(router.product, { accountId: 'partner', productId: 'prd_none' }),
  ).rejects.toThrow('NOT_FOUND')
})

test('without the partner account, its details are unknown again', async () => {
  await harness.remove('partner')
  expect(
    (await rows('seller')).every(
      (row) => row.qty === null && row.inStock === null && row.updatedAt === null,
    ),
  ).toBe(true)
  expect(
    catalogue.product({
      accountId: 'seller',
      productId: (await rows('seller'))[0]?.productId ?? '',
    }),
  ).toMatchObject({ detailsFrom: null, description: null, hasCover: false })
})
