import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { partnerCaller, sellerCaller, type TestService } from '../testing/fixture.ts'
import { openShop, type TestShop } from '../testing/shop.ts'

let test: TestService, shop: TestShop, partner: string, seller: string, product: string
let offer: string
beforeEach(async () => {
  ;({ test, shop, partner, seller, product } = await openShop())
  offer = (await shop.offer(seller, product, 1000)).id
})
afterEach(() => test.close())

const withdraw = async (count?: number, of = seller) =>
  (
    await test.run('withdrawKeys', sellerCaller(of), {
      params: { id: offer },
      body: count === undefined ? {} : { count },
    })
  ).body
const visible = async () =>
  (await test.run('getProduct', partnerCaller(partner), { params: { id: product } })).body.qty

describe('uploading keys (Decision 28)', () => {
  it('adds new values, skips duplicates, and shows the units to partners', async () => {
    expect(await shop.upload(seller, offer, ['A', 'B', 'A'])).toEqual({
      added: 2,
      duplicates: 1,
      stock: 2,
    })
    expect(await visible()).toBe(2)
    expect(await shop.upload(seller, offer, ['B', 'A'])).toEqual({
      added: 0,
      duplicates: 2,
      stock: 2,
    })
    expect(await shop.upload(seller, offer, ['C'])).toMatchObject({ added: 1, stock: 3 })
    expect(await visible()).toBe(3)
  })

  it('skips a value that is reserved or sold, at another seller too', async () => {
    await shop.upload(seller, offer, ['A'])
    await shop.order(partner, shop.request(product))
    expect(await shop.upload(seller, offer, ['A'])).toMatchObject({ added: 0, stock: 0 })
    await test.settled()
    const rival = await shop.seller()
    const other = (await shop.offer(rival, product, 1000)).id
    expect(await shop.upload(rival, other, ['A', 'B'])).toEqual({
      added: 1,
      duplicates: 1,
      stock: 1,
    })
  })

  it('is NOT_FOUND for the offer of another seller', async () => {
    const rival = await shop.seller()
    await expect(shop.upload(rival, offer, ['A'])).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(withdraw(1, rival)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('withdrawing keys (Decision 29)', () => {
  it('returns the oldest ones first, and everything without a count', async () => {
    await shop.upload(seller, offer, ['A', 'B', 'C', 'D'])
    expect(await withdraw(1)).toEqual({ count: 1, keys: ['A'], stock: 3 })
    expect(await visible()).toBe(3)
    expect(await withdraw(3)).toEqual({ count: 3, keys: ['B', 'C', 'D'], stock: 0 })
    expect(await visible()).toBe(0)
    expect(await withdraw()).toEqual({ count: 0, keys: [], stock: 0 })
    await shop.upload(seller, offer, ['B', 'E'])
    expect(await withdraw()).toEqual({ count: 2, keys: ['B', 'E'], stock: 0 })
  })

  it('takes nothing, and reports the stock, when more is requested than there is', async () => {
    await shop.upload(seller, offer, ['A', 'B', 'C'])
    await shop.order(partner, shop.request(product))
    await expect(withdraw(3)).rejects.toMatchObject({
      code: 'INSUFFICIENT_STOCK',
      details: { stock: 2 },
    })
    expect(await withdraw()).toEqual({ count: 2, keys: ['B', 'C'], stock: 0 })
  })
})
