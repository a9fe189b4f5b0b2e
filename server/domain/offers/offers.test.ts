import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import {
  createTestService,
  dashboard,
  partnerCaller,
  sellerCaller,
  type TestService,
} from '../testing/fixture.ts'
import { createShop } from '../testing/shop.ts'

let test: TestService
let shop: ReturnType<typeof createShop>
let seller: string
let product: string

beforeEach(async () => {
  test = createTestService()
  shop = createShop(test)
  seller = await shop.seller({ name: 'Key Shop' })
  product = await shop.product({ name: 'Étoile Noire' })
})
afterEach(() => test.close())

const change = async (
  id: string,
  body: { price?: ReturnType<typeof cents>; status?: 'active' | 'paused' },
) => (await test.run('changeOffer', sellerCaller(seller), { params: { id }, body })).body
const view = async (id: string, owner = seller) =>
  (await test.run('getOffer', sellerCaller(owner), { params: { id } })).body

describe('an offer', () => {
  it('is created once per product and updated afterwards, keeping its status', async () => {
    const save = (price: number, status?: 'active' | 'paused') =>
      test.run('saveOffer', sellerCaller(seller), {
        body: { productId: product, price: cents(price), status },
      })
    const first = await save(1005, 'paused')
    expect(first).toMatchObject({ status: 201, body: { created: true } })
    expect(first.body.offer).toMatchObject({
      productId: product,
      name: 'Étoile Noire',
      price: 1005,
      customerPrice: 1106,
      status: 'paused',
      stock: 0,
      sold: 0,
      commission: {
        class: 'keys',
        percent: 10,
        amount: 101,
      },
      isCheapest: false,
      lowestCustomerPrice: null,
    })
    const second = await save(2000)
    expect(second).toMatchObject({
      status: 200,
      body: { created: false, offer: { id: first.body.offer.id, price: 2000, status: 'paused' } },
    })
  })

  it('is rejected for a removed or unknown product', async () => {
    await test.run('changeProduct', dashboard, { params: { id: product }, body: { removed: true } })
    for (const productId of [product, 'nothing']) {
      await expect(
        test.run('saveOffer', sellerCaller(seller), { body: { productId, price: cents(100) } }),
      ).rejects.toMatchObject({
        code: 'PRODUCT_UNAVAILABLE',
      })
    }
  })

  it('returns NOT_FOUND to another seller', async () => {
    const { id } = await shop.offer(seller, product, 1000)
    await expect(view(id, await shop.seller())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is cheapest when it would be sold first', async () => {
    const rival = await shop.seller()
    const mine = await shop.offer(seller, product, 1000, 1)
    const theirs = await shop.offer(rival, product, 900, 1)
    expect(await view(mine.id)).toMatchObject({ isCheapest: false, lowestCustomerPrice: 990 })
    expect(await view(theirs.id, rival)).toMatchObject({
      isCheapest: true,
      lowestCustomerPrice: 990,
    })
    await change(mine.id, { price: cents(899) })
    expect(await view(mine.id)).toMatchObject({ isCheapest: true, lowestCustomerPrice: 989 })
    await change(mine.id, { status: 'paused' })
    expect(await view(mine.id)).toMatchObject({ isCheapest: false, lowestCustomerPrice: 990 })
  })

  it("isn't for sale while its seller is inactive", async () => {
    await shop.offer(seller, product, 1000, 1)
    await test.run('changeSeller', dashboard, {
      params: { id: seller },
      body: { status: 'suspended' },
    })
    expect(test.store.catalogue.row(product)).toMatchObject({ qty: 0, lowPrice: 1100 })
    await test.run('changeSeller', dashboard, {
      params: { id: seller },
      body: { status: 'active' },
    })
    expect(test.store.catalogue.row(product)).toMatchObject({ qty: 1 })
  })

  it('follows new commission terms and the kind of its product', async () => {
    const { id } = await shop.offer(seller, product, 1000, 1)
    await test.run('changeSeller', dashboard, {
      params: { id: seller },
      body: { commission: { keys: 12.34 } },
    })
    expect(await view(id)).toMatchObject({
      customerPrice: 1123,
      commission: { class: 'keys', percent: 12.34, amount: 123 },
    })
    await test.run('changeProduct', dashboard, {
      params: { id: product },
      body: { productType: 'subscription' },
    })
    expect(await view(id)).toMatchObject({
      customerPrice: 1200,
      commission: { class: 'special_subscriptions' },
    })
  })
})

describe('a list of offers', () => {
  const list = async () =>
    (await test.run('listOffers', sellerCaller(seller), { query: {} })).body.results[0]

  it('shows the present labels of a product', async () => {
    await shop.offer(seller, product, 1000, 1)
    expect(await list()).toMatchObject({ name: 'Étoile Noire' })
    const body = { name: 'Étoile Blanche', removed: true }
    await test.run('changeProduct', dashboard, { params: { id: product }, body })
    expect(await list()).toMatchObject({ name: 'Étoile Blanche', unavailable: true })
  })
})

describe('deleting an offer', () => {
  const remove = (id: string) => test.run('deleteOffer', sellerCaller(seller), { params: { id } })

  it('removes one without stock or sales, and lets the product be offered again', async () => {
    const { id } = await shop.offer(seller, product, 1000)
    expect(await remove(id)).toMatchObject({ status: 204 })
    await expect(view(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await shop.offer(seller, product, 1000)).id).not.toBe(id)
  })

  it('is rejected while the offer has stock', async () => {
    const { id } = await shop.offer(seller, product, 1000, 2)
    await expect(remove(id)).rejects.toMatchObject({ code: 'OFFER_HAS_STOCK' })
    await test.run('withdrawKeys', sellerCaller(seller), { params: { id }, body: {} })
    expect(await remove(id)).toMatchObject({ status: 204 })
  })

  it('pauses an offer with sales and keeps its stock', async () => {
    const { id } = await shop.offer(seller, product, 1000, 2)
    await shop.order(await shop.partner(), shop.request(product), 'live', 5)
    expect(await remove(id)).toMatchObject({
      status: 200,
      body: { id, status: 'paused', stock: 1, sold: 1 },
    })
  })
})

describe('lists', () => {
  it('page offers newest first, filtered by status', async () => {
    const made = []
    for (let i = 0; i < 3; i += 1) {
      made.push(await shop.offer(seller, await shop.product(), 1000))
      test.clock.move(1)
    }
    await change(made[0]?.id ?? '', { status: 'paused' })
    const list = async (query: { status?: 'active' | 'paused'; page?: number; limit?: number }) =>
      (await test.run('listOffers', sellerCaller(seller), { query })).body
    expect((await list({})).results.map(({ id }) => id)).toEqual(
      made.map(({ id }) => id).toReversed(),
    )
    expect(await list({ status: 'paused' })).toMatchObject({
      total: 1,
      results: [{ id: made[0]?.id }],
    })
    expect(await list({ page: 2, limit: 2 })).toMatchObject({
      page: 2,
      limit: 2,
      total: 3,
      totalPages: 2,
      hasMore: false,
    })
  })

  it('show shop price and best seller price of products, and find names in any case', async () => {
    await shop.offer(seller, product, 1000, 1)
    const rich = await shop.seller({ commission: { keys: 50 } })
    await shop.offer(rich, product, 900, 1)
    const search = async (text: string) =>
      (await test.run('listSellerProducts', sellerCaller(seller), { query: { search: text } })).body
    expect(await search('éTOILE')).toMatchObject({
      total: 1,
      results: [
        {
          productId: product,
          shopPrice: 1100,
          bestSellerPrice: 900,
          commission: { class: 'keys', percent: 10 },
        },
      ],
    })
    expect((await search(product)).total).toBe(1)
    expect((await search('nothing like it')).total).toBe(0)
  })
})

describe('keys', () => {
  it('count as duplicates when any seller has uploaded them for the product; withdrawn keys may return', async () => {
    const offer = await shop.offer(seller, product, 1000)
    const rival = await shop.seller()
    const other = await shop.offer(rival, product, 1001)
    expect(await shop.upload(seller, offer.id, ['A', ' A ', 'B', 'a'])).toEqual({
      added: 3,
      duplicates: 1,
      stock: 3,
    })
    expect(await shop.upload(rival, other.id, ['A', 'C'])).toEqual({
      added: 1,
      duplicates: 1,
      stock: 1,
    })
    await shop.order(await shop.partner(), shop.request(product), 'live', 5)
    expect(await shop.upload(rival, other.id, ['A'])).toMatchObject({ added: 0, duplicates: 1 })
    await test.run('withdrawKeys', sellerCaller(seller), {
      params: { id: offer.id },
      body: { count: 1 },
    })
    expect(await shop.upload(rival, other.id, ['B'])).toMatchObject({ added: 1 })
    const elsewhere = await shop.offer(seller, await shop.product(), 1000)
    expect(await shop.upload(seller, elsewhere.id, ['A'])).toMatchObject({ added: 1 })
  })

  it('reject the complete request by index when one is invalid, and never appear in an error', async () => {
    const offer = await shop.offer(seller, product, 1000)
    const attempt = shop.upload(seller, offer.id, ['GOOD', 'se\u0007cret', '   ', 'x'.repeat(4097)])
    await expect(attempt).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'keys[1]' }, { field: 'keys[2]' }, { field: 'keys[3]' }],
    })
    await expect(attempt).rejects.not.toSatisfy((error) => JSON.stringify(error).includes('cret'))
    expect((await view(offer.id)).stock).toBe(0)
  })

  it('change what partners see', async () => {
    const partner = await shop.partner()
    const read = async () =>
      (await test.run('getProduct', partnerCaller(partner), { params: { id: product } })).body
    expect(await read()).toMatchObject({ price: 0, inStock: false, qty: 0 })
    const offer = await shop.offer(seller, product, 1000, 2)
    expect(await read()).toMatchObject({ price: 1100, inStock: true, qty: 2 })
    await test.run('withdrawKeys', sellerCaller(seller), { params: { id: offer.id }, body: {} })
    expect(await read()).toMatchObject({ price: 1100, inStock: false, qty: 0 })
  })
})
