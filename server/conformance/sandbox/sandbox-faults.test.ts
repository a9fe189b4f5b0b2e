import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { type RawService, rawShop, refused, send, startRaw } from '../testing/raw-service.ts'

const service = await startRaw()
const shop = rawShop(service)
afterAll(() => service.stop())
afterEach(() => service.dashboard('DELETE', '/faults'))

const ask: RawService['dashboard'] = (...given) => service.dashboard(...given)
const put = (...faults: unknown[]) => ask('PUT', '/faults', faults)

describe('faults', () => {
  it('are set in any combination, listed and cleared; each call returns the active ones', async () => {
    const all = [
      { match: { method: 'GET', path: '/v1/ping' }, times: 2, status: 503 },
      { deliver: { failUnits: 3 } },
      { supplierDown: true },
      { match: {}, latencyMs: 0, probability: 0.5 },
    ]
    expect(await put(...all)).toMatchObject({ status: 200, body: all })
    expect(await ask('GET', '/faults')).toMatchObject({ status: 200, body: all })
    expect((await put({ supplierDown: true })).body).toEqual([{ supplierDown: true, hits: 0 }])
    expect(await ask('DELETE', '/faults')).toMatchObject({ status: 200, body: [] })
    expect((await ask('GET', '/faults')).body).toEqual([])
  })

  it("with unknown or out-of-bounds values are VALIDATION_ERROR, and the active faults don't change", async () => {
    await put({ supplierDown: true })
    for (const fault of [
      {},
      { match: {}, times: 0 },
      { match: {}, probability: 1.1 },
      { match: {}, probability: -0.1 },
      { match: {}, status: 200 },
      { match: {}, latencyMs: -1 },
      { match: {}, dropConnection: 'yes' },
      { match: { path: 'v1' } },
      { match: { path: '/dashboard/clock' } },
      { match: { path: '/dashboard*' } },
      { match: { verb: 'GET' } },
      { deliver: {} },
      { deliver: { failUnits: 0 } },
      { supplierDown: false },
      { supplierDown: true, deliver: { failUnits: 1 } },
      7,
      null,
    ])
      expect(refused(await put(fault)).slice(0, 2), JSON.stringify(fault)).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
    expect(refused(await ask('PUT', '/faults', { supplierDown: true })).slice(0, 2)).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
    expect((await ask('GET', '/faults')).body).toEqual([{ supplierDown: true, hits: 0 }])
  })

  it('match method and path: exact, with a trailing star, or a single star; never a dashboard path', async () => {
    const { call } = await shop.partner()
    const seller = await shop.seller()
    const met = async (match: object) => {
      await put({ match, status: 500 })
      return [
        (await call('GET', '/ping')).status,
        (await call('GET', '/products?limit=1')).status,
        (await call('POST', '/orders', {})).status,
        (await seller.call('GET', '/me')).status,
        (await ask('GET', '/clock')).status,
      ]
    }
    expect(await met({ path: '/v1/ping' })).toEqual([500, 200, 400, 200, 200])
    expect(await met({ path: '/v1/p*' })).toEqual([500, 500, 400, 200, 200])
    expect(await met({ path: '/v1/seller/*' })).toEqual([200, 200, 400, 500, 200])
    expect(await met({ method: 'POST' })).toEqual([200, 200, 500, 200, 200])
    expect(await met({ method: 'get', path: '/v1*' })).toEqual([500, 500, 400, 500, 200])
    for (const path of ['*', '/*']) expect(await met({ path })).toEqual([500, 500, 500, 500, 200])
    expect(await met({})).toEqual([500, 500, 500, 500, 200])
  })

  it('are refused for a path that matches no operation', async () => {
    for (const match of [
      { path: '/v1/pin' },
      { path: 'v1/ping' },
      { path: '/v1/ping/' },
      { path: '/v1/orders//keys' },
      { path: '/v1/nothing*' },
      { path: '/v1/ping', method: 'POST' },
      { path: '/dash*' },
    ])
      expect(
        refused(await ask('PUT', '/faults', [{ supplierDown: true }, { match, status: 500 }])),
      ).toEqual([400, 'VALIDATION_ERROR', '[1].match.path'])
    expect(refused(await put({ match: { method: 'BREW' }, status: 500 }))).toEqual([
      400,
      'VALIDATION_ERROR',
      '[0].match.method',
    ])
    for (const match of [
      { method: 'patch' },
      { path: '/v1/ping', method: 'HEAD' },
      { path: '/v1/orders/ord_1/keys' },
      { path: '/v1/orders/ord_1*' },
      { path: '/v1/orders/*' },
      { path: '/v1/ord*', method: 'post' },
      { path: '*' },
    ])
      expect((await ask('PUT', '/faults', [{ match, status: 500 }])).status).toBe(200)
    await ask('DELETE', '/faults')
  })

  it('happen as often as set, with the set status and code', async () => {
    const { call } = await shop.partner()
    await put(
      { match: { path: '/v1/ping' }, times: 2, status: 503 },
      { match: { path: '/v1/ping' }, times: 1, code: 'RATE_LIMITED' },
      { match: { path: '/v1/ping' }, times: 1, status: 418, code: 'TEAPOT' },
    )
    const answers = []
    for (let i = 0; i < 5; i += 1) answers.push(await call('GET', '/ping'))
    expect(answers.map((answer) => refused(answer))).toEqual([
      [503, 'SERVICE_UNAVAILABLE'],
      [503, 'SERVICE_UNAVAILABLE'],
      [429, 'RATE_LIMITED'],
      [418, 'TEAPOT'],
      [200, 'none'],
    ])
    const [first, , limited] = answers
    expect(first?.headers.get('retry-after')).toBe('1')
    expect(first?.body).toEqual({
      error: {
        code: 'SERVICE_UNAVAILABLE',
        message: expect.any(String),
        requestId: first?.headers.get('x-request-id'),
      },
    })
    expect(limited?.body.error.details).toEqual({ retryAfterMs: 1000 })
    expect(
      ['retry-after', 'ratelimit', 'ratelimit-policy'].map((name) => limited?.headers.get(name)),
    ).toEqual(['1', '"fault";r=0;t=1', '"fault";q=1;w=1'])
    // Used up, they stay listed with their hits, and a list can be sent back.
    const listed = (await ask('GET', '/faults')).body
    expect(listed).toMatchObject([{ times: 2, hits: 2 }, { hits: 1 }, { hits: 1 }])
    expect((await put(...listed)).body).toEqual(listed)
    expect(refused(await call('GET', '/ping'))).toEqual([200, 'none'])
  })

  it('of GET also hit HEAD, which answers like it', async () => {
    const { call } = await shop.partner()
    await put({ match: { method: 'GET', path: '/v1/ping' }, status: 503 })
    expect((await call('HEAD', '/ping')).status).toBe(503)
    await put({ match: { method: 'HEAD', path: '/v1/ping' }, status: 503 })
    expect([await call('GET', '/ping'), await call('HEAD', '/ping')]).toMatchObject([
      { status: 200 },
      { status: 503 },
    ])
  })

  it('of the supplier count the orders they refuse, and the log names them', async () => {
    const [partner, seller] = [await shop.partner(), await shop.seller()]
    const productId = await shop.product()
    await shop.offer(seller, productId, 10, ['AAAA-BBBB-CCCC'])
    await put({ supplierDown: true })
    const item = { productId, qty: 1, maxUnitPrice: 100 }
    for (const externalId of ['down-1', 'down-2'])
      expect(
        refused(await partner.call('POST', '/orders', { externalId, items: [item] })).slice(0, 2),
      ).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect((await ask('GET', '/faults')).body).toEqual([{ supplierDown: true, hits: 2 }])
    const { total, results } = (
      await ask('GET', `/requests?fault=supplierDown&account=${partner.id}`)
    ).body
    expect(total).toBe(2)
    expect(results[0]).toMatchObject({ path: '/v1/orders', fault: 'supplierDown' })
  })

  it('happen with their probability: 0 never, 1 always', async () => {
    const { call } = await shop.partner()
    await put({ match: {}, probability: 0, status: 500 })
    expect((await call('GET', '/ping')).status).toBe(200)
    await put({ match: {}, probability: 1, status: 500 })
    expect((await call('GET', '/ping')).status).toBe(500)
    await put({ match: {}, probability: 0.5, status: 500 })
    const met = (await Promise.all(Array.from({ length: 200 }, () => call('GET', '/ping')))).filter(
      ({ status }) => status === 500,
    ).length
    expect(met).toBeGreaterThan(50)
    expect(met).toBeLessThan(150)
  })

  it('that refuse or cut have no effect on data; faults with only latency have the normal effect', async () => {
    const seller = await shop.seller()
    const id = await shop.offer(seller, await shop.product(), 1)
    await put(
      { match: { path: `/v1/seller/offers/${id}/keys` }, times: 1, status: 500 },
      { match: { path: `/v1/seller/offers/${id}/keys` }, times: 1, dropConnection: true },
      { match: { path: `/v1/seller/offers/${id}/keys` }, times: 1, latencyMs: 20 },
    )
    const upload = () =>
      seller.call(
        'POST',
        `/offers/${id}/keys`,
        { keys: ['once'] },
        { 'idempotency-key': 'upload-0001' },
      )
    expect(refused(await upload())).toEqual([500, 'INTERNAL_ERROR'])
    await expect(upload()).rejects.toThrow('fetch failed')
    expect((await seller.call('GET', `/offers/${id}`)).body.stock).toBe(0)
    expect((await upload()).body).toEqual({ added: 1, duplicates: 0, stock: 1 })
  })

  it('after the commit carry an order out, lose its response, and a repeat gets it', async () => {
    const [seller, partner] = [await shop.seller(), await shop.partner()]
    const product = await shop.product()
    await shop.offer(seller, product, 1, ['1', '2', '3'])
    const order = (externalId: string) =>
      partner.call(
        'POST',
        '/orders?wait=5',
        { externalId, items: [{ productId: product, qty: 1, maxUnitPrice: 2 }] },
        { 'idempotency-key': `key-of-${externalId}` },
      )
    const match = { method: 'POST', path: '/v1/orders' }
    await put({ match, times: 1, status: 503, afterCommit: true })
    expect(refused(await order('answered'))).toEqual([503, 'SERVICE_UNAVAILABLE'])
    await put({ match, times: 1, dropConnection: true, afterCommit: true })
    await expect(order('silent')).rejects.toThrow('fetch failed')
    expect((await partner.call('GET', '/orders')).body.total).toBe(2)
    expect((await order('answered')).body).toMatchObject({ status: 'completed', total: 1.1 })
    expect((await order('silent')).status).toBe(201)
    expect((await partner.call('GET', '/orders')).body.total).toBe(2)
  })

  it('of delivery fail as many units as set, of one product or of any; a failed unit returns to stock', async () => {
    const [seller, partner] = [await shop.seller(), await shop.partner()]
    const [one, two] = [await shop.product(), await shop.product()]
    const offers = [
      await shop.offer(seller, one, 1, ['1', '2', '3', '4']),
      await shop.offer(seller, two, 1, ['1', '2', '3', '4']),
    ]
    await put({ deliver: { productId: one, failUnits: 3 } })
    expect((await shop.buy(partner, two)).order.status).toBe('completed')
    expect((await shop.buy(partner, one, 2)).order).toMatchObject({
      status: 'failed',
      refunded: 2.2,
      failure: { code: 'DELIVERY_FAILED' },
    })
    expect((await ask('GET', '/faults')).body).toEqual([
      { deliver: { productId: one, failUnits: 3 }, hits: 2 },
    ])
    expect((await seller.call('GET', `/offers/${offers[0]}`)).body).toMatchObject({
      stock: 4,
      sold: 0,
    })
    expect((await shop.buy(partner, one, 2)).order).toMatchObject({
      status: 'partially_completed',
      refunded: 1.1,
      failure: { code: 'PARTIAL_DELIVERY' },
    })
    expect((await seller.call('GET', `/offers/${offers[0]}`)).body).toMatchObject({
      stock: 3,
      sold: 1,
    })
    await put({ deliver: { failUnits: 1 } })
    expect((await shop.buy(partner, two)).order.status).toBe('failed')
    expect((await shop.buy(partner, two)).order.status).toBe('completed')
    expect((await partner.call('GET', '/balance')).body.balance).toBe(10_000 - 3.3)
  })

  it('of a supplier outage refuse orders, and charge nothing', async () => {
    const partner = await shop.partner()
    const productId = await shop.product()
    await shop.offer(await shop.seller(), productId, 1, ['s'])
    await put({ supplierDown: true })
    const body = { externalId: 'down-1', items: [{ productId, qty: 1, maxUnitPrice: 9 }] }
    expect(refused(await partner.call('POST', '/orders', body))).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
    ])
    expect((await partner.call('GET', '/products?limit=1')).status).toBe(200)
    await ask('DELETE', '/faults')
    expect((await partner.call('POST', '/orders', body)).status).toBe(201)
  })
})

describe('the request log', () => {
  it('lists every field of the requests to all interfaces, newest first', async () => {
    const [partner, seller] = [await shop.partner(), await shop.seller()]
    const ping = await partner.call('GET', '/ping')
    await seller.call('PATCH', '/offers/none', { price: 1 })
    await ask('GET', '/partners/none')
    const { body } = await ask('GET', '/requests?limit=3')
    expect(body.results).toEqual([
      expect.objectContaining({
        method: 'GET',
        path: '/dashboard/partners/none',
        status: 404,
        account: null,
        request: null,
      }),
      expect.objectContaining({
        method: 'PATCH',
        path: '/v1/seller/offers/none',
        status: 404,
        account: seller.id,
        request: { price: 1 },
        response: { error: expect.objectContaining({ code: 'NOT_FOUND' }) },
      }),
      {
        at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        method: 'GET',
        path: '/v1/ping',
        query: '',
        status: 200,
        durationMs: expect.any(Number),
        requestId: ping.headers.get('x-request-id'),
        account: partner.id,
        client: 'node',
        fault: null,
        request: null,
        response: ping.body,
      },
    ])
    expect(
      (await ask('GET', '/requests?path=/v1/ping&status=200&limit=1')).body.results[0].requestId,
    ).toBe(ping.headers.get('x-request-id'))
    for (const query of ['status=abc', 'status=600', 'status=-1'])
      expect(refused(await ask('GET', `/requests?${query}`))).toEqual([
        400,
        'VALIDATION_ERROR',
        'status',
      ])
  })

  it('filters by method, path, status, account and fault, together and alone', async () => {
    const [partner, other] = [await shop.partner(), await shop.partner()]
    await put({ match: { path: '/v1/balance' }, times: 1, status: 503 })
    await partner.call('GET', '/balance')
    await partner.call('GET', '/balance')
    await partner.call('POST', '/webhooks/test')
    await other.call('GET', '/balance')
    const found = async (query: string) =>
      (await ask('GET', `/requests?account=${partner.id}&${query}`)).body.results.map(
        ({ method, path, status }: Record<string, unknown>) => [method, path, status].join(' '),
      )
    const [test, second, first] = [
      'POST /v1/webhooks/test 400',
      'GET /v1/balance 200',
      'GET /v1/balance 503',
    ]
    expect(await found('')).toEqual([test, second, first])
    expect(await found('method=POST')).toEqual([test])
    expect(await found('path=/v1/balance')).toEqual([second, first])
    expect(await found('status=503')).toEqual([first])
    expect(await found('fault=any%20method%20/v1/balance')).toEqual([first])
    expect(await found('fault=*')).toEqual([first])
    expect(await found('method=GET&path=/v1/bal*&status=200')).toEqual([second])
  })

  it('includes a request whose connection a fault cut, as status 0', async () => {
    const partner = await shop.partner()
    await put({ match: { path: '/v1/balance' }, dropConnection: true })
    await expect(partner.call('GET', '/balance')).rejects.toThrow('fetch failed')
    await expect
      .poll(async () => (await ask('GET', `/requests?status=0&path=/v1/balance`)).body.results, {
        timeout: 15_000,
      })
      .toMatchObject([
        {
          method: 'GET',
          status: 0,
          account: partner.id,
          fault: 'any method /v1/balance',
          response: null,
        },
      ])
  })

  it('masks all secrets: keys of offers and orders, API keys, tokens, webhook secrets and claims', async () => {
    const [seller, partner] = [await shop.seller(), await shop.partner()]
    const productId = await shop.product()
    const value = (name: string): string => `PLANTED-${name}-${shop.next()}`
    const planted = [
      'sold',
      'withdrawn',
      'typed',
      'duplicate',
      'misspelt',
      'misplaced',
      'words',
      'answer',
      'why',
    ].map(value)
    const [
      soldKey = '',
      withdrawn = '',
      typed = '',
      duplicate = '',
      misspelt = '',
      misplaced = '',
      words = '',
      answer = '',
      why = '',
    ] = planted
    const offer = await shop.offer(seller, productId, 1, [soldKey, withdrawn])
    await seller.call('POST', `/offers/${offer}/keys`, { keyz: [misspelt], keys: { a: misspelt } })
    await seller.call('POST', `/offers/${offer}/keys`, `{"keys":["${misspelt}"`)
    const { id: orderId, keys } = await shop.buy(partner, productId)
    await seller.call(
      'POST',
      `/offers/${offer}/withdraw`,
      {},
      { 'idempotency-key': value('idempotency') },
    )
    const png = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      Buffer.from(value('picture')),
    ]).toString('base64')
    const dispute = await shop.claim(orderId, keys[0]?.id, { message: words, screenshot: png })
    await seller.call('POST', `/disputes/${dispute}/messages`, { body: answer })
    await seller.call('POST', `/disputes/${dispute}/messages`, { message: misspelt })
    await seller.call('POST', `/disputes/${dispute}/replace?key=${misplaced}`)
    await seller.call('POST', `/offers/${offer}/keys?a=1&keys[]=${misplaced}`, {})
    await seller.call('POST', `/disputes/${dispute}/replace`, { key: [duplicate] })
    await seller.call('POST', `/disputes/${dispute}/replace`, { key: typed })
    await ask('POST', `/disputes/${dispute}/reject`, { reason: why })
    await seller.call('GET', `/disputes/${dispute}`)
    const { key: revealed } = (await ask('POST', `/partners/${partner.id}/keys`, { mode: 'live' }))
      .body
    await ask('PUT', `/partners/${partner.id}/webhook`, { url: 'http://127.0.0.1:9/' })
    const { secret } = (
      await ask('PUT', `/partners/${partner.id}/webhook`, { url: 'http://127.0.0.1:9/' })
    ).body
    await send(
      service.origin,
      partner.key,
      'GET',
      `/v1/products?search=${partner.key}&key=${seller.key}`,
    )
    await send(service.origin, partner.key, 'GET', `/v1/products/${partner.key}`)
    await partner.call('POST', '/orders', { externalId: revealed, items: [] })
    const log = (
      await Promise.all([1, 2, 3].map((page) => ask('GET', `/requests?limit=100&page=${page}`)))
    )
      .map(({ text }) => text)
      .join('')
    expect(log).toContain(`/v1/seller/disputes/${dispute}/replace`)
    for (const hidden of [
      ...planted,
      png,
      revealed,
      secret,
      seller.key,
      partner.key,
      service.ready.dashboardToken,
    ])
      expect(log.includes(hidden), hidden).toBe(false)
  })
})
