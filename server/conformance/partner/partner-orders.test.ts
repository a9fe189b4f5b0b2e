import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import { startOrders } from '../testing/orders.ts'
import { fieldsOf } from '../testing/harness.ts'

const { world, partner, seller, product, get, balance, place } = await startOrders()
afterEach(() => world.dashboard.clearFaults({}))
afterAll(() => world.close())

describe('placing an order', () => {
  it('returns 201 with the order processing and takes its total from the balance immediately', async () => {
    const buyer = await world.partner({}, { balance: 10_000 })
    const soon = await world.product({ releaseDate: '2999-12-31' })
    await world.offer(seller, soon, 1000, 5)
    const body = world.request(soon, 2)
    const answer = await world.order(buyer.key, body)
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({
      id: expect.stringMatching(/^ord_/),
      externalId: body.externalId,
      mode: 'live',
      status: 'processing',
      currency: 'EUR',
      total: 22,
      refunded: 0,
      createdAt: new Date(world.now()).toISOString(),
      completedAt: null,
      failure: null,
      firstDownloadedAt: null,
      items: [
        {
          line: 1,
          productId: soon,
          name: expect.any(String),
          deliveryType: 'key',
          qty: 2,
          unitPrice: 11,
          status: 'processing',
          deliveredQty: 0,
        },
      ],
    })
    expect(await balance(buyer.key)).toEqual({ balance: 78, currency: 'EUR', mode: 'live' })
  })

  it('returns processing without wait or with wait=0, however fast the delivery is', async () => {
    for (const query of ['', '?wait=0']) {
      const { id, status } = await place(world.request(product), query)
      expect(status).toBe('processing')
      await world.settled()
      expect(await get(id)).toMatchObject({
        status: 'completed',
        items: [{ status: 'completed', deliveredQty: 1 }],
      })
    }
  })

  it('with wait returns when the order is final, or processing when the wait is over', async () => {
    expect(await place(world.request(product), '?wait=25')).toMatchObject({
      status: 'completed',
      completedAt: expect.any(String),
    })
    const soon = await world.product({ releaseDate: '2999-12-31' })
    await world.offer(seller, soon, 1000, 5)
    expect(await place(world.request(soon), '?wait=1')).toMatchObject({
      status: 'processing',
      completedAt: null,
    })
  })

  it.each(['wait=26', 'wait=-1', 'wait=', 'wait=1.5', 'wait=ten', 'wait=1&wait=1', 'wait=%2B1'])(
    'rejects ?%s',
    async (query) => {
      const answer = await world.order(partner.key, world.request(product), { query: `?${query}` })
      expect([answer.status, answer.code, fieldsOf(answer)]).toEqual([
        400,
        'VALIDATION_ERROR',
        ['wait'],
      ])
    },
  )

  it.each([0, 25])('accepts wait=%d', async (wait) => {
    expect(
      (
        await world.order(partner.key, world.request(product), {
          query: `?wait=${wait}&colour=red`,
        })
      ).status,
    ).toBe(201)
  })

  it('charges a lower current price, and refuses a higher one with the current price, charging nothing', async () => {
    const before = await balance()
    const dear = await world.order(partner.key, world.request(product, 1, 10.99))
    expect(dear).toMatchObject({
      status: 409,
      code: 'PRICE_CHANGED',
      details: { productId: product, currentPrice: 11 },
    })
    expect(await balance()).toEqual(before)
    expect(await place(world.request(product, 1, 11))).toMatchObject({
      total: 1100,
      items: [{ unitPrice: 1100 }],
    })
    expect(await place(world.request(product, 1, 999.99))).toMatchObject({
      total: 1100,
      items: [{ unitPrice: 1100 }],
    })
  })

  it('stores no order and charges nothing when it is refused', async () => {
    const poor = await world.partner({}, { balance: 1099 })
    const none = await world.product()
    const body = (productId: string, maxUnitPrice = 100) => ({
      ...world.request(productId, 1, maxUnitPrice),
      externalId: 'always-the-same',
    })
    const outcomes = [
      await world.order(poor.key, body(product)),
      await world.order(poor.key, body(product, 1)),
      await world.order(poor.key, body(none)),
      await world.order(poor.key, body('nobody')),
    ]
    await world.dashboard.putFaults({ body: [{ supplierDown: true }] })
    outcomes.push(await world.order(poor.key, body(product)))
    expect(outcomes.map(({ status, code }) => [status, code])).toEqual([
      [402, 'INSUFFICIENT_BALANCE'],
      [409, 'PRICE_CHANGED'],
      [409, 'OUT_OF_STOCK'],
      [409, 'PRODUCT_UNAVAILABLE'],
      [503, 'SERVICE_UNAVAILABLE'],
    ])
    expect(outcomes.at(-1)?.headers['retry-after']).toBe('1')
    expect((await world.as(poor.key, '/v1/orders')).json).toMatchObject({ total: 0, results: [] })
    expect(await balance(poor.key)).toMatchObject({ balance: 10.99 })
    await world.dashboard.createTopUp({
      params: { id: poor.id },
      body: { mode: 'live', amount: cents(1) },
    })
    await world.dashboard.clearFaults({})
    expect((await world.order(poor.key, body(product))).status).toBe(201)
    expect(await balance(poor.key)).toMatchObject({ balance: 0 })
  })

  it('rejects an externalId used in either mode, naming the order, even if that order failed', async () => {
    const { key } = await world.keyOf(partner.id, 'test')
    await world.dashboard.putFaults({ body: [{ deliver: { failUnits: 1 } }] })
    const body = world.request(product)
    const { id, status } = await place(body, '?wait=10', key)
    expect(status).toBe('failed')
    for (const each of [key, partner.key])
      expect(await world.order(each, body)).toMatchObject({
        status: 409,
        code: 'DUPLICATE_EXTERNAL_ID',
        details: { orderId: id },
      })
    expect((await world.order((await world.partner()).key, body)).status).toBe(201)
  })
})

describe('the body of an order', () => {
  const line = (more: object = {}) => ({ productId: product, qty: 1, maxUnitPrice: 20, ...more })
  const full = (more: object = {}): object => ({
    externalId: world.fresh('ext'),
    items: [line()],
    ...more,
  })

  const refused: [string, () => object | string, string[]][] = [
    ['no externalId', () => ({ items: [line()] }), ['externalId']],
    ['an empty externalId', () => full({ externalId: '' }), ['externalId']],
    [
      'an externalId of 101 characters',
      () => full({ externalId: 'x'.repeat(101) }),
      ['externalId'],
    ],
    ['an externalId with a slash', () => full({ externalId: 'a/b' }), ['externalId']],
    ['an externalId with a line break', () => full({ externalId: 'a\n' }), ['externalId']],
    ['an externalId with an umlaut', () => full({ externalId: 'ä' }), ['externalId']],
    ['a number as externalId', () => full({ externalId: 1 }), ['externalId']],
    ['null as externalId', () => full({ externalId: null }), ['externalId']],
    ['no items', () => ({ externalId: 'a' }), ['items']],
    ['no order line', () => full({ items: [] }), ['items']],
    ['11 lines', () => full({ items: Array.from({ length: 11 }, () => line()) }), ['items']],
    ['an object for items', () => full({ items: { 0: line() } }), ['items']],
    ['an extra property', () => full({ note: 1 }), ['note']],
    ['an extra property in a line', () => full({ items: [line({ note: 1 })] }), ['items[0].note']],
    ['no productId', () => full({ items: [{ qty: 1, maxUnitPrice: 1 }] }), ['items[0].productId']],
    ['qty 0', () => full({ items: [line({ qty: 0 })] }), ['items[0].qty']],
    ['qty 10', () => full({ items: [line(), line({ qty: 10 })] }), ['items[1].qty']],
    ['qty 1.5', () => full({ items: [line({ qty: 1.5 })] }), ['items[0].qty']],
    ['qty as text', () => full({ items: [line({ qty: '1' })] }), ['items[0].qty']],
    [
      'a price below zero',
      () => full({ items: [line({ maxUnitPrice: -0.01 })] }),
      ['items[0].maxUnitPrice'],
    ],
    [
      'a price as text',
      () => full({ items: [line({ maxUnitPrice: '11' })] }),
      ['items[0].maxUnitPrice'],
    ],
    [
      'an infinite price',
      () => `{"externalId":"a","items":[{"productId":"${product}","qty":1,"maxUnitPrice":1e999}]}`,
      ['items[0].maxUnitPrice'],
    ],
    [
      'several problems',
      () => full({ externalId: '', x: 1, items: [line({ qty: 0, maxUnitPrice: null })] }),
      ['externalId', 'items[0].maxUnitPrice', 'items[0].qty', 'x'],
    ],
    ['an array', () => [full()], ['body']],
    ['null', () => 'null', ['body']],
    ['text', () => '"x"', ['body']],
    ['not JSON', () => '{"a":1,}', ['body']],
    ['nothing', () => '', ['body']],
  ]
  it.each(refused)('is rejected with %s', async (_, body, expected) => {
    const given = body()
    const answer = await world.as(partner.key, '/v1/orders', {
      method: 'POST',
      body: given,
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, answer.code, fieldsOf(answer)]).toEqual([
      400,
      'VALIDATION_ERROR',
      expected.toSorted(),
    ])
    expect(answer.details).toEqual(
      expected.map(() => ({ field: expect.any(String), message: expect.any(String) })),
    )
  })

  it.each([
    ['no type', {}],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another JSON type', { 'content-type': 'application/ld+json' }],
    ['UTF-16', { 'content-type': 'application/json; charset=utf-16' }],
  ])('is rejected with %s', async (_, headers) => {
    const answer = await world.as(partner.key, '/v1/orders', {
      method: 'POST',
      body: JSON.stringify(full()),
      headers,
    })
    expect([answer.status, answer.code, fieldsOf(answer)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['Content-Type'],
    ])
  })

  const taken: [string, () => object | string][] = [
    [
      '100 characters of all kinds',
      () => full({ externalId: `Az09._:-${world.fresh('')}`.padEnd(100, 'x') }),
    ],
    ['10 lines', () => full({ items: Array.from({ length: 10 }, () => line()) })],
    ['9 units', () => full({ items: [line({ qty: 9 })] })],
    ['a computed bound', () => full({ items: [line({ maxUnitPrice: 11 * 1.05 })] })],
    ['a bound above every price', () => full({ items: [line({ maxUnitPrice: 1e300 })] })],
    [
      'a price of 11.00 with extra digits',
      // Also the text “20” of a random id would be replaced without the name.
      () => JSON.stringify(full()).replace('"maxUnitPrice":20', '"maxUnitPrice":1100e-2'),
    ],
  ]
  it.each(taken)('is accepted with %s', async (_, body) => {
    const given = body()
    const answer = await world.as(partner.key, '/v1/orders', {
      method: 'POST',
      body: given,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    })
    expect([answer.status, answer.details]).toEqual([201, undefined])
  })
})

it('never costs more than a bound between two cents', async () => {
  const bound = async (maxUnitPrice: number) =>
    (
      await world.order(partner.key, {
        externalId: world.fresh('ext'),
        items: [{ productId: product, qty: 1, maxUnitPrice }],
      })
    ).code
  expect(await bound(10.9999999)).toBe('PRICE_CHANGED')
  expect(await bound(11.0000001)).toBeUndefined()
})

describe('several order lines', () => {
  it('are checked one check at a time, and the lowest bad line is reported', async () => {
    const [none, gone] = [await world.product(), await world.product()]
    await world.dashboard.changeProduct({ params: { id: gone }, body: { removed: true } })
    const line = (productId: string, maxUnitPrice = 100) => ({ productId, qty: 1, maxUnitPrice })
    const refused = async (...items: object[]) => {
      const { code, details } = await world.order(partner.key, { externalId: 'lines', items })
      return [code, details]
    }
    expect(await refused(line(product, 1), line(none), line(gone), line('nobody'))).toEqual([
      'PRODUCT_UNAVAILABLE',
      expect.objectContaining({ productId: gone }),
    ])
    expect(await refused(line(product, 1), line(none), line(product, 2))).toEqual([
      'OUT_OF_STOCK',
      expect.objectContaining({ productId: none }),
    ])
    expect(await refused(line(product), line(product, 2), line(product, 1))).toEqual([
      'PRICE_CHANGED',
      expect.objectContaining({ productId: product, currentPrice: 11, line: 2 }),
    ])
  })

  it('of one product share its stock and are numbered from 1', async () => {
    const scarce = await world.product()
    await world.offer(seller, scarce, 100, 3)
    const line = (qty: number) => ({ productId: scarce, qty, maxUnitPrice: 100 })
    expect(
      await world.order(partner.key, { externalId: world.fresh(), items: [line(2), line(2)] }),
    ).toMatchObject({ code: 'OUT_OF_STOCK' })
    const order = await place({ externalId: world.fresh(), items: [line(2), line(1)] })
    expect(order.items.map(({ line: number, deliveredQty }) => [number, deliveredQty])).toEqual([
      [1, 2],
      [2, 1],
    ])
  })
})
