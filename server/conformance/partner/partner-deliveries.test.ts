import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import { orderKeys, orderPage } from '../../api/schemas/order.ts'
import { startOrders } from '../testing/orders.ts'
import { fieldsOf } from '../testing/harness.ts'

const { world, partner, seller, product, get, balance, place } = await startOrders({
  inMemory: true,
})
afterEach(() => world.dashboard.clearFaults({}))
afterAll(() => world.close())

const keysOf = async (id: string, key = partner.key) =>
  orderKeys.strict.parse((await world.as(key, `/v1/orders/${id}/keys`)).json).keys

describe('supply', () => {
  it('is used in order of price across as many offers as needed, at the highest price used', async () => {
    const id = await world.product()
    await world.offer(await world.seller(), id, 3000, 5)
    await world.offer(await world.seller(), id, 1000, 1)
    await world.offer(await world.seller(), id, 2000, 1)
    expect(await place(world.request(id, 3))).toMatchObject({
      total: 9900,
      items: [{ unitPrice: 3300 }],
    })
  })

  it('is used at equal prices by the age of the price, and at equal ages by id', async () => {
    const id = await world.product()
    const [a, b, c] = [await world.seller(), await world.seller(), await world.seller()]
    const offers = [await world.offer(a, id, 1000, 2), await world.offer(b, id, 1000, 2)].toSorted()
    const stocks = async () =>
      [await a, await b].flatMap(({ id: sellerId }) =>
        world.store.offers
          .ofSeller(sellerId)
          .filter(({ productId }) => productId === id)
          .map((each) => [each.id, each.stock] as const),
      )
    await place(world.request(id))
    expect(new Map(await stocks())).toEqual(
      new Map([
        [offers[0], 1],
        [offers[1], 2],
      ]),
    )
    world.clock.move(1000)
    const young = await world.offer(c, id, 1000, 2)
    await place(world.request(id, 3))
    expect(world.store.offers.find(young)?.stock).toBe(2)
  })

  it('is reserved for the order as soon as it is paid, which the catalogue shows', async () => {
    const soon = await world.product({ releaseDate: '2999-12-31' })
    await world.offer(seller, soon, 1000, 2)
    await place(world.request(soon, 2), '')
    expect((await world.as(partner.key, `/v1/products/${soon}`)).json).toMatchObject({
      inStock: false,
      qty: 0,
    })
    expect(await world.order(partner.key, world.request(soon))).toMatchObject({
      code: 'OUT_OF_STOCK',
    })
    await expect(
      seller.client.withdrawKeys({
        params: {
          id:
            world.store.offers.ofSeller(seller.id).find(({ productId }) => productId === soon)
              ?.id ?? '',
        },
        body: { count: 1 },
      }),
    ).rejects.toMatchObject({ code: 'INSUFFICIENT_STOCK' })
  })
})

describe('the result of an order', () => {
  const states = [
    ['completed', 0, null, 0, 'completed'],
    ['partially_completed', 1, 'PARTIAL_DELIVERY', 11, 'failed'],
    ['failed', 3, 'DELIVERY_FAILED', 33, 'failed'],
  ] as const
  it.each(states)(
    '%s when %d of 3 units fail',
    async (status, failUnits, failure, refunded, lineStatus) => {
      for (const mode of ['live', 'test'] as const) {
        const buyer = await world.partner({}, { mode, balance: 5000 })
        await world.dashboard.putFaults({
          body: failUnits === 0 ? [] : [{ deliver: { productId: product, failUnits } }],
        })
        const order = await place(world.request(product, 3), '?wait=10', buyer.key)
        expect(order).toMatchObject({
          mode,
          status,
          total: 3300,
          refunded: refunded * 100,
          items: [{ status: lineStatus, deliveredQty: 3 - failUnits, unitPrice: 1100 }],
        })
        expect(order.failure?.code ?? null).toBe(failure)
        expect(await balance(buyer.key)).toMatchObject({ balance: 50 - 33 + refunded })
        expect(await get(order.id, buyer.key)).toEqual(order)
        const keys = await keysOf(order.id, buyer.key)
        expect(keys).toHaveLength(3 - failUnits)
        expect(keys.every(({ value }) => value.startsWith('TEST-') === (mode === 'test'))).toBe(
          true,
        )
        const { results } = (
          await world.dashboard.listPartnerLedger({ params: { id: buyer.id }, query: { mode } })
        ).body
        const credit =
          failUnits === 0
            ? []
            : [{ type: 'order_refund', amount: refunded * 100, orderId: order.id }]
        expect(results).toMatchObject([
          ...credit,
          { type: 'order_debit', amount: -3300, orderId: order.id },
          { type: 'top_up', amount: 5000 },
        ])
      }
    },
  )

  it('completes a line only with every unit, whatever happened to other lines', async () => {
    const other = await world.product()
    await world.offer(seller, other, 200, 5)
    await world.dashboard.putFaults({ body: [{ deliver: { productId: other, failUnits: 1 } }] })
    const order = await place({
      externalId: world.fresh(),
      items: [
        { productId: other, qty: 2, maxUnitPrice: 3 },
        { productId: product, qty: 1, maxUnitPrice: 11 },
      ],
    })
    expect(order).toMatchObject({
      status: 'partially_completed',
      total: 1540,
      refunded: 220,
      items: [
        { status: 'failed', deliveredQty: 1 },
        { status: 'completed', deliveredQty: 1 },
      ],
    })
  })

  it('stays processing until the release date, and is credited back 24 hours after it without delivery', async () => {
    const day = 86_400_000
    const date = (ms: number) => new Date(Math.floor((world.now() + ms) / day) * day)
    const release = date(2 * day)
    const items = [
      await world.product({ releaseDate: release.toISOString().slice(0, 10) }),
      await world.product({ releaseDate: release.toISOString().slice(0, 10) }),
    ]
    for (const id of items) await world.offer(seller, id, 100, 1)
    await world.dashboard.putFaults({
      body: [{ deliver: { productId: items[1] ?? '', failUnits: 1_000_000 } }],
    })
    const [good, bad] = [
      await place(world.request(items[0] ?? ''), ''),
      await place(world.request(items[1] ?? ''), ''),
    ]
    const at = async (ms: number) => {
      await world.dashboard.advanceClock({
        body: { to: new Date(release.getTime() + ms).toISOString() },
      })
      return [(await get(good.id)).status, (await get(bad.id)).status]
    }
    expect(await at(-1)).toEqual(['processing', 'processing'])
    expect(await at(0)).toEqual(['completed', 'processing'])
    expect(await at(day - 1)).toEqual(['completed', 'processing'])
    expect(await at(day)).toEqual(['completed', 'failed'])
    expect(await get(good.id)).toMatchObject({ completedAt: release.toISOString() })
    expect(await get(bad.id)).toMatchObject({
      refunded: 110,
      total: 110,
      completedAt: new Date(release.getTime() + day).toISOString(),
    })
  })
})

describe('the keys of an order', () => {
  it('are every delivered unit with its fields, by order line and then by delivery', async () => {
    const later = await world.product({ deliveryType: 'gift' })
    const offer = await world.offer(seller, later, 100)
    await seller.client.uploadKeys({
      params: { id: offer },
      body: { keys: ['https://gift.example/1', 'https://gift.example/2'] },
    })
    const order = await place({
      externalId: world.fresh(),
      items: [
        { productId: product, qty: 1, maxUnitPrice: 11 },
        { productId: later, qty: 2, maxUnitPrice: 2 },
      ],
    })
    const answer = await world.as(partner.key, `/v1/orders/${order.id}/keys`)
    const unit = (line: number, productId: string, deliveryType: string, value: unknown) => ({
      id: expect.stringMatching(/^key_/),
      line,
      productId,
      deliveryType,
      contentType: 'text/plain',
      value,
      status: 'delivered',
      deliveredAt: order.completedAt,
    })
    expect(answer.json).toEqual({
      orderId: order.id,
      keys: [
        unit(1, product, 'key', expect.any(String)),
        unit(2, later, 'gift', 'https://gift.example/1'),
        unit(2, later, 'gift', 'https://gift.example/2'),
      ],
    })
  })

  it('count as proof of delivery permanently, from the first response with a unit', async () => {
    const soon = await world.product({
      releaseDate: new Date(world.now() + 86_400_000).toISOString().slice(0, 10),
    })
    await world.offer(seller, soon, 100, 1)
    const { id } = await place(world.request(soon), '')
    expect(await keysOf(id)).toEqual([])
    expect((await get(id)).firstDownloadedAt).toBeNull()
    await world.dashboard.advanceClock({ body: { ms: 86_400_000 } })
    expect((await get(id)).firstDownloadedAt).toBeNull()
    const head = await world.as(partner.key, `/v1/orders/${id}/keys`, { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    expect((await get(id)).firstDownloadedAt).toBeNull()
    world.clock.move(1234)
    await keysOf(id)
    const first = new Date(world.now()).toISOString()
    world.clock.move(1000)
    await keysOf(id)
    expect((await get(id)).firstDownloadedAt).toBe(first)
  })

  it("include a replacement as one more unit of the line; total and refunded don't change", async () => {
    const order = await place(world.request(product, 2))
    const [unit] = await keysOf(order.id)
    const { disputeId } = (
      await world.dashboard.createClaim({
        body: { orderId: order.id, keyId: unit?.id ?? '', message: 'Used.' },
      })
    ).body
    world.clock.move(1000)
    await seller.client.replaceKey({ params: { id: disputeId }, body: { key: 'REPLACEMENT-1' } })
    const keys = await keysOf(order.id)
    expect(keys.map(({ line }) => line)).toEqual([1, 1, 1])
    expect(keys[2]).toMatchObject({
      value: 'REPLACEMENT-1',
      deliveredAt: new Date(world.now()).toISOString(),
    })
    expect(await get(order.id)).toMatchObject({
      status: 'completed',
      total: 2200,
      refunded: 0,
      items: [{ qty: 2, deliveredQty: 2 }],
    })
  })

  it('refunded after a claim count in the balance and the ledger, not in refunded', async () => {
    const order = await place(world.request(product))
    const [unit] = await keysOf(order.id)
    const { disputeId } = (
      await world.dashboard.createClaim({
        body: { orderId: order.id, keyId: unit?.id ?? '', message: 'Used.' },
      })
    ).body
    await seller.client.refundDispute({ params: { id: disputeId } })
    expect(await get(order.id)).toMatchObject({ status: 'completed', total: 1100, refunded: 0 })
    const { results } = (
      await world.dashboard.listPartnerLedger({
        params: { id: partner.id },
        query: { mode: 'live', limit: 1 },
      })
    ).body
    expect(results).toMatchObject([{ type: 'claim_credit', amount: 1100, orderId: order.id }])
  })
})

describe('orders of others', () => {
  it('are NOT_FOUND for another account, the other mode and unknown ids', async () => {
    const { id } = await place(world.request(product))
    const other = await world.partner()
    const test = await world.keyOf(partner.id, 'test')
    for (const [key, order] of [
      [other.key, id],
      [test.key, id],
      [partner.key, 'ord_none'],
      [partner.key, '%00'],
    ] as const) {
      for (const path of [`/v1/orders/${order}`, `/v1/orders/${order}/keys`])
        expect(await world.as(key, path)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    }
  })
})

describe('GET /orders', () => {
  const list = async (key: string, query: string) =>
    orderPage.strict.parse((await world.as(key, `/v1/orders${query}`)).json)

  it("is ordered newest first, then by id, in the key's mode, filtered by status, externalId and time", async () => {
    const buyer = await world.partner()
    const test = await world.keyOf(buyer.id, 'test')
    const ids: string[] = []
    for (let i = 0; i < 4; i += 1) {
      if (i > 1) world.clock.move(1000)
      ids.push(
        (await place({ ...world.request(product), externalId: `n-${i}` }, '?wait=10', buyer.key))
          .id,
      )
    }
    await place({ ...world.request(product), externalId: 'n-test' }, '?wait=10', test.key)
    const [a = '', b = '', c = '', d = ''] = ids
    const found = async (query: string) =>
      (await list(buyer.key, query)).results.map(({ id }) => id)
    const times = (await list(buyer.key, '')).results.map(({ createdAt }) => createdAt)
    expect(await found('')).toEqual([d, c, ...[a, b].toSorted()])
    expect(await found('?status=completed&limit=1&page=2')).toEqual([c])
    expect(await found('?status=processing')).toEqual([])
    expect(await found('?externalId=n-2')).toEqual([c])
    expect(await found('?externalId=N-2')).toEqual([])
    expect(await found(`?createdFrom=${times[1]}`)).toEqual([d, c])
    expect(await found(`?createdTo=${times[1]}`)).toEqual([a, b].toSorted())
    expect(await found(`?createdFrom=${times[1]}&createdTo=${times[0]}`)).toEqual([c])
    const twoHoursEast = new Date(Date.parse(times[0] ?? '') + 7_200_000)
      .toISOString()
      .replace('Z', '+02:00')
    expect(await found(`?createdFrom=${encodeURIComponent(twoHoursEast)}`)).toEqual([d])
    expect(await list(buyer.key, '?limit=3')).toMatchObject({
      page: 1,
      limit: 3,
      total: 4,
      totalPages: 2,
      hasMore: true,
    })
    expect((await list(test.key, '')).results.map(({ externalId }) => externalId)).toEqual([
      'n-test',
    ])
    expect(await list((await world.partner()).key, '')).toMatchObject({
      total: 0,
      totalPages: 0,
      hasMore: false,
      results: [],
    })
  })

  it.each([
    ['page=0', 'page'],
    ['limit=101', 'limit'],
    ['limit=0', 'limit'],
    ['status=done', 'status'],
    ['status=', 'status'],
    ['createdFrom=2026-01-01', 'createdFrom'],
    ['createdTo=now', 'createdTo'],
    ['externalId=a&externalId=b', 'externalId'],
  ])('rejects ?%s', async (query, field) => {
    const answer = await world.as(partner.key, `/v1/orders?${query}`)
    expect([answer.status, answer.code, fieldsOf(answer)]).toEqual([
      400,
      'VALIDATION_ERROR',
      [field],
    ])
  })
})

describe('test mode', () => {
  it('changes the test balance and nothing live, and generates units of every kind', async () => {
    const { key } = await world.keyOf(partner.id, 'test')
    const live = async () => [
      await balance(),
      (await world.as(partner.key, `/v1/products/${product}`)).json,
      (await seller.client.getSellerBalance({})).body,
      (await seller.client.listSales({})).body.total,
      (
        await world.dashboard.listPartnerLedger({
          params: { id: partner.id },
          query: { mode: 'live' },
        })
      ).body.total,
      world.store.offers.ofSeller(seller.id).filter(({ productId }) => productId === product),
    ]
    const before = await live()
    const start = await balance(key)
    const kinds = ['key', 'gift', 'account', 'link'] as const
    for (const deliveryType of kinds) {
      const id = await world.product({ deliveryType })
      await world.offer(seller, id, 100, 1)
      const order = await place(world.request(id), '?wait=10', key)
      expect(
        (await keysOf(order.id, key)).map(({ value, deliveryType: kind }) => [
          value.slice(0, 5),
          kind,
        ]),
      ).toEqual([['TEST-', deliveryType]])
      expect(
        world.store.offers.ofSeller(seller.id).find(({ productId }) => productId === id),
      ).toMatchObject({ stock: 1, reserved: 0, sold: 0 })
      expect(await world.order(key, world.request(id, 2))).toMatchObject({ code: 'OUT_OF_STOCK' })
      expect(await world.order(key, world.request(id, 1, 0.5))).toMatchObject({
        code: 'PRICE_CHANGED',
      })
    }
    await place(world.request(product), '?wait=10', key)
    expect(await live()).toEqual(before)
    expect(await balance(key)).not.toEqual(start)
    await world.dashboard.resetTestBalance({
      params: { id: partner.id },
      body: { amount: cents(12_345) },
    })
    expect(await balance(key)).toEqual({ balance: 123.45, currency: 'EUR', mode: 'test' })
  })
})
