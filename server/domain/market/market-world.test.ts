import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cents } from '../../api/money.ts'
import { dashboard, sellerCaller, type TestService } from '../testing/fixture.ts'
import { createShop, type TestShop } from '../testing/shop.ts'
import { type MarketEvents, openMarketEvents } from './testing/market-events.ts'

const DAY = 24 * 3_600_000

let market: MarketEvents
let test: TestService
let shop: TestShop

beforeEach(async () => {
  market = await openMarketEvents()
  test = market.test
  shop = createShop(test)
})
afterEach(() => test.close())

const offerOf = (sellerId: string, productId: string) => {
  const offer = test.store.offers.findBySeller(sellerId, productId)
  if (!offer) throw new Error('no such offer')
  return offer
}
const suspendSeller = (id: string) =>
  test.run('changeSeller', dashboard, { params: { id }, body: { status: 'suspended' } })

describe('the sellers of the market', () => {
  it('are the first active ones, as many as the run has, each with its place', async () => {
    const ids = await market.openSellers('One', 'Two', 'Three')
    const [one = '', two = '', three = ''] = ids
    await market.act((world) => {
      expect(world.sellers()).toMatchObject([
        { id: one, name: 'One', place: 0, newcomer: true },
        { id: two, name: 'Two', place: 1, newcomer: true },
      ])
      expect(world.seller(two)).toMatchObject({ id: two, place: 1 })
      expect(world.seller(three)).toBeUndefined()
      expect(world.sellerCount()).toBe(3)
    })
    await suspendSeller(one)
    await market.act((world) => {
      expect(world.sellers()).toMatchObject([{ id: two, place: 1 }])
      expect(world.seller(one)).toBeUndefined()
    })
  })

  it('include the competitors of the seeded data, which are no newcomers', async () => {
    const accountId = await shop.seller()
    const other = await shop.seller()
    test.store.market.addActor({ kind: 'seller', accountId, newcomer: false })
    await market.act((world) => {
      expect(world.seller(accountId)).toMatchObject({ newcomer: false, place: 0 })
      expect([world.isOwn(accountId), world.isOwn(other)]).toEqual([true, false])
    })
  })

  it('belong to it even when they don’t act in this run', async () => {
    const ids = await market.openSellers('One', 'Two', 'Three')
    expect(await market.act((world) => ids.map(world.isOwn))).toEqual([true, true, true])
  })
})

it('opens shops without spending limits, which customers buy through', async () => {
  const id = await market.openCustomerShop()
  expect(await market.act((world) => world.shops())).toEqual([id])
  expect(test.store.market.actors('shop')).toEqual([
    { kind: 'shop', accountId: id, newcomer: true },
  ])
  expect(test.store.accounts.partner(id)).toMatchObject({
    name: 'Corner Shop',
    perOrderLimit: null,
    dailyLimit: null,
  })
})

describe('the catalogue of the market', () => {
  it('shows the name and kind of a product, and whether it can be bought', async () => {
    const id = await shop.product({ name: 'Hades', platform: 'Epic', productType: 'dlc' })
    const product = { id, name: 'Hades', platform: 'Epic', productType: 'dlc', deliveryType: 'key' }
    await market.act((world) => {
      expect(world.product(id)).toEqual({ ...product, buyable: true })
      expect(world.product('prd_none')).toBeUndefined()
      expect(world.kindOf(id)).toEqual({ productType: 'dlc', deliveryType: 'key' })
      expect(world.productCount()).toBe(1)
      expect([world.productAt(1), world.productAt(2)]).toEqual([id, undefined])
    })
  })

  it('sells neither removed products nor those that are released later', async () => {
    const removed = await shop.product()
    const day = new Date(test.service.clock.now() + DAY).toISOString().slice(0, 10)
    const later = await shop.product({ releaseDate: day })
    await test.run('changeProduct', dashboard, { params: { id: removed }, body: { removed: true } })
    const buyable = () =>
      market.act((world) => [removed, later].map((id) => world.product(id)?.buyable))
    expect(await buyable()).toEqual([false, false])
    await test.run('advanceClock', dashboard, { body: { to: `${day}T00:00:00.000Z` } })
    expect(await buyable()).toEqual([false, true])
  })

  it('finds the products that outside sellers also offer, and a seller’s offers for them', async () => {
    const [own = ''] = await market.openSellers('One')
    const outsider = await shop.seller()
    const shared = await shop.product()
    const alone = await shop.product()
    const offers = [
      (await shop.offer(own, alone, 900, 1)).id,
      (await shop.offer(own, shared, 1000, 1)).id,
    ]
    const theirs = await shop.offer(outsider, shared, 900, 2)
    await market.act((world) => {
      expect(world.contestedProducts()).toEqual([shared])
      expect(world.contestedOffers(own).map(({ id }) => id)).toEqual([offers[1]])
      expect(world.offerOf(own, alone)?.id).toBe(offers[0])
      expect(world.offerOf(outsider, alone)).toBeUndefined()
      expect(world.supply(shared).map(({ id }) => id)).toEqual([theirs.id, offers[1]])
    })
  })

  it('picks a seller’s offers from a position among all offers', async () => {
    const [own = ''] = await market.openSellers('One')
    const ids: string[] = []
    for (let i = 0; i < 4; i += 1) ids.push((await shop.offer(own, await shop.product(), 900)).id)
    const some = (share: number, count: number) =>
      market.act((world) => world.someOffers(own, share, count).map(({ id }) => id))
    expect(await some(0, 9)).toEqual(ids)
    expect(await some(0.5, 9)).toEqual(ids.slice(2))
    expect(await some(0.49, 2)).toEqual(ids.slice(1, 3))
    expect(await some(0.999, 9)).toEqual(ids.slice(3))
  })
})

describe('the usual price of a product', () => {
  const usual = (productId: string) => market.act((world) => world.usualPrice(productId))

  it('is the median customer price when the market first sees the product', async () => {
    const product = await shop.product()
    for (const price of [1000, 2000, 4000]) await shop.offer(await shop.seller(), product, price, 1)
    expect(await usual(product)).toBe(2200)
    await shop.offer(await shop.seller(), product, 100, 1)
    await shop.offer(await shop.seller(), product, 200, 1)
    expect(await usual(product)).toBe(2200)
  })

  it('is the last known price without stock, and unknown for a product that was never offered', async () => {
    const product = await shop.product()
    expect(await usual(product)).toBeNull()
    const seller = await shop.seller()
    const { id } = await shop.offer(seller, product, 1000, 1)
    await test.run('changeOffer', sellerCaller(seller), {
      params: { id },
      body: { status: 'paused' },
    })
    expect(await usual(product)).toBe(1100)
    expect(await usual('prd_none')).toBeNull()
  })
})

describe('a seller of the market', () => {
  let seller: string
  let product: string
  beforeEach(async () => {
    ;[seller = ''] = await market.openSellers('One')
    product = await shop.product()
  })

  it('offers a product with its keys, reprices it and restocks it, and each is counted', async () => {
    await market.act((world) => world.offer(seller, product, cents(900), ['KEY-A', 'KEY-B']))
    expect(offerOf(seller, product)).toMatchObject({ price: 900, stock: 2 })
    await market.act((world) => world.reprice(offerOf(seller, product), cents(850)))
    await market.act((world) => world.restock(offerOf(seller, product), ['KEY-C']))
    expect(offerOf(seller, product)).toMatchObject({ price: 850, stock: 3 })
    expect(await market.counts()).toEqual({ newOffers: 1, priceChanges: 1, restocks: 1 })
  })

  it('changes and counts nothing that the service rejects', async () => {
    const { id } = await shop.offer(seller, product, 900, 1)
    const present = offerOf(seller, product)
    const another = await shop.product()
    await market.act((world) => {
      world.reprice({ ...present, id: 'off_none' }, cents(800))
      world.restock(present, ['\u0000'])
      world.offer(seller, another, cents(900), ['\u0000'])
      world.offer(seller, 'prd_none', cents(900), ['KEY-A'])
    })
    expect(offerOf(seller, product)).toMatchObject({ id, price: 900, stock: 1 })
    expect(test.store.offers.findBySeller(seller, another)).toBeUndefined()
    expect(await market.counts()).toEqual({})
  })

  it('doesn’t mistake a defect of the service for a rejection', async () => {
    vi.spyOn(test.store.stock, 'add').mockImplementation(() => {
      throw new Error('defect')
    })
    const failed = market.act((world) => world.offer(seller, product, cents(900), ['KEY-A']))
    await expect(failed).rejects.toThrow('a market event failed and was skipped')
    expect(test.store.offers.findBySeller(seller, product)).toBeUndefined()
  })
})

it('gives an event its time and run, and adds to the counts', async () => {
  const now = test.service.clock.now()
  await market.act((world) => {
    expect(world.now()).toBe(now + 1)
    expect(world.run()).toMatchObject({ seed: 'monday', running: true })
    world.count('visits')
    world.count('visits', 3)
    world.schedule(now + 5, '"later"')
  })
  expect(await market.counts()).toEqual({ visits: 4 })
  expect(test.store.market.nextEvent()).toMatchObject({ at: now + 5, event: '"later"' })
})

it('can’t act outside an event', async () => {
  const world = await market.act((given) => given)
  expect(() => world.now()).toThrow('the market can only act during one of its events')
})
