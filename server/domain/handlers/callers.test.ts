import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import { DAY } from '../context.ts'
import {
  createTestService,
  dashboard,
  partnerCaller,
  sellerCaller,
  type TestService,
} from '../testing/fixture.ts'
import { createShop, type TestShop } from '../testing/shop.ts'

const now = '2026-03-01T12:00:00.000Z'

let test: TestService
let shop: TestShop
beforeEach(() => {
  test = createTestService({ durable: false })
  shop = createShop(test)
})
afterEach(() => test.close())

describe('the own account of a caller', () => {
  it('answers a partner’s ping with the mode and scopes of its key', async () => {
    const id = await shop.partner({}, 0)
    expect((await test.run('ping', partnerCaller(id, 'test'))).body).toEqual({
      ok: true,
      partnerId: id,
      mode: 'test',
      scopes: ['catalog:read', 'orders:write', 'orders:read', 'balance:read'],
      ip: '127.0.0.1',
    })
    expect((await test.run('getBalance', partnerCaller(id))).body).toEqual({
      balance: 0,
      currency: 'EUR',
      mode: 'live',
    })
  })

  it('shows a seller its commission of every class', async () => {
    const id = await shop.seller({ name: 'One' })
    expect((await test.run('getSeller', sellerCaller(id))).body).toEqual({
      sellerId: id,
      name: 'One',
      status: 'active',
      currency: 'EUR',
      commissions: [
        { class: 'keys', percent: 10 },
        { class: 'accounts_and_gifts', percent: 15 },
        { class: 'special_subscriptions', percent: 20 },
      ],
      idempotency: true,
    })
  })

  it('shows a seller each product with its commission', async () => {
    const id = await shop.product({ name: 'Gift', deliveryType: 'gift' })
    await shop.product({ name: 'Game' })
    const query = { search: 'gift' }
    expect(
      (await test.run('listSellerProducts', sellerCaller(await shop.seller()), { query })).body,
    ).toMatchObject({
      total: 1,
      results: [
        {
          productId: id,
          name: 'Gift',
          platform: 'Steam',
          region: 'Global',
          productType: 'game',
          deliveryType: 'gift',
          commission: { class: 'accounts_and_gifts', percent: 15 },
        },
      ],
    })
  })
})

describe('sales', () => {
  it('have no release date while a dispute is open or after they were cancelled', async () => {
    const [partner, seller, product] = [
      await shop.partner(),
      await shop.seller(),
      await shop.product(),
    ]
    await shop.offer(seller, product, 1000, 2)
    const { id: orderId } = await shop.order(partner, shop.request(product, 2), 'live', 5)
    const keys = await shop.keysOf(partner, orderId)
    const sale = async (keyId?: string) =>
      (await test.run('listSales', sellerCaller(seller))).body.results.find(
        (each) => each.keyId === keyId,
      )
    const [claimed, other] = keys.map(({ id }) => id)
    const releaseAt = new Date(Date.parse(now) + 7 * DAY).toISOString()
    expect(await sale(claimed)).toMatchObject({ status: 'pending', releaseAt, releasedAt: null })
    const { disputeId } = (
      await test.run('createClaim', dashboard, {
        body: { orderId, keyId: claimed ?? '', message: 'It says used.' },
      })
    ).body
    expect(await sale(claimed)).toMatchObject({ status: 'pending', releaseAt: null })
    expect(await sale(other)).toMatchObject({ releaseAt })
    const dispute = { params: { id: disputeId } }
    const refunded = (await test.run('refundDispute', sellerCaller(seller), dispute)).body
    expect(refunded).toMatchObject({
      status: 'resolved',
      escalatesAt: null,
      resolution: { type: 'refunded', at: now },
    })
    expect(await sale(claimed)).toMatchObject({ status: 'cancelled', releaseAt: null })
    await test.run('advanceClock', dashboard, { body: { ms: 7 * DAY } })
    expect(await sale(other)).toMatchObject({
      status: 'released',
      releaseAt,
      releasedAt: releaseAt,
    })
  })
})

describe('orders of a partner', () => {
  it('are filtered by status, reference and time', async () => {
    const [partner, product] = [await shop.partner(), await shop.product()]
    await shop.offer(await shop.seller(), product, 1000, 9)
    const place = async (externalId: string) => {
      const { id } = await shop.order(partner, { ...shop.request(product), externalId })
      test.clock.move(1000)
      return id
    }
    const [a, b, c] = [await place('A'), await place('B'), await place('C')]
    await test.settled()
    const ids = async (query: object) =>
      (await test.run('listOrders', partnerCaller(partner), { query })).body.results.map(
        ({ id }) => id,
      )
    expect(await ids({})).toEqual([c, b, a])
    expect(await ids({ status: 'completed' })).toEqual([c, b, a])
    expect(await ids({ status: 'failed' })).toEqual([])
    expect(await ids({ externalId: 'B' })).toEqual([b])
    expect(await ids({ createdFrom: '2026-03-01T12:00:01.000Z' })).toEqual([c, b])
    expect(await ids({ createdTo: '2026-03-01T12:00:01.000Z' })).not.toContain(c)
  })

  it('keep the time of the first download of their keys', async () => {
    const [partner, product] = [await shop.partner(), await shop.product()]
    await shop.offer(await shop.seller(), product, 1000, 1)
    const { id } = await shop.order(partner, shop.request(product), 'live', 5)
    expect(await shop.getOrder(partner, id)).toMatchObject({ firstDownloadedAt: null })
    test.clock.move(1000)
    const [key] = await shop.keysOf(partner, id)
    expect(key).toMatchObject({ status: 'delivered', deliveredAt: now, line: 1 })
    test.clock.move(1000)
    await shop.keysOf(partner, id)
    expect(await shop.getOrder(partner, id)).toMatchObject({
      firstDownloadedAt: '2026-03-01T12:00:01.000Z',
    })
  })
})

it('prices a product for each partner by its own factor', async () => {
  const product = await shop.product()
  await shop.offer(await shop.seller(), product, 1000, 1)
  const price = async (partner: string) =>
    (await test.run('getProduct', partnerCaller(partner), { params: { id: product } })).body.price
  const [usual, dear] = [await shop.partner({}, 0), await shop.partner({ priceFactor: 1.5 }, 0)]
  expect([await price(usual), await price(dear), await price(usual)]).toEqual([
    cents(1100),
    cents(1650),
    cents(1100),
  ])
})
