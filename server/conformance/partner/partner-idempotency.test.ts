import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import { order as orderShape } from '../../api/schemas/order.ts'
import {
  type HarnessResponse,
  type Partner,
  type Seller,
  startHarness,
  type Harness,
} from '../testing/harness.ts'

let world: Harness
let partner: Partner
let seller: Seller
let product = ''
/** Not released yet, so that an order of it waits for the maximum time. */
let coming = ''
beforeAll(async () => {
  world = await startHarness()
  partner = await world.partner({ perOrderLimit: null, dailyLimit: null })
  seller = await world.seller()
  ;[product, coming] = [await world.product(), await world.product({ releaseDate: '2999-01-01' })]
  await world.offer(seller, product, 1000, 100)
  await world.offer(seller, coming, 1000, 100)
})
afterEach(() => world.dashboard.clearFaults({}))
afterAll(() => world.close())

const place = (
  body: object | string,
  idempotencyKey: string,
  more: { key?: string; query?: string; signal?: AbortSignal } = {},
) => {
  const { key = partner.key, ...rest } = more
  return world.as(key, `/v1/orders${rest.query ?? ''}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    ...(rest.signal && { signal: rest.signal }),
  })
}
const balance = async () => (await partner.client.getBalance({})).body.balance
const orders = async () => (await partner.client.listOrders({})).body.total
const bytes = ({ status, text }: HarnessResponse) => [status, text]

describe('the same Idempotency-Key', () => {
  it('with the same body returns the first response byte for byte, and charges once', async () => {
    const body = world.request(product, 2)
    const key = world.fresh('idempotency')
    const [money, count] = [await balance(), await orders()]
    const first = await place(body, key)
    expect(first.status).toBe(201)
    expect(first.headers).not.toHaveProperty('idempotent-replayed')
    await world.settled()
    for (const query of ['', '?wait=0', '?wait=25']) {
      const again = await place(body, key, { query })
      expect(bytes(again)).toEqual(bytes(first))
      expect(again.headers['content-type']).toBe(first.headers['content-type'])
      expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
      expect(again.headers['idempotent-replayed']).toBe('true')
    }
    expect([await balance(), await orders()]).toEqual([money - 2200, count + 1])
  })

  it("compares bodies by meaning: order of members, blanks and number formats don't matter", async () => {
    const { externalId } = world.request(product)
    const key = world.fresh('idempotency')
    const first = await place(
      `{"externalId":"${externalId}","items":[{"productId":"${product}","qty":1,"maxUnitPrice":11}]}`,
      key,
    )
    const same = [
      ' { "items" : [ { "maxUnitPrice" : 11.00 , "qty" : 1 , "productId" : ' +
        `"${product}" } ] , "externalId" : "${externalId}" } `,
      `{"externalId":"${externalId}","items":[{"productId":"${product}","qty":1e0,"maxUnitPrice":1.1e1}]}`,
      `{"externalId":"\\u00${externalId.charCodeAt(0).toString(16)}${externalId.slice(1)}",` +
        `"items":[{"productId":"${product}","qty":1,"maxUnitPrice":11}]}`,
    ]
    for (const each of same) expect(bytes(await place(each, key))).toEqual(bytes(first))
  })

  it('with another body is IDEMPOTENCY_CONFLICT, and the first response stays stored', async () => {
    const body = world.request(product)
    const key = world.fresh('idempotency')
    const first = await place(body, key)
    const others = [
      { ...body, externalId: world.fresh() },
      { ...body, items: [{ ...body.items[0], qty: 2 }] },
      { ...body, items: [...body.items, ...body.items] },
      { ...body, items: [{ ...body.items[0], maxUnitPrice: 12 }] },
    ]
    for (const other of others)
      expect(await place(other, key)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_CONFLICT' })
    expect(bytes(await place(body, key))).toEqual(bytes(first))
  })

  it('is checked before the externalId', async () => {
    const body = world.request(product)
    const key = world.fresh('idempotency')
    await place(body, key)
    expect((await place(body, key)).status).toBe(201)
    expect(await place(body, world.fresh('idempotency'))).toMatchObject({
      code: 'DUPLICATE_EXTERNAL_ID',
    })
  })

  it('belongs to one account and one mode', async () => {
    const body = world.request(product)
    const key = world.fresh('idempotency')
    const other = await world.partner()
    const test = await world.keyOf(partner.id, 'test')
    const sibling = await world.keyOf(partner.id, 'live')
    const first = await place(body, key)
    expect(bytes(await place(body, key, { key: sibling.key }))).toEqual(bytes(first))
    expect((await place(body, key, { key: other.key })).status).toBe(201)
    expect(
      (await place({ ...body, externalId: world.fresh() }, key, { key: test.key })).status,
    ).toBe(201)
  })

  it('belongs to a path by meaning: escapes and a query make no difference', async () => {
    const body = world.request(product)
    const key = world.fresh('idempotency')
    const first = await place(body, key)
    for (const path of ['/v1/%6frders', '/%76%31/orders', '/v1/orders?colour=red']) {
      expect(
        bytes(
          await world.as(partner.key, path, {
            method: 'POST',
            body,
            headers: { 'idempotency-key': key },
          }),
        ),
      ).toEqual(bytes(first))
    }
    const offer = await world.offer(seller, await world.product(), 1000, 3)
    const withdraw = (id: string) =>
      world.as(seller.key, `/v1/seller/offers/${id}/withdraw`, {
        method: 'POST',
        body: { count: 1 },
        headers: { 'idempotency-key': key },
      })
    const taken = await withdraw(offer)
    expect(taken).toMatchObject({ status: 200, json: { stock: 2 } })
    expect(bytes(await withdraw(offer.replace('_', '%5F')))).toEqual(bytes(taken))
  })

  it('expires after 24 hours to the millisecond', async () => {
    const body = world.request(product)
    const key = world.fresh('idempotency')
    const first = await place(body, key)
    world.clock.move(86_400_000 - 1)
    expect(bytes(await place(body, key))).toEqual(bytes(first))
    world.clock.move(1)
    expect(await place(body, key)).toMatchObject({ code: 'DUPLICATE_EXTERNAL_ID' })
  })

  it.each([
    ['1234567', 400],
    ['12345678', 201],
    ['x'.repeat(100), 201],
    ['x'.repeat(101), 400],
    ['with blanks !~', 201],
    ['schlüssel', 400],
    ['tab\tinside', 400],
    ['', 400],
  ] as const)('as %j returns %d', async (key, status) => {
    const answer = await place(world.request(product), Buffer.from(key, 'utf8').toString('latin1'))
    expect(answer.status).toBe(status)
    if (status === 400)
      expect(answer).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ field: 'Idempotency-Key' }],
      })
  })

  it('given twice is rejected, even if both are equal', async () => {
    const answer = await world.as(partner.key, '/v1/orders', {
      method: 'POST',
      body: world.request(product),
      headers: { 'idempotency-key': ['12345678', '12345678'] },
    })
    expect(answer).toMatchObject({ status: 400, details: [{ field: 'Idempotency-Key' }] })
  })
})

describe('refusals', () => {
  it('that were executed (402, 409, 422) are replayed byte for byte after their reason is gone', async () => {
    const buyer = await world.partner(
      { perOrderLimit: cents(10_000), dailyLimit: cents(20_000) },
      { balance: 5000 },
    )
    const scarce = await world.product()
    const offer = await world.offer(seller, scarce, 1000, 0)
    const gone = await world.product()
    await world.dashboard.changeProduct({ params: { id: gone }, body: { removed: true } })
    const used = world.request(product)
    await place(used, world.fresh('idempotency'), { key: buyer.key })
    const requests = {
      INSUFFICIENT_BALANCE: world.request(product, 4),
      PRICE_CHANGED: world.request(product, 1, 1),
      OUT_OF_STOCK: world.request(scarce),
      PRODUCT_UNAVAILABLE: world.request(gone),
      DUPLICATE_EXTERNAL_ID: { ...used, items: [{ productId: product, qty: 2, maxUnitPrice: 11 }] },
      ORDER_LIMIT_EXCEEDED: {
        ...world.request(product, 9),
        items: [world.request(product, 9), world.request(product, 9)].flatMap(({ items }) => items),
      },
    }
    const first: [string, object, string, HarnessResponse][] = []
    for (const [code, body] of Object.entries(requests)) {
      const key = world.fresh('idempotency')
      const answer = await place(body, key, { key: buyer.key })
      expect(answer.code).toBe(code)
      first.push([code, body, key, answer])
    }
    await world.dashboard.changePartner({
      params: { id: buyer.id },
      body: { dailyLimit: cents(100) },
    })
    const daily = await place(world.request(product), 'daily-limit', { key: buyer.key })
    expect(daily).toMatchObject({ status: 422, code: 'DAILY_LIMIT_EXCEEDED' })
    await world.dashboard.changePartner({
      params: { id: buyer.id },
      body: { dailyLimit: null, perOrderLimit: null },
    })
    await world.dashboard.createTopUp({
      params: { id: buyer.id },
      body: { mode: 'live', amount: cents(1_000_000) },
    })
    await world.dashboard.changeProduct({ params: { id: gone }, body: { removed: false } })
    await seller.client.uploadKeys({ params: { id: offer }, body: { keys: [world.fresh('KEY')] } })
    for (const [code, body, key, answer] of first) {
      const again = await place(body, key, { key: buyer.key })
      expect([code, bytes(again)]).toEqual([code, bytes(answer)])
      expect([answer, again].map(({ headers }) => headers['idempotent-replayed'])).toEqual([
        undefined,
        'true',
      ])
      expect(again.headers['x-request-id']).not.toBe(answer.headers['x-request-id'])
    }
    expect((await world.as(buyer.key, '/v1/orders')).json).toMatchObject({ total: 1 })
  })

  it('of 400, 401, 403, 429 and 5xx are never stored: the next request with the key is executed', async () => {
    const limited = await startHarness({ limits: true })
    try {
      const buyer = await limited.partner()
      const item = await limited.product()
      await limited.offer(await limited.seller(), item, 1000, 20)
      const asked = (key: string, query = '', headers = {}) =>
        limited.as(key, `/v1/orders${query}`, {
          method: 'POST',
          body,
          headers: { 'idempotency-key': 'kept-or-not', ...headers },
        })
      const body = limited.request(item)
      const reader = await limited.keyOf(buyer.id, 'live', { scopes: ['orders:read'] })
      const codes = [
        await asked(buyer.key, '?wait=99'),
        await asked('svc_live_nobody'),
        await asked(reader.key),
      ]
      await limited.dashboard.changePartner({
        params: { id: buyer.id },
        body: { status: 'suspended' },
      })
      codes.push(await asked(buyer.key))
      await limited.dashboard.changePartner({
        params: { id: buyer.id },
        body: { status: 'active' },
      })
      for (let sent = 0; sent < 20; sent += 1) await limited.as(buyer.key, '/v1/nothing')
      codes.push(await asked(buyer.key))
      limited.clock.move(1000)
      await limited.dashboard.putFaults({ body: [{ supplierDown: true }] })
      codes.push(await asked(buyer.key))
      await limited.dashboard.clearFaults({})
      expect(codes.map(({ code }) => code)).toEqual([
        'VALIDATION_ERROR',
        'UNAUTHORIZED',
        'INSUFFICIENT_SCOPE',
        'ACCOUNT_NOT_ACTIVE',
        'RATE_LIMITED',
        'SERVICE_UNAVAILABLE',
      ])
      expect((await asked(buyer.key)).status).toBe(201)
    } finally {
      await limited.close()
    }
  })
})

describe('while the first request waits', () => {
  const untilPlaced = (externalId: string): Promise<void> =>
    expect
      .poll(() => world.store.orders.idByExternalId(partner.id, externalId), { timeout: 10_000 })
      .toBeTruthy()

  it('returns IDEMPOTENCY_IN_PROGRESS, or a conflict for another body; then the first response', async () => {
    const day = new Date(world.now() + 86_400_000).toISOString().slice(0, 10)
    const tomorrow = await world.product({ releaseDate: day })
    await world.offer(seller, tomorrow, 1000, 1)
    const body = world.request(tomorrow)
    const key = world.fresh('idempotency')
    const waiting = place(body, key, { query: '?wait=25' })
    await untilPlaced(body.externalId)
    expect(await place(body, key)).toMatchObject({
      status: 409,
      code: 'IDEMPOTENCY_IN_PROGRESS',
      headers: { 'retry-after': '1' },
    })
    expect(await place({ ...body, externalId: 'other' }, key)).toMatchObject({
      status: 409,
      code: 'IDEMPOTENCY_CONFLICT',
    })
    expect(await place(body, world.fresh('idempotency'))).toMatchObject({
      code: 'DUPLICATE_EXTERNAL_ID',
    })
    await world.dashboard.advanceClock({ body: { ms: 86_400_000 } })
    const answer = await waiting
    expect(answer).toMatchObject({ status: 201, json: { status: 'completed' } })
    expect(bytes(await place(body, key))).toEqual(bytes(answer))
  })

  it('stays in progress when the clock is advanced by more than the 24 hours of the key', async () => {
    const release = new Date(world.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    const later = await world.product({ releaseDate: release })
    await world.offer(seller, later, 1000, 1)
    const body = world.request(later)
    const key = world.fresh('idempotency')
    const waiting = place(body, key, { query: '?wait=25' })
    await untilPlaced(body.externalId)
    await world.dashboard.advanceClock({ body: { ms: 2 * 86_400_000 } })
    expect((await place(body, key)).code).toBe('IDEMPOTENCY_IN_PROGRESS')
    expect((await place({ ...body, externalId: 'other' }, key)).code).toBe('IDEMPOTENCY_CONFLICT')
    await world.dashboard.advanceClock({ body: { ms: 86_400_000 } })
    const answer = await waiting
    expect(answer).toMatchObject({ status: 201, json: { status: 'completed' } })
    expect(bytes(await place(body, key))).toEqual(bytes(answer))
  })

  it('keeps the order and its response when a client disconnects', async () => {
    const body = world.request(coming)
    const key = world.fresh('idempotency')
    const money = await balance()
    const leaving = new AbortController()
    const gone = place(body, key, { query: '?wait=25', signal: leaving.signal }).catch(() => 'gone')
    await expect
      .poll(() => world.store.orders.idByExternalId(partner.id, body.externalId), {
        timeout: 10_000,
      })
      .toBeTruthy()
    leaving.abort()
    expect(await gone).toBe('gone')
    await expect.poll(async () => (await place(body, key)).status, { timeout: 10_000 }).toBe(201)
    const again = await place(body, key)
    expect(orderShape.strict.parse(again.json)).toMatchObject({
      externalId: body.externalId,
      status: 'processing',
    })
    expect(await balance()).toBe(money - 1100)
  })

  it('places one order for twenty simultaneous requests', async () => {
    const body = world.request(product)
    const key = world.fresh('idempotency')
    const [money, count] = [await balance(), await orders()]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, each) =>
        place(body, key, { query: each % 2 === 0 ? '' : '?wait=5' }),
      ),
    )
    const created = answers.filter(({ status }) => status === 201)
    expect(new Set(created.map(({ json }) => orderShape.strict.parse(json).id))).toHaveProperty(
      'size',
      1,
    )
    expect(
      answers.filter(({ status, code }) => status !== 201 && code !== 'IDEMPOTENCY_IN_PROGRESS'),
    ).toEqual([])
    await world.settled()
    expect([await balance(), await orders()]).toEqual([money - 1100, count + 1])
  })
})
