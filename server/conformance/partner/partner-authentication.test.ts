import { networkInterfaces } from 'node:os'
import { afterAll, describe, expect, it } from 'vitest'
import { scopes } from '../../api/schemas/enums.ts'
import { startHarness } from '../testing/harness.ts'

const world = await startHarness()
const partner = await world.partner()
afterAll(() => world.close())

const ping = (key: string) => world.as(key, '/v1/ping')

describe('a key', () => {
  it('is read from Authorization or X-Api-Key, and its prefix decides its mode', async () => {
    const { key: testKey } = await world.keyOf(partner.id, 'test')
    for (const [key, mode, prefix] of [
      [partner.key, 'live', 'svc_live_'],
      [testKey, 'test', 'svc_test_'],
    ] as const) {
      expect(key.startsWith(prefix)).toBe(true)
      const expected = {
        status: 200,
        json: { ok: true, partnerId: partner.id, mode, scopes: [...scopes], ip: '127.0.0.1' },
      }
      expect(await ping(key)).toMatchObject(expected)
      expect(await world.ask('/v1/ping', { headers: { 'x-api-key': key } })).toMatchObject(expected)
    }
  })

  it.each([
    [
      'two different Authorization headers',
      (key: string) => ({ authorization: [`Bearer ${key}`, 'Bearer svc_live_other'] }),
    ],
    [
      'two different X-Api-Key headers',
      (key: string) => ({ 'x-api-key': [key, 'svc_live_other'] }),
    ],
    [
      'two different keys, one in each header',
      (key: string) => ({ authorization: `Bearer ${key}`, 'x-api-key': `${key}x` }),
    ],
    ['no header', () => ({})],
    ['an empty X-Api-Key', () => ({ 'x-api-key': '' })],
    ['the key without Bearer', (key: string) => ({ authorization: key })],
    [
      'the key in another letter case',
      (key: string) => ({ authorization: `Bearer ${key.toUpperCase()}` }),
    ],
    ['a key followed by more text', (key: string) => ({ authorization: `Bearer ${key} x` })],
    ['the key in the query', () => ({})],
  ])('is UNAUTHORIZED with %s', async (what, headers) => {
    const target = what.endsWith('query') ? `/v1/ping?api_key=${partner.key}` : '/v1/ping'
    const answer = await world.ask(target, { headers: headers(partner.key) })
    expect(answer).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  it('works until it is revoked, and works alongside a new one', async () => {
    const old = await world.keyOf(partner.id)
    const { key } = await world.keyOf(partner.id)
    expect([(await ping(old.key)).status, (await ping(key)).status]).toEqual([200, 200])
    world.clock.move(40 * 365 * 86_400_000)
    expect((await ping(old.key)).status).toBe(200)
    await world.dashboard.revokePartnerKey({ params: { id: partner.id, keyId: old.id } })
    expect(await ping(old.key)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect((await ping(key)).status).toBe(200)
  })

  it('with an expiry ends at that millisecond', async () => {
    const now = world.now()
    const { key } = await world.keyOf(partner.id, 'test', {
      expiresAt: new Date(now + 5000).toISOString(),
    })
    world.clock.move(4999)
    expect((await ping(key)).status).toBe(200)
    world.clock.move(1)
    expect(await ping(key)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
  })

  it('of a seller opens nothing on the Partner API, nor a partner key on the Seller API', async () => {
    const seller = await world.seller()
    expect(await ping(seller.key)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect(await world.as(partner.key, '/v1/seller/me')).toMatchObject({
      status: 401,
      code: 'UNAUTHORIZED',
    })
    expect((await world.as(seller.key, '/v1/seller/me')).status).toBe(200)
  })
})

describe('an account', () => {
  it.each(['pending', 'suspended', 'rejected'] as const)(
    'with status %s gets ACCOUNT_NOT_ACTIVE on every path',
    async (status) => {
      const other = await world.partner()
      await world.dashboard.changePartner({ params: { id: other.id }, body: { status } })
      for (const target of ['/v1/ping', '/v1/orders/none', '/v1/nothing'])
        expect(await world.as(other.key, target)).toMatchObject({
          status: 403,
          code: 'ACCOUNT_NOT_ACTIVE',
        })
      await world.dashboard.changePartner({ params: { id: other.id }, body: { status: 'active' } })
      expect((await ping(other.key)).status).toBe(200)
    },
  )

  it.each([
    [['127.0.0.1'], true],
    [['127.0.0.0/8'], true],
    [['10.0.0.0/8', '127.0.0.1/32'], true],
    [['0.0.0.0/0'], true],
    [['::ffff:127.0.0.1'], true],
    [['::ffff:127.0.0.0/104'], true],
    [[], true],
    [['127.0.0.2'], false],
    [['127.0.0.2/31'], false],
    [['126.0.0.0/8'], false],
    [['::1'], false],
    [['2001:db8::/32'], false],
    [['::/0'], false],
    [['::ffff:10.0.0.0/104'], false],
  ] as const)('with the allowlist %j admits 127.0.0.1: %s', async (ipAllowlist, admitted) => {
    const other = await world.partner({ ipAllowlist: [...ipAllowlist] })
    const answer = await world.as(other.key, '/v1/ping', {
      headers: { 'x-forwarded-for': '127.0.0.2', forwarded: 'for=10.0.0.1', 'x-real-ip': '::1' },
    })
    expect([answer.status, answer.code]).toEqual(
      admitted ? [200, undefined] : [403, 'IP_NOT_ALLOWED'],
    )
  })
})

const hasIPv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === '::1'),
)

it.runIf(hasIPv6)('reports and checks an IPv4-mapped IPv6 address as IPv4', async () => {
  const dual = await startHarness({ host: '::' })
  try {
    const ipAllowlist = ['127.0.0.0/8']
    expect(
      (await dual.as((await dual.partner({ ipAllowlist })).key, '/v1/ping')).json,
    ).toMatchObject({ ip: '127.0.0.1' })
    expect(
      await dual.as((await dual.partner({ ipAllowlist: ['::1', '::/0'] })).key, '/v1/ping'),
    ).toMatchObject({ code: 'IP_NOT_ALLOWED' })
  } finally {
    await dual.close()
  }
})

describe('scopes', () => {
  const table = [
    ['GET', '/ping', 'catalog:read'],
    ['GET', '/products', 'catalog:read'],
    ['GET', '/products/none', 'catalog:read'],
    ['GET', '/meta', 'catalog:read'],
    ['GET', '/balance', 'balance:read'],
    ['POST', '/orders', 'orders:write'],
    ['GET', '/orders', 'orders:read'],
    ['GET', '/orders/none', 'orders:read'],
    ['GET', '/orders/none/keys', 'orders:read'],
    ['POST', '/webhooks/test', 'orders:read'],
  ] as const

  it.each(table)('%s %s requires %s and no other scope', async (method, path, scope) => {
    const only = await world.keyOf(partner.id, 'live', { scopes: [scope] })
    const others = await world.keyOf(partner.id, 'live', {
      scopes: scopes.filter((each) => each !== scope),
    })
    expect((await world.as(only.key, `/v1${path}`, { method })).code).not.toBe('INSUFFICIENT_SCOPE')
    expect(await world.as(others.key, `/v1${path}`, { method })).toMatchObject({
      status: 403,
      code: 'INSUFFICIENT_SCOPE',
    })
  })
})

it.each(['/v1/ping', '/v1/products?limit=2', '/healthz', '/v1/openapi.json'])(
  'HEAD %s answers like GET without a body',
  async (target) => {
    const [get, head] = [
      await world.as(partner.key, target),
      await world.as(partner.key, target, { method: 'HEAD' }),
    ]
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of ['content-type', 'content-length'])
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]])
    expect((await world.ask('/v1/ping', { method: 'HEAD' })).status).toBe(401)
  },
)

describe('paths', () => {
  it.each([
    ['HEAD', '/v1/nothing'],
    ['OPTIONS', '/v1/ping'],
    ['POST', '/v1/ping'],
    ['PUT', '/v1/orders'],
    ['PATCH', '/v1/orders/x'],
    ['DELETE', '/v1/orders/x'],
    ['GET', '/v1/webhooks/test'],
    ['TRACE', '/v1/ping'],
    ['GET', '/v1/ping/'],
    ['GET', '/v1/orders/'],
    ['GET', '/v1//ping'],
    ['GET', '/v1/PING'],
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v1/orders/x/keys/y'],
    ['GET', '/v2/ping'],
    ['GET', '/ping'],
    ['GET', '/v1/products/%E0%A4%A'],
    ['GET', '/v1/nothing?page=0'],
  ])('%s %s is NOT_FOUND with the Error body', async (method, target) => {
    const answer = await world.as(partner.key, target, { method })
    expect(answer.status).toBe(404)
    if (method !== 'HEAD')
      expect(answer).toMatchObject({
        code: 'NOT_FOUND',
        json: { error: { requestId: answer.headers['x-request-id'] } },
      })
    if (target.startsWith('/v1')) expect((await world.ask(target, { method })).status).toBe(401)
  })
})
