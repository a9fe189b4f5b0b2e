import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cents } from '../../api/money.ts'
import { partnerCaller, sellerCaller, type TestService } from '../testing/fixture.ts'
import { openShop, type TestShop } from '../testing/shop.ts'

let test: TestService, shop: TestShop, seller: string, product: string
beforeEach(async () => {
  ;({ test, shop, seller } = await openShop())
  product = await shop.product()
  await shop.offer(seller, product, 1000, 3)
})
afterEach(() => test.close())

const offers = async (of = seller) =>
  (await test.run('listOffers', sellerCaller(of), { query: {} })).body.results

it('reads a page again until it was requested twice, and then only after a change', async () => {
  const read = vi.spyOn(test.store.offers, 'page')
  const first = await offers()
  for (let i = 0; i < 3; i += 1) expect(await offers()).toEqual(first)
  expect(read).toHaveBeenCalledTimes(2)
  const body = { price: cents(900) }
  const params = { id: first[0]?.id ?? '' }
  await test.run('changeOffer', sellerCaller(seller), { params, body })
  expect(await offers()).toMatchObject([{ price: 900 }])
  expect(read).toHaveBeenCalledTimes(3)
})

it('never shows an account the page of another, or of its other mode', async () => {
  const [rival, partner] = [await shop.seller(), await shop.partner()]
  const items = [{ productId: product, qty: 1, maxUnitPrice: cents(9000) }]
  const body = { externalId: 'order-1', items }
  await test.run('createOrder', partnerCaller(partner, 'test'), { body, query: {} })
  await test.settled()
  const orders = async (mode: 'live' | 'test', status?: 'failed') => {
    const query = status === undefined ? {} : { status }
    return (await test.run('listOrders', partnerCaller(partner, mode), { query })).body.total
  }
  for (let i = 0; i < 3; i += 1) {
    expect([(await offers()).length, (await offers(rival)).length]).toEqual([1, 0])
    expect([await orders('test'), await orders('live'), await orders('test', 'failed')]).toEqual([
      1, 0, 0,
    ])
  }
})
