import { describe, expect, it } from 'vitest'
import { orderOfChecks } from '../../api/errors.ts'
import { createRateLimiter } from '../../domain/limits/rate-limiter.ts'
import { keyRates, RateLimitedError } from '../../domain/limits/rates.ts'
import { bearer, keys, testApp } from '../testing/app.ts'

type Ask = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS'
  url: string
  headers?: Record<string, string>
  payload?: string
}

const ask = async ({ method = 'GET', ...rest }: Ask, app = testApp().app) => {
  const answer = await app.inject({ method, ...rest })
  const body: { error?: { code: string } } = answer.body === '' ? {} : answer.json()
  return {
    status: answer.statusCode,
    code: body.error?.code ?? null,
    body,
    headers: answer.headers,
  }
}

describe('the order of checks (Decision 7)', () => {
  const requests = [
    ['UNAUTHORIZED', 401, { method: 'POST', url: '/v1/nothing' }],
    [
      'ACCOUNT_NOT_ACTIVE',
      403,
      { method: 'POST', url: '/v1/nothing', headers: bearer(keys.suspended) },
    ],
    [
      'IP_NOT_ALLOWED',
      403,
      { method: 'POST', url: '/v1/nothing', headers: bearer(keys.elsewhere) },
    ],
    [
      'NOT_FOUND',
      404,
      { method: 'POST', url: '/v1/nothing', headers: bearer(keys.readOnly), payload: 'not json' },
    ],
    [
      'INSUFFICIENT_SCOPE',
      403,
      {
        method: 'POST',
        url: '/v1/orders?wait=99',
        headers: bearer(keys.readOnly),
        payload: 'not json',
      },
    ],
    [
      'VALIDATION_ERROR',
      400,
      { method: 'POST', url: '/v1/orders?wait=99', headers: bearer(keys.partner), payload: '{}' },
    ],
  ] as const

  it.each(requests)('returns %s', async (code, status, request) => {
    expect(await ask(request)).toMatchObject({ code, status })
  })

  it('follows the order of the requests above, each of which has its own error and all later ones', () => {
    const names = requests.map(([code]) => (code === 'NOT_FOUND' ? 'UNKNOWN_ROUTE' : code))
    expect(orderOfChecks.filter((check) => names.some((name) => name === check))).toEqual(names)
  })

  it('checks key rate, unknown route, order rate, then the body, and counts no refused request', async () => {
    const log: string[] = []
    let refused: 'key' | 'orders' | null = null
    const usedUp = (rate: string) =>
      new RateLimitedError(1001, { name: rate, limit: 20, windowMs: 1000 }, keyRates)
    const { app } = testApp({
      rates: {
        assertKeyRate: () => {
          if (refused === 'key') throw usedUp('key-second')
        },
        assertClassRate: (_caller, rate) => {
          if (refused === rate) throw usedUp(rate)
        },
        count: (_caller, rate) => log.push(rate ?? 'key'),
      },
    })
    const order = {
      method: 'POST',
      url: '/v1/orders',
      headers: bearer(keys.partner),
      payload: 'not json',
    } as const
    expect((await ask(order, app)).code).toBe('VALIDATION_ERROR')
    expect((await ask({ url: '/v1/nothing', headers: bearer(keys.partner) }, app)).code).toBe(
      'NOT_FOUND',
    )
    expect((await ask({ ...order, headers: bearer(keys.readOnly) }, app)).code).toBe(
      'INSUFFICIENT_SCOPE',
    )
    refused = 'orders'
    const slow = await ask(order, app)
    expect(slow).toMatchObject({
      code: 'RATE_LIMITED',
      status: 429,
      body: { error: { details: { retryAfterMs: 1001 } } },
    })
    expect(slow.headers).toMatchObject({
      'retry-after': '2',
      ratelimit: '"orders";r=0;t=2',
      'ratelimit-policy': '"key-second";q=20;w=1, "key-minute";q=600;w=60',
    })
    expect((await ask({ ...order, headers: bearer(keys.readOnly) }, app)).code).toBe(
      'INSUFFICIENT_SCOPE',
    )
    refused = 'key'
    expect((await ask({ url: '/v1/nothing', headers: bearer(keys.partner) }, app)).code).toBe(
      'RATE_LIMITED',
    )
    expect((await ask({ ...order, headers: bearer(keys.readOnly) }, app)).code).toBe('RATE_LIMITED')
    expect(log).toEqual(['orders', 'key', 'key', 'key'])
  })
})

describe('rate limits with the real windows', () => {
  it('refuses the 21st request of a second, and accepts it after exactly the reported wait', async () => {
    const clock = { at: 5_000, now: () => clock.at }
    const { app } = testApp({ rates: createRateLimiter(clock) })
    const ping = () => ask({ url: '/v1/ping', headers: bearer(keys.partner) }, app)
    for (let i = 0; i < 20; i += 1) expect((await ping()).status).toBe(200)
    clock.at += 400
    const refused = await ping()
    expect(refused).toMatchObject({
      code: 'RATE_LIMITED',
      body: { error: { details: { retryAfterMs: 600 } } },
    })
    expect(refused.headers).toMatchObject({ 'retry-after': '1', ratelimit: '"key-second";r=0;t=1' })
    expect((await ask({ url: '/v1/ping', headers: bearer(keys.readOnly) }, app)).status).toBe(200)
    clock.at += 599
    expect((await ping()).status).toBe(429)
    clock.at += 1
    expect((await ping()).status).toBe(200)
  })
})

describe('credentials', () => {
  const ping = (headers: Record<string, string>) => ask({ url: '/v1/ping', headers })

  it('accepts the key in either header, or in both if they are equal', async () => {
    expect((await ping(bearer(keys.partner))).status).toBe(200)
    expect((await ping({ authorization: `bearer  ${keys.partner}` })).status).toBe(200)
    expect((await ping({ 'x-api-key': keys.partner })).status).toBe(200)
    expect((await ping({ ...bearer(keys.partner), 'X-Api-Key': keys.partner })).status).toBe(200)
  })

  it.each([
    ['two different keys', { ...bearer(keys.partner), 'x-api-key': keys.readOnly }],
    [
      'a good key and one of another scheme',
      { authorization: 'Basic eDp5', 'x-api-key': keys.partner },
    ],
    ['none', {}],
    ['an empty key', { authorization: 'Bearer ' }],
    ['an unknown key', bearer('svc_test_ffffffffffffffffffff')],
    ['a key without a known prefix', bearer('key_0000000000000000abcd')],
    ['a seller key', bearer(keys.seller)],
    ['the dashboard token', bearer(keys.token)],
  ])('rejects %s', async (_, headers) => {
    const answer = await ping(headers)
    expect(answer).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  it('keeps the two APIs and the dashboard separate', async () => {
    expect(
      (
        await ask({
          method: 'DELETE',
          url: '/v1/seller/offers/off_1',
          headers: bearer(keys.seller),
        })
      ).status,
    ).toBe(204)
    expect(
      (
        await ask({
          method: 'DELETE',
          url: '/v1/seller/offers/off_1',
          headers: bearer(keys.partner),
        })
      ).code,
    ).toBe('UNAUTHORIZED')
    expect(
      (
        await ask({
          method: 'DELETE',
          url: '/v1/seller/offers/off_1',
          headers: { 'x-api-key': keys.seller },
        })
      ).code,
    ).toBe('UNAUTHORIZED')
    expect((await ask({ url: '/dashboard/clock', headers: bearer(keys.token) })).status).toBe(200)
    expect((await ask({ url: '/dashboard/clock', headers: bearer(keys.partner) })).code).toBe(
      'UNAUTHORIZED',
    )
    expect((await ask({ url: '/dashboard/nothing' })).code).toBe('UNAUTHORIZED')
    expect((await ask({ url: '/dashboard/nothing', headers: bearer(keys.token) })).code).toBe(
      'NOT_FOUND',
    )
  })
})

describe('unknown routes', () => {
  it.each([
    ['a wrong method', { method: 'PUT', url: '/v1/orders' }],
    ['HEAD of an unknown path', { method: 'HEAD', url: '/v1/nothing' }],
    ['OPTIONS', { method: 'OPTIONS', url: '/v1/ping' }],
    ['a trailing slash', { url: '/v1/ping/' }],
    ['another case', { url: '/v1/Ping' }],
    ['the root', { url: '/v1' }],
    ['a path below one', { url: '/v1/ping/more' }],
    ['an operation of a later version', { method: 'POST', url: '/v1/webhooks/test' }],
    ['a path that cannot be decoded', { url: '/v1/products/%E0%A4%A' }],
  ] as const)(
    'returns NOT_FOUND with a key and UNAUTHORIZED without one for %s',
    async (_, request) => {
      const open = await ask({ ...request, headers: bearer(keys.partner) })
      const closed = await ask(request)
      expect([open.status, closed.status]).toEqual([404, 401])
    },
  )

  it('requires the key of the matching route, however its path is encoded', async () => {
    for (const url of ['/%761/balance', '/v1/%62alance', '/%76%31/seller/offers'])
      expect([401, 404]).toContain((await ask({ url })).status)
    expect((await ask({ url: '/v1/%62alance' })).code).toBe('UNAUTHORIZED')
  })

  it('needs no key outside the interfaces', async () => {
    expect(await ask({ url: '/healthz' })).toMatchObject({ status: 200, body: { ok: true } })
    expect(await ask({ url: '/nothing' })).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect((await ask({ url: '/v1x' })).code).toBe('NOT_FOUND')
  })
})
