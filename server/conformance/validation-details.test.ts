import { afterAll, describe, expect, it } from 'vitest'
import { rawShop, refused, startRaw, type Line } from './testing/raw-service.ts'

const service = await startRaw()
const shop = rawShop(service)
afterAll(() => service.stop())

const seller = await shop.seller()
const partner = await shop.partner()
const productId = await shop.product()
const offer = await shop.offer(seller, productId, 10, ['A-1', 'A-2', 'A-3'])
const { id: order, keys } = await shop.buy(partner, productId)
const dispute = await shop.claim(order, keys[0]?.id)
const testOrder = await (async () => {
  const { call } = await shop.partner({}, { mode: 'test' })
  const items = [{ productId, qty: 1, maxUnitPrice: 100 }]
  return (await call('POST', '/orders', { externalId: 'test-order', items })).body.id as string
})()
const cursorOf = async (query: string): Promise<string> =>
  encodeURIComponent((await partner.call('GET', `/products${query}`)).body.nextCursor)
const cursor = await cursorOf('?platform=Steam')
const { dashboard } = service
const shortKey = { 'idempotency-key': 'short' }
const text = { 'content-type': 'text/plain' }

type Case = [
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> | undefined,
  fields: string[],
]

function rejectsWithAll(call: Line, cases: readonly Case[]): void {
  it.each(cases)(
    'lists each mistake: %s %s with %j and %j',
    async (method, path, body, headers, fields) => {
      const answer = await call(method, path, body, headers)
      expect(refused(answer)).toEqual([400, 'VALIDATION_ERROR', ...fields])
    },
  )
}

describe('a request with several mistakes', () => {
  describe('on orders', () => {
    rejectsWithAll(partner.call, [
      ['POST', '/orders?wait=26', '{', shortKey, ['body', 'wait', 'Idempotency-Key']],
      ['POST', '/orders?wait=26', {}, text, ['Content-Type', 'wait']],
      ['POST', '/orders?wait=26', undefined, shortKey, ['wait', 'body', 'Idempotency-Key']],
      [
        'POST',
        '/orders?wait=26',
        { items: [{ productId, qty: 10, maxUnitPrice: 1 }] },
        shortKey,
        ['wait', 'externalId', 'items[0].qty', 'Idempotency-Key'],
      ],
      [
        'GET',
        '/orders?page=0&status=lost&createdFrom=today',
        undefined,
        undefined,
        ['page', 'status', 'createdFrom'],
      ],
    ])
  })

  describe('on products', () => {
    rejectsWithAll(partner.call, [
      ['GET', '/products?limit=0&cursor=x', undefined, undefined, ['limit', 'cursor']],
      ['GET', '/products?page=1&cursor=x', undefined, undefined, ['page', 'cursor']],
      [
        'GET',
        `/products?limit=0&platform=Origin&cursor=${cursor}`,
        undefined,
        undefined,
        ['limit', 'cursor'],
      ],
      [
        'GET',
        `/products?limit=0&page=1&platform=Steam&cursor=${cursor}`,
        undefined,
        undefined,
        ['limit', 'page'],
      ],
      // The mistake in a filter can be why the cursor doesn't fit the filters.
      [
        'GET',
        `/products?platform=Steam&productType=toy&cursor=${cursor}`,
        undefined,
        undefined,
        ['productType'],
      ],
    ])
  })

  describe('on offers', () => {
    rejectsWithAll(seller.call, [
      ['GET', '/offers?page=0&status=lost', undefined, undefined, ['page', 'status']],
      [
        'POST',
        '/offers',
        { price: 0, status: 'lost', Price: 1 },
        undefined,
        ['productId', 'price', 'status', 'Price'],
      ],
      [
        'POST',
        `/offers/${offer}/keys`,
        { keys: ['', 'B-1', 5, 'B\u00002'] },
        shortKey,
        ['keys[2]', 'Idempotency-Key', 'keys[0]', 'keys[3]'],
      ],
      [
        'POST',
        `/offers/${offer}/keys`,
        { keys: ['B-1', ''], extra: 1 },
        undefined,
        ['extra', 'keys[1]'],
      ],
      ['POST', `/offers/${offer}/keys`, '{"keys":', shortKey, ['body', 'Idempotency-Key']],
      [
        'POST',
        `/offers/${offer}/withdraw?count=1`,
        '{"count":',
        shortKey,
        ['body', 'count', 'Idempotency-Key'],
      ],
      [
        'POST',
        `/offers/${offer}/withdraw?all=1`,
        { count: 0 },
        shortKey,
        ['all', 'count', 'Idempotency-Key'],
      ],
    ])
  })

  describe('on disputes and their messages', () => {
    rejectsWithAll(seller.call, [
      ['GET', '/disputes?limit=0&status=lost', undefined, undefined, ['limit', 'status']],
      [
        'POST',
        `/disputes/${dispute}/messages`,
        { body: ' ', text: 'Hello' },
        shortKey,
        ['body', 'text', 'Idempotency-Key'],
      ],
      ['POST', `/disputes/${dispute}/messages`, 'Hello', shortKey, ['body', 'Idempotency-Key']],
      [
        'POST',
        `/disputes/${dispute}/replace?count=1`,
        { key: '' },
        shortKey,
        ['count', 'Idempotency-Key', 'key'],
      ],
      ['POST', `/disputes/${dispute}/replace`, '{', shortKey, ['body', 'Idempotency-Key']],
      ['POST', `/disputes/${dispute}/refund`, '{', shortKey, ['body', 'Idempotency-Key']],
    ])
  })

  describe('on the dashboard', () => {
    rejectsWithAll(dashboard, [
      ['POST', '/partners?x=1', '{', undefined, ['body', 'x']],
      ['POST', '/partners?x=1', { status: 'lost' }, undefined, ['x', 'name', 'status']],
      [
        'PUT',
        `/partners/${partner.id}/webhook?x=1`,
        { url: 'http://example.com/' },
        undefined,
        ['x', 'url'],
      ],
      [
        'PUT',
        '/faults',
        [{ match: { path: '/lost' } }, { match: {}, times: 0 }, { match: { path: '/v1/lost' } }],
        undefined,
        ['[1].times', '[0].match.path', '[2].match.path'],
      ],
      [
        'POST',
        '/claims',
        { orderId: order, keyId: 'key_1', message: '', screenshot: 'aGVsbG8=' },
        undefined,
        ['message', 'screenshot'],
      ],
      [
        'POST',
        '/claims',
        { orderId: testOrder, keyId: 'key_1', message: 'No.', screenshot: 'aGVsbG8=' },
        undefined,
        ['screenshot', 'orderId'],
      ],
      ['GET', '/snapshots/.a/differences?to=.b', undefined, undefined, ['to', 'name']],
      ['GET', '/snapshots/.a/differences?x=1&to=.b', undefined, undefined, ['x', 'to', 'name']],
      ['POST', '/snapshots/.a/restore?x=1', undefined, undefined, ['x', 'name']],
      ['DELETE', '/snapshots/.a?x=1', undefined, undefined, ['x', 'name']],
      [
        'POST',
        '/certificate',
        { url: 'http://127.0.0.1:9', probe: 'http://shop.example', replay: 'twice' },
        undefined,
        ['probe', 'replay'],
      ],
      [
        'POST',
        '/certificate',
        { url: 'http://127.0.0.1:9', probe: 'http://127.0.0.1:9', replay: 'twice' },
        undefined,
        ['replay'],
      ],
      ['POST', '/clock/advance?x=1', { to: '2020-01-01T00:00:00Z' }, undefined, ['x', 'to']],
      ['POST', '/clock/advance?x=1', '{', undefined, ['body', 'x']],
      ['PUT', '/faults?x=1', '{', undefined, ['body', 'x']],
      ['PUT', '/faults?x=1', [{ match: 5 }], undefined, ['x', '[0]']],
      [
        'PUT',
        '/faults?x=1',
        [{ match: { method: 'TRACE' } }],
        undefined,
        ['x', '[0].match.method'],
      ],
      [
        'PUT',
        '/faults?x=1',
        [{ match: { path: '/v1/balance', method: 'DELETE' } }],
        undefined,
        ['x', '[0].match.path'],
      ],
      ['GET', '/snapshots/.a/differences?x=1', undefined, undefined, ['x', 'name']],
      ['PUT', `/partners/${partner.id}/webhook?x=1`, '{', undefined, ['body', 'x']],
    ])
  })
})
