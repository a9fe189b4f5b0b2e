import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import { dashboard, partnerCaller, sellerCaller, type TestService } from '../testing/fixture.ts'
import { openShop, type TestShop } from '../testing/shop.ts'

let test: TestService, shop: TestShop, partner: string, seller: string, product: string
beforeEach(async () => void ({ test, shop, partner, seller, product } = await openShop()))
afterEach(() => test.close())

describe('placing an order', () => {
  it('returns processing, debits the total immediately, and is completed soon after', async () => {
    await shop.offer(seller, product, 1000, 3)
    const order = await shop.order(partner, shop.request(product, 2))
    expect(order).toMatchObject({
      status: 'processing',
      total: 2200,
      refunded: 0,
      completedAt: null,
      failure: null,
      mode: 'live',
    })
    expect(order.items).toMatchObject([
      {
        line: 1,
        productId: product,
        qty: 2,
        unitPrice: 1100,
        status: 'processing',
        deliveredQty: 0,
      },
    ])
    expect(await shop.balance(partner)).toBe(1_000_000 - 2200)
    await test.settled()
    const done = await shop.getOrder(partner, order.id)
    expect(done).toMatchObject({
      status: 'completed',
      refunded: 0,
      items: [{ status: 'completed', deliveredQty: 2 }],
    })
    expect(done.completedAt).not.toBeNull()
  })

  it('returns as soon as the order is final when waiting', async () => {
    await shop.offer(seller, product, 1000, 1)
    expect(await shop.order(partner, shop.request(product), 'live', 25)).toMatchObject({
      status: 'completed',
    })
  })

  it('charges the lower current price after a drop, and rejects the order after a rise', async () => {
    await shop.offer(seller, product, 1000, 5)
    expect(await shop.order(partner, shop.request(product, 1, cents(5000)))).toMatchObject({
      total: 1100,
    })
    await expect(shop.order(partner, shop.request(product, 1, cents(1099)))).rejects.toMatchObject({
      code: 'PRICE_CHANGED',
      details: { productId: product, currentPrice: 11 },
    })
    expect(await shop.balance(partner)).toBe(1_000_000 - 1100)
  })

  it('takes the cheapest offers first, over as many as needed, at the highest price used', async () => {
    const dear = await shop.offer(await shop.seller(), product, 1200, 2)
    const cheap = await shop.offer(seller, product, 1000, 2)
    const order = await shop.order(partner, shop.request(product, 3))
    expect(order.items[0]).toMatchObject({ unitPrice: 1320 })
    await test.settled()
    const stockOf = (id: string) => test.store.offers.find(id)
    expect(stockOf(cheap.id)).toMatchObject({ stock: 0, sold: 2, reserved: 0 })
    expect(stockOf(dear.id)).toMatchObject({ stock: 1, sold: 1, reserved: 0 })
    expect(test.store.ledger.balance('live', `seller:${seller}:pending`)).toBe(2000)
    expect(test.store.ledger.balance('live', 'platform:margin')).toBe(3 * 1320 - 2 * 1000 - 1200)
    expect(await shop.ledger()).toMatchObject({ ok: true, sums: { live: 0, test: 0 } })
  })

  it('sells the offer with the older price first at equal customer prices', async () => {
    const first = await shop.offer(seller, product, 1000, 2)
    test.clock.move(10)
    const second = await shop.offer(await shop.seller(), product, 1000, 2)
    await shop.order(partner, shop.request(product))
    expect(test.store.offers.find(first.id)?.stock).toBe(1)
    test.clock.move(10)
    const change = (price: number) =>
      test.run('changeOffer', sellerCaller(seller), {
        params: { id: first.id },
        body: { price: cents(price) },
      })
    await change(1001)
    await change(1000)
    await shop.order(partner, shop.request(product))
    expect(test.store.offers.find(second.id)?.stock).toBe(1)
  })

  it('lets lines of one product share its stock', async () => {
    await shop.offer(seller, product, 1000, 3)
    const line = { productId: product, qty: 2, maxUnitPrice: cents(5000) }
    const both = { externalId: 'two-lines', items: [line, line] }
    await expect(shop.order(partner, both)).rejects.toMatchObject({
      code: 'OUT_OF_STOCK',
      details: { line: 2 },
    })
    const order = await shop.order(partner, {
      externalId: 'two-lines',
      items: [line, { ...line, qty: 1 }],
    })
    await test.settled()
    expect(await shop.keysOf(partner, order.id)).toHaveLength(3)
  })

  it('applies the partner’s price factor with half-up rounding', async () => {
    await shop.offer(seller, product, 1000, 3)
    const dear = await shop.partner({ priceFactor: 1.0005 })
    expect(await shop.order(dear, shop.request(product))).toMatchObject({ total: 1101 })
  })
})

describe('refusals', () => {
  it('are checked in a fixed order, each check over all lines, and leave no trace', async () => {
    const other = await shop.product()
    const gone = await shop.product()
    await test.run('changeProduct', dashboard, { params: { id: gone }, body: { removed: true } })
    await shop.offer(seller, product, 1000, 1)
    const line = (productId: string, qty = 1, max = 5000) => ({
      productId,
      qty,
      maxUnitPrice: cents(max),
    })
    const place = (...items: ReturnType<typeof line>[]) =>
      shop.order(partner, { externalId: 'refused', items })

    await expect(place(line(other), line(gone))).rejects.toMatchObject({
      code: 'PRODUCT_UNAVAILABLE',
      details: { productId: gone },
    })
    await expect(place(line(product, 1, 1), line(other))).rejects.toMatchObject({
      code: 'OUT_OF_STOCK',
      details: { productId: other },
    })
    const poor = await shop.partner({ perOrderLimit: cents(500), dailyLimit: cents(400) }, 0)
    const refuse = (max: number) =>
      shop.order(poor, { externalId: 'x', items: [line(product, 1, max)] })
    await expect(refuse(1)).rejects.toMatchObject({ code: 'PRICE_CHANGED' })
    await expect(refuse(5000)).rejects.toMatchObject({
      code: 'ORDER_LIMIT_EXCEEDED',
      details: { limit: 5, total: 11 },
    })
    await test.run('changePartner', dashboard, {
      params: { id: poor },
      body: { perOrderLimit: null },
    })
    await expect(refuse(5000)).rejects.toMatchObject({
      code: 'DAILY_LIMIT_EXCEEDED',
      details: { limit: 4, total: 11 },
    })
    await test.run('changePartner', dashboard, { params: { id: poor }, body: { dailyLimit: null } })
    await expect(refuse(5000)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })

    expect(test.store.orders.count({ partnerId: partner, mode: 'live' })).toBe(0)
    expect(await shop.balance(partner)).toBe(1_000_000)
    expect(test.store.offers.supplySummary(product).units).toBe(1)
  })

  it('name the existing order for DUPLICATE_EXTERNAL_ID, across both modes', async () => {
    await shop.offer(seller, product, 1000, 3)
    const request = shop.request(product)
    const { id } = await shop.order(partner, request, 'test')
    await expect(shop.order(partner, request)).rejects.toMatchObject({
      code: 'DUPLICATE_EXTERNAL_ID',
      details: { orderId: id },
    })
    expect(await shop.order(await shop.partner(), request)).toMatchObject({
      externalId: request.externalId,
    })
  })

  it('return NOT_FOUND for orders of another account or mode', async () => {
    await shop.offer(seller, product, 1000, 1)
    const { id } = await shop.order(partner, shop.request(product))
    await expect(shop.getOrder(partner, id, 'test')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(shop.keysOf(await shop.partner(), id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('the daily limit', () => {
  it('covers the last 24 hours net of refunds, separately by mode; the exact limit is accepted', async () => {
    await shop.offer(seller, product, 1000, 50)
    const limited = await shop.partner({ dailyLimit: cents(2200) })
    await shop.order(limited, shop.request(product))
    test.clock.move(1000)
    await shop.order(limited, shop.request(product))
    await expect(shop.order(limited, shop.request(product))).rejects.toMatchObject({
      code: 'DAILY_LIMIT_EXCEEDED',
      details: { limit: 22, total: 33 },
    })
    await shop.order(limited, shop.request(product), 'test')
    test.clock.move(86_400_000 - 1001)
    await expect(shop.order(limited, shop.request(product))).rejects.toMatchObject({
      code: 'DAILY_LIMIT_EXCEEDED',
    })
    test.clock.move(1)
    await shop.order(limited, shop.request(product))
    await expect(shop.order(limited, shop.request(product))).rejects.toMatchObject({
      code: 'DAILY_LIMIT_EXCEEDED',
    })
  })
})

describe('keys', () => {
  it('are delivered oldest first, and only their first download is recorded', async () => {
    const offer = await shop.offer(seller, product, 1000)
    await shop.upload(seller, offer.id, ['AAA', 'BBB', 'CCC'])
    const order = await shop.order(partner, shop.request(product, 2))
    expect(await shop.keysOf(partner, order.id)).toEqual([])
    expect(await shop.getOrder(partner, order.id)).toMatchObject({ firstDownloadedAt: null })
    await test.settled()
    test.clock.move(5000)
    expect(
      (await shop.keysOf(partner, order.id)).map(({ value, contentType, line }) => [
        value,
        contentType,
        line,
      ]),
    ).toEqual([
      ['AAA', 'text/plain', 1],
      ['BBB', 'text/plain', 1],
    ])
    const { firstDownloadedAt } = await shop.getOrder(partner, order.id)
    test.clock.move(5000)
    await shop.keysOf(partner, order.id)
    expect(firstDownloadedAt).toBe('2026-03-01T12:00:05.000Z')
    expect((await shop.getOrder(partner, order.id)).firstDownloadedAt).toBe(firstDownloadedAt)
  })

  it('are delivered as base64 with their content type when they are pictures', async () => {
    const offer = await shop.offer(seller, product, 1000)
    const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]).toString(
      'base64',
    )
    await shop.upload(seller, offer.id, [`data:image/png;base64,${picture}`])
    const order = await shop.order(partner, shop.request(product))
    await test.settled()
    expect(await shop.keysOf(partner, order.id)).toMatchObject([
      { contentType: 'image/png', value: picture },
    ])
  })
})

describe('test mode', () => {
  it('changes only the test balance, and delivers units that start with TEST-', async () => {
    const offer = await shop.offer(seller, product, 1000, 2)
    const before = test.store.catalogue.row(product)
    const order = await shop.order(partner, shop.request(product, 2), 'test')
    await test.settled()
    const keys = await shop.keysOf(partner, order.id, 'test')
    expect(keys).toHaveLength(2)
    for (const { value } of keys) expect(value).toMatch(/^TEST-/)
    expect(await shop.balance(partner, 'test')).toBe(1_000_000 - 2200)
    expect(await shop.balance(partner, 'live')).toBe(1_000_000)
    expect(test.store.offers.find(offer.id)).toMatchObject({ stock: 2, reserved: 0, sold: 0 })
    expect(test.store.catalogue.row(product)).toEqual(before)
    await expect(shop.order(partner, shop.request(product, 3), 'test')).rejects.toMatchObject({
      code: 'OUT_OF_STOCK',
    })
  })
})

describe('searching orders', () => {
  it('finds orders by status, external id and time, newest first', async () => {
    await shop.offer(seller, product, 1000, 9)
    const placed = []
    for (let i = 0; i < 3; i += 1) {
      placed.push(await shop.order(partner, shop.request(product)))
      test.clock.move(1000)
    }
    await test.settled()
    const search = async (query: Parameters<typeof test.run<'listOrders'>>[2]) =>
      (await test.run('listOrders', partnerCaller(partner), query)).body
    const [first, second, third] = placed.map(({ id }) => id)
    expect((await search({ query: {} })).results.map(({ id }) => id)).toEqual([
      third,
      second,
      first,
    ])
    const window = { createdFrom: placed[1]?.createdAt, createdTo: placed[2]?.createdAt }
    expect((await search({ query: window })).results.map(({ id }) => id)).toEqual([second])
    expect(await search({ query: { status: 'failed' } })).toMatchObject({ total: 0, results: [] })
    expect(await search({ query: { status: 'completed', limit: 2, page: 2 } })).toMatchObject({
      total: 3,
      page: 2,
      hasMore: false,
    })
    expect(
      (await search({ query: { externalId: placed[0]?.externalId } })).results.map(({ id }) => id),
    ).toEqual([first])
  })
})
