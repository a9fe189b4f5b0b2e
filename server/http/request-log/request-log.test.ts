import { describe, expect, it } from 'vitest'
import { maskedRequest, maskedResponse, maskedUrl } from './masking.ts'
import { createRequestLog } from './request-log.ts'
import { bearer, handlers, keys, testApp } from '../testing/app.ts'

function start() {
  const requestLog = createRequestLog(() => Date.parse('2026-03-01T12:00:00Z'))
  const { app } = testApp({ requestLog, handlers: { ...handlers, ...requestLog.handlers } })
  const list = async (search = '') =>
    (await app.inject({ url: `/dashboard/requests${search}`, headers: bearer(keys.token) })).json()
  return { app, list }
}

describe('the request log', () => {
  it('records the caller, request and response of each request, newest first', async () => {
    const { app, list } = start()
    await app.inject({ url: '/v1/balance?x=1', headers: bearer(keys.partner) })
    await app.inject({
      method: 'POST',
      url: '/v1/orders',
      headers: bearer(keys.partner),
      payload: { externalId: 'bad id' },
    })
    await app.inject({ url: '/v1/balance' })
    await app.inject({ url: '/healthz' })
    const { total, results } = await list()
    expect(total).toBe(3)
    expect(results).toMatchObject([
      {
        path: '/v1/balance',
        status: 401,
        account: null,
        request: null,
        response: { error: { code: 'UNAUTHORIZED' } },
      },
      {
        method: 'POST',
        path: '/v1/orders',
        status: 400,
        account: 'ptn_1',
        request: { externalId: 'bad id' },
        response: { error: { code: 'VALIDATION_ERROR' } },
      },
      {
        at: '2026-03-01T12:00:00.000Z',
        method: 'GET',
        path: '/v1/balance',
        query: 'x=1',
        status: 200,
        account: 'ptn_1',
        request: null,
        response: { balance: 1284.6 },
        requestId: expect.stringMatching(/^req_/),
      },
    ])
  })

  it('filters by path, exact or with a trailing star, and by status, and excludes its own requests', async () => {
    const { app, list } = start()
    for (const url of ['/v1/ping', '/v1/products/a', '/v1/products/b', '/v1/nothing'])
      await app.inject({ url, headers: bearer(keys.partner) })
    expect((await list('?path=/v1/ping')).results).toHaveLength(1)
    expect((await list('?path=/v1/products')).results).toHaveLength(0)
    expect(await list('?path=/v1/products*&limit=1')).toMatchObject({
      total: 2,
      hasMore: true,
      results: [{ path: '/v1/products/b' }],
    })
    expect((await list('?status=404')).results).toMatchObject([{ path: '/v1/nothing' }])
    expect((await list()).total).toBe(4)
  })

  it('filters by method, account and client', async () => {
    const { app, list } = start()
    const ask = (method: 'GET' | 'POST', key: string, agent: string) =>
      app.inject({ method, url: '/v1/balance', headers: { ...bearer(key), 'user-agent': agent } })
    await ask('GET', keys.partner, 'Keydesk/0.2.0 (linux)')
    await ask('GET', keys.partner, 'curl/8')
    await ask('POST', 'none', '')
    expect((await list('?method=post')).results).toMatchObject([{ method: 'POST', client: null }])
    expect((await list('?account=ptn_1')).total).toBe(2)
    expect((await list('?withoutClient=Keydesk')).results).toMatchObject([
      { client: null },
      { client: 'curl' },
    ])
    expect((await list('?fault=*')).total).toBe(0)
  })

  it('records requests without a response as status 0: cut by a fault, or aborted by the client', async () => {
    const requestLog = createRequestLog(() => 0)
    const begun = Promise.withResolvers<void>()
    const { app } = testApp({
      requestLog,
      faults: {
        takeFor: (_method, path) =>
          path === '/v1/ping' ? { match: {}, dropConnection: true } : null,
      },
      handlers: {
        ...handlers,
        ...requestLog.handlers,
        createOrder: ({ signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () =>
              resolve({ status: 201, json: '{"id":"too late"}' }),
            )
            begun.resolve()
          }),
      },
    })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const list = async (search = '') =>
      (
        await app.inject({ url: `/dashboard/requests${search}`, headers: bearer(keys.token) })
      ).json()
    await expect(fetch(`${origin}/v1/ping`, { headers: bearer(keys.partner) })).rejects.toThrow(
      'fetch failed',
    )
    await expect.poll(async () => (await list('?status=0')).total).toBe(1)
    const leaving = new AbortController()
    const order = JSON.stringify({
      externalId: 'a-1',
      items: [{ productId: 'p', qty: 1, maxUnitPrice: 1 }],
    })
    const left = fetch(`${origin}/v1/orders`, {
      method: 'POST',
      headers: { ...bearer(keys.partner), 'content-type': 'application/json' },
      body: order,
      signal: leaving.signal,
    })
    await begun.promise
    leaving.abort()
    await expect(left).rejects.toThrow('aborted')
    await expect.poll(async () => (await list()).total).toBe(2)
    expect((await list()).results).toMatchObject([
      {
        method: 'POST',
        path: '/v1/orders',
        status: 0,
        account: 'ptn_1',
        request: { externalId: 'a-1' },
        response: null,
      },
      {
        method: 'GET',
        path: '/v1/ping',
        status: 0,
        account: 'ptn_1',
        request: null,
        response: null,
      },
    ])
    await app.close()
  })

  it('shows no key, wherever it appeared', async () => {
    const { app, list } = start()
    const secrets = ['svc_live_abcdefgh', 'svcs_abcdefgh', 'whsec_abcdefgh']
    await app.inject({
      method: 'POST',
      url: `/v1/orders?key=${secrets[0]}`,
      headers: bearer(keys.partner),
      payload: { externalId: secrets[1], [secrets[2] ?? '']: 'x', token: 'TOKEN-1' },
    })
    await app.inject({ url: '/v1/orders', headers: bearer(keys.partner) })
    const text = JSON.stringify(await list())
    for (const secret of [...secrets, 'TOKEN-1', keys.partner, keys.token])
      expect(text).not.toContain(secret)
    expect(text).toContain('svc_live_***')
  })

  it('shows a response stored as bytes as text, each time it was sent', async () => {
    const requestLog = createRequestLog(() => 0)
    const kept = {
      status: 200,
      json: JSON.stringify({ results: [{ name: 'Straße '.repeat(3000) }] }),
    }
    const { app } = testApp({
      requestLog,
      handlers: { ...handlers, ...requestLog.handlers, listProducts: () => kept },
    })
    for (let time = 0; time < 2; time += 1)
      expect((await app.inject({ url: '/v1/products', headers: bearer(keys.partner) })).body).toBe(
        kept.json,
      )
    const { results } = (
      await app.inject({ url: '/dashboard/requests', headers: bearer(keys.token) })
    ).json()
    const response: unknown = JSON.parse(kept.json)
    expect(results).toMatchObject([{ response }, { response }])
  })

  it('stores a thousand requests, and only the size of a large body', async () => {
    const { app, list } = start()
    await app.inject({
      method: 'POST',
      url: '/dashboard/partners',
      headers: bearer(keys.token),
      payload: { name: 'x'.repeat(70_000) },
    })
    expect((await list()).results).toMatchObject([
      { request: { omitted: expect.stringContaining('70011') } },
    ])
    for (let count = 0; count < 1001; count += 1) await app.inject({ url: '/v1/ping' })
    expect((await list('?limit=1')).total).toBe(1000)
    expect((await list('?path=/dashboard/partners')).total).toBe(0)
  })

  it('counts the unmasked bodies of refused requests in its limit', async () => {
    const { app, list } = start()
    for (let count = 0; count < 160; count += 1)
      await app.inject({
        method: 'POST',
        url: '/dashboard/partners',
        headers: bearer(keys.token),
        payload: { key: 'x'.repeat(60_000) },
      })
    const { total } = await list('?limit=1')
    expect(total).toBeGreaterThan(100)
    expect(total).toBeLessThan(150)
  })
})

describe('masking', () => {
  it.each<[string, unknown, unknown]>([
    ['/v1/seller/offers/off_1/keys', { keys: ['AAA', 12345] }, { keys: ['***', '***'] }],
    [
      '/v1/seller/offers/off_1/keys',
      { Keyz: ['AAA'], nested: { deep: 'AAA' } },
      { Keyz: ['***'], nested: { deep: '***' } },
    ],
    ['/v1/seller/disputes/dsp_1/replace', { key: 'AAA' }, { key: '***' }],
    [
      '/dashboard/claims',
      { orderId: 'ord_1', message: 'AAA is used', screenshot: 'iVBO' },
      { orderId: '***', message: '***', screenshot: '***' },
    ],
    ['/v1/seller/disputes/dsp_1/messages', { body: 'take AAA' }, { body: '***' }],
    ['/v1/seller/disputes/dsp_1/messages', { text: 'take AAA' }, { text: '***' }],
    [
      '/v1/orders',
      { externalId: 'a-1', items: [{ qty: 2 }] },
      { externalId: 'a-1', items: [{ qty: 2 }] },
    ],
  ])('masks a request to %s: %o', (path, body, expected) =>
    expect(maskedRequest(path, body)).toEqual(expected),
  )

  it.each<[string, unknown, unknown]>([
    [
      '/v1/orders/ord_1/keys',
      { orderId: 'ord_1', keys: [{ id: 'key_1', value: 'AAA' }] },
      { orderId: 'ord_1', keys: [{ id: 'key_1', value: '***' }] },
    ],
    ['/v1/seller/offers/off_1/withdraw', { count: 1, keys: ['AAA'] }, { count: 1, keys: ['***'] }],
    [
      '/dashboard/partners/ptn_1/keys',
      { id: 'apk_1', key: 'svc_live_x', mode: 'live' },
      { id: 'apk_1', key: '***', mode: 'live' },
    ],
    [
      '/dashboard/partners/ptn_1/webhook',
      { url: 'https://a.example/', secret: 'whsec_x' },
      { url: 'https://a.example/', secret: '***' },
    ],
    [
      '/dashboard/reset',
      { demo: { partnerTestKey: 'a', partnerLiveKey: 'b', sellerKey: 'c' } },
      { demo: { partnerTestKey: '***', partnerLiveKey: '***', sellerKey: '***' } },
    ],
    [
      '/v1/meta',
      { platforms: [{ value: 'Steam', count: 1 }] },
      { platforms: [{ value: 'Steam', count: 1 }] },
    ],
  ])('masks a response of %s: %o', (path, body, expected) =>
    expect(maskedResponse(path, body)).toEqual(expected),
  )

  it.each([
    [
      '/v1/seller/disputes/dsp_1/replace?key=AA=A&b=',
      '/v1/seller/disputes/dsp_1/replace?key=***&b=',
    ],
    ['/v1/seller/offers/off_1/keys?a&keys[]=A%20A', '/v1/seller/offers/off_1/keys?a&keys[]=***'],
    ['/v1/orders/ord_1/keys?page=2&x=svcs_abc', '/v1/orders/ord_1/keys?page=2&x=svcs_***'],
  ])('masks the parameters of %s if its body could hold a key', (url, expected) =>
    expect(maskedUrl(url)).toBe(expected),
  )

  it('stops at a body nested too deeply', () => {
    let deep: unknown = 'AAA'
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep]
    expect(JSON.stringify(maskedRequest('/v1/orders', deep))).not.toContain('AAA')
  })
})
