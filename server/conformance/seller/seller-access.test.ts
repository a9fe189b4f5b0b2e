import { afterAll, describe, expect, it } from 'vitest'
import { rawShop, refused, send, startRaw } from '../testing/raw-service.ts'

const service = await startRaw({ limits: true })
const shop = rawShop(service)
afterAll(() => service.stop())

describe('a seller key', () => {
  it("starts with svcs_, is sent as Authorization: Bearer, and has full access to its seller's data", async () => {
    const { key, call } = await shop.seller()
    expect(key).toMatch(/^svcs_\S{20,}$/)
    const id = await shop.offer({ call }, await shop.product(), 1, ['a'])
    for (const [method, path, body] of [
      ['GET', '/me'],
      ['GET', '/products'],
      ['GET', '/offers'],
      ['GET', `/offers/${id}`],
      ['PATCH', `/offers/${id}`, { price: 2 }],
      ['POST', `/offers/${id}/keys`, { keys: ['b'] }],
      ['POST', `/offers/${id}/withdraw`, {}],
      ['GET', '/sales'],
      ['GET', '/balance'],
      ['GET', '/disputes'],
    ] as const)
      expect((await call(method, path, body)).status, path).toBe(200)
  })

  it('is UNAUTHORIZED if missing, unknown, revoked, expired or meant for another interface', async () => {
    const { id, key } = await shop.seller()
    const { key: partnerKey } = await shop.partner()
    const { id: keyId, key: revoked } = (await service.dashboard('POST', `/sellers/${id}/keys`))
      .body
    expect((await service.dashboard('DELETE', `/sellers/${id}/keys/${keyId}`)).status).toBe(204)
    const now = Date.parse((await service.dashboard('GET', '/clock')).body.now)
    const { key: expired } = (
      await service.dashboard('POST', `/sellers/${id}/keys`, {
        expiresAt: new Date(now + 60_000).toISOString(),
      })
    ).body
    expect((await service.sellerLine(expired)('GET', '/me')).status).toBe(200)
    await shop.advance(60_000)
    for (const bad of [
      null,
      `${key}x`,
      'svcs_',
      revoked,
      expired,
      partnerKey,
      service.ready.dashboardToken,
    ]) {
      const answer = await service.sellerLine(bad)('GET', '/me')
      expect(refused(answer), String(bad)).toEqual([401, 'UNAUTHORIZED'])
      expect(answer.body).toEqual({
        error: {
          code: 'UNAUTHORIZED',
          message: expect.any(String),
          requestId: answer.headers.get('x-request-id'),
        },
      })
    }
    expect(
      refused(
        await send(service.origin, null, 'GET', '/v1/seller/me', { headers: { 'x-api-key': key } }),
      ),
    ).toEqual([401, 'UNAUTHORIZED'])
    expect(refused(await service.partnerLine(key)('GET', '/ping'))).toEqual([401, 'UNAUTHORIZED'])
    expect(refused(await send(service.origin, key, 'GET', '/dashboard/clock'))).toEqual([
      401,
      'UNAUTHORIZED',
    ])
  })

  it('of an inactive seller is 403 ACCOUNT_NOT_ACTIVE, and none of its offers is for sale', async () => {
    const { id, call } = await shop.seller()
    const partner = await shop.partner()
    const productId = await shop.product()
    await shop.offer({ call }, productId, 1, ['a'])
    for (const status of ['pending', 'suspended', 'rejected']) {
      await service.dashboard('PATCH', `/sellers/${id}`, { status })
      expect(refused(await call('GET', '/me')), status).toEqual([403, 'ACCOUNT_NOT_ACTIVE'])
      expect(refused(await call('GET', '/nowhere')), status).toEqual([403, 'ACCOUNT_NOT_ACTIVE'])
      expect((await partner.call('GET', `/products/${productId}`)).body).toMatchObject({
        price: 1.1,
        inStock: false,
        qty: 0,
      })
    }
    await service.dashboard('PATCH', `/sellers/${id}`, { status: 'active' })
    expect((await call('GET', '/me')).status).toBe(200)
    expect((await partner.call('GET', `/products/${productId}`)).body).toMatchObject({
      inStock: true,
      qty: 1,
    })
  })
})

describe('the Seller API', () => {
  it('returns 404 NOT_FOUND for an unknown path, and for a wrong method on a known one', async () => {
    const { call } = await shop.seller()
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/'],
      ['GET', '/nothing'],
      ['PUT', '/offers'],
      ['DELETE', '/me'],
      ['POST', '/sales'],
      ['GET', '/offers/x/keys'],
      ['PATCH', '/disputes/x'],
    ] as const) {
      expect(refused(await call(method, path)), `${method} ${path}`).toEqual([404, 'NOT_FOUND'])
    }
  })

  it('allows 20 requests a second per key, and reports the wait to the millisecond', async () => {
    const { id, call } = await shop.seller()
    const { key: second } = (await service.dashboard('POST', `/sellers/${id}/keys`)).body
    const answers = await Promise.all(Array.from({ length: 60 }, () => call('GET', '/me')))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(20)
    const first = answers.find(({ status }) => status !== 200)
    expect(refused(first ?? { status: 0, body: {} })).toEqual([429, 'RATE_LIMITED'])
    const { retryAfterMs } = first?.body.error.details ?? {}
    expect(retryAfterMs).toBeGreaterThan(0)
    expect(retryAfterMs).toBeLessThanOrEqual(1000)
    expect(first?.headers.get('retry-after')).toBe('1')
    expect(first?.headers.get('ratelimit-policy')).toContain('q=20;w=1')
    expect(first?.headers.get('ratelimit-policy')).toContain('q=600;w=60')
    expect(first?.headers.get('ratelimit')).toMatch(/r=0;t=1/)
    expect((await service.sellerLine(second)('GET', '/me')).status).toBe(200)
    await shop.advance(1000)
    expect((await call('GET', '/me')).status).toBe(200)
  })

  it('accepts 600 requests a minute of one key @long', async () => {
    const { call } = await shop.seller()
    for (let burst = 0; burst < 30; burst += 1) {
      expect(
        (await Promise.all(Array.from({ length: 20 }, () => call('GET', '/balance')))).every(
          ({ status }) => status === 200,
        ),
      ).toBe(true)
      await shop.advance(1000)
    }
    const answer = await call('GET', '/balance')
    expect(refused(answer)).toEqual([429, 'RATE_LIMITED'])
    const { retryAfterMs } = answer.body.error.details
    expect(retryAfterMs).toBeGreaterThan(1000)
    expect(retryAfterMs).toBeLessThanOrEqual(30_000)
    await shop.advance(retryAfterMs)
    expect((await call('GET', '/balance')).status).toBe(200)
  })

  it('accepts 300 key uploads a minute of a seller across all its keys, and limits no other calls @long', async () => {
    const { id, call } = await shop.seller()
    const offer = await shop.offer({ call }, await shop.product(), 1)
    const other = service.sellerLine(
      (await service.dashboard('POST', `/sellers/${id}/keys`)).body.key,
    )
    for (let burst = 0; burst < 15; burst += 1) {
      await shop.advance(1000)
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          (i % 2 === 0 ? call : other)('POST', `/offers/${offer}/keys`, {
            keys: [`${burst}-${i}`],
          }),
        ),
      )
      expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    }
    for (const either of [call, other])
      expect(refused(await either('POST', `/offers/${offer}/keys`, { keys: ['more'] }))).toEqual([
        429,
        'RATE_LIMITED',
      ])
    expect((await call('GET', `/offers/${offer}`)).body.stock).toBe(300)
    await shop.advance(60_000)
    expect((await call('POST', `/offers/${offer}/keys`, { keys: ['more'] })).body.stock).toBe(301)
  })
})
