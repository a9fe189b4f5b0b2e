import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import { dashboard, partnerCaller, sellerCaller, type TestService } from '../testing/fixture.ts'
import { openShop, type TestShop } from '../testing/shop.ts'
import { defaultCommission, takeSupply, visibleQty } from './pricing.ts'

let test: TestService, shop: TestShop, partner: string, seller: string
beforeEach(async () => void ({ test, shop, partner, seller } = await openShop()))
afterEach(() => test.close())

type Change = { price?: number; status?: 'active' | 'paused' }
const bodyOf = ({ price, status }: Change) => ({
  ...(price === undefined ? {} : { price: cents(price) }),
  ...(status === undefined ? {} : { status }),
})
const change = async (id: string, body: Change) =>
  (await test.run('changeOffer', sellerCaller(seller), { params: { id }, body: bodyOf(body) })).body
const view = async (id: string) =>
  (await test.run('getOffer', sellerCaller(seller), { params: { id } })).body

describe('an offer (Decision 27)', () => {
  it('is returned completely; its update time moves only when something changes', async () => {
    const productId = await shop.product({ name: 'Elden Ring', deliveryType: 'account' })
    const offer = await shop.offer(seller, productId, 1000)
    const common = {
      id: expect.stringMatching(/^off_/),
      productId,
      name: 'Elden Ring',
      platform: 'Steam',
      region: 'Global',
      productType: 'game',
      deliveryType: 'account',
      price: 1000,
      customerPrice: 1150,
      commission: { class: 'accounts_and_gifts', percent: 15, amount: 150 },
      currency: 'EUR',
      status: 'active',
      stock: 0,
      sold: 0,
      isCheapest: false,
      lowestCustomerPrice: null,
      createdAt: '2026-03-01T12:00:00.000Z',
      updatedAt: '2026-03-01T12:00:00.000Z',
    }
    expect(offer).toEqual(common)
    test.clock.move(1000)
    expect(await change(offer.id, {})).toEqual(common)
    expect(await change(offer.id, { price: 1000, status: 'active' })).toEqual(common)
    expect(await change(offer.id, { status: 'paused' })).toEqual({
      ...common,
      status: 'paused',
      updatedAt: '2026-03-01T12:00:01.000Z',
    })
    test.clock.move(1000)
    expect(await change(offer.id, { price: 2000 })).toMatchObject({
      price: 2000,
      customerPrice: 2300,
      status: 'paused',
      updatedAt: '2026-03-01T12:00:02.000Z',
    })
  })

  it('keeps the age of its price, and so its turn among equals, when it is paused and resumed', async () => {
    const productId = await shop.product()
    const first = await shop.offer(seller, productId, 1000, 2)
    test.clock.move(1000)
    await shop.offer(await shop.seller(), productId, 1000, 2)
    await change(first.id, { status: 'paused' })
    test.clock.move(1000)
    expect(await change(first.id, { status: 'active' })).toMatchObject({ isCheapest: true })
  })

  it('is for sale while it is active, and not after its product left the catalogue', async () => {
    const productId = await shop.product()
    const { id } = await shop.offer(seller, productId, 1000, 2)
    const qty = async () =>
      (await test.run('getProduct', partnerCaller(partner), { params: { id: productId } })).body.qty
    expect(await qty()).toBe(2)
    await change(id, { status: 'paused' })
    expect(await qty()).toBe(0)
    await change(id, { status: 'active' })
    expect(await qty()).toBe(2)
    const removed = { params: { id: productId }, body: { removed: true } }
    await test.run('changeProduct', dashboard, removed)
    expect(await view(id)).toMatchObject({ isCheapest: false, stock: 2 })
    await expect(
      test.run('saveOffer', sellerCaller(seller), { body: { productId, price: cents(100) } }),
    ).rejects.toMatchObject({
      code: 'PRODUCT_UNAVAILABLE',
      message: 'The product is unknown or left the catalogue.',
      details: { productId },
    })
  })

  it('that has a reserved unit is paused instead of deleted', async () => {
    const productId = await shop.product({ releaseDate: '2026-04-01' })
    const { id } = await shop.offer(seller, productId, 1000, 1)
    await shop.order(partner, shop.request(productId))
    expect(await test.run('deleteOffer', sellerCaller(seller), { params: { id } })).toMatchObject({
      status: 200,
      body: { id, status: 'paused', price: 1000, stock: 0 },
    })
  })

  it('of an unknown id or seller is not found', async () => {
    await expect(view('off_none')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Offer not found.',
    })
    const stranger = sellerCaller('sel_none')
    const body = { productId: await shop.product(), price: cents(100) }
    await expect(test.run('saveOffer', stranger, { body })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Seller not found.',
    })
  })
})

describe('pricing', () => {
  it('adds 10, 15 or 20 percent by default (Decision 3)', () => {
    expect(defaultCommission).toEqual({
      keys: 10,
      accounts_and_gifts: 15,
      special_subscriptions: 20,
    })
  })

  it('names the offers that units come from, and leaves out the empty ones (Decision 5)', () => {
    const offers = [
      { id: 'a', customerPrice: cents(100), stock: 0 },
      { id: 'b', customerPrice: cents(200), stock: 2 },
      { id: 'c', customerPrice: cents(300), stock: 2 },
      { id: 'd', customerPrice: cents(400), stock: 2 },
    ]
    const taken = takeSupply(offers, 3)
    expect(taken?.highest).toBe(300)
    expect(taken?.parts.map(({ offer, count }) => [offer.id, count])).toEqual([
      ['b', 2],
      ['c', 1],
    ])
    expect(offers.map(({ stock }) => stock)).toEqual([0, 0, 1, 2])
  })

  it('caps the visible quantity at 99 (Decision 1)', () => {
    expect([0, 98, 99, 100, 5000].map(visibleQty)).toEqual([0, 98, 99, 99, 99])
  })
})
