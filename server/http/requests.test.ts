import { describe, expect, it, vi } from 'vitest'
import { errorBodySchema } from '../api/errors.ts'
import { bearer, handlers, keys, testApp } from './testing/app.ts'

const good = { externalId: 'x-1', items: [{ productId: 'p', qty: 1, maxUnitPrice: 1.5 }] }
const json = { 'content-type': 'application/json' }

const order = async (
  payload: string | Buffer,
  headers: Record<string, string | string[]> = json,
) => {
  const answer = await testApp().app.inject({
    method: 'POST',
    url: '/v1/orders',
    headers: { ...bearer(keys.partner), ...headers },
    payload,
  })
  return {
    status: answer.statusCode,
    body: answer.json(),
    fields: (answer.json().error?.details ?? []).map((problem: { field: string }) => problem.field),
  }
}

describe('bodies', () => {
  it('reach the handler parsed, with money in cents', async () => {
    expect(await order(JSON.stringify(good))).toMatchObject({
      status: 201,
      body: { body: { items: [{ maxUnitPrice: 150 }] }, idempotency: null },
    })
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      expect((await order(JSON.stringify(good), { 'content-type': type })).status).toBe(201)
    }
  })

  it.each([
    ['not JSON', 'externalId=x', json, ['body']],
    ['truncated JSON', '{"externalId":', json, ['body']],
    ['none', '', json, ['body']],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), json, ['body']],
    ['another type', JSON.stringify(good), { 'content-type': 'text/plain' }, ['Content-Type']],
    ['an invalid type', JSON.stringify(good), { 'content-type': 'json' }, ['Content-Type']],
    [
      'another charset',
      JSON.stringify(good),
      { 'content-type': 'application/json; charset=latin1' },
      ['Content-Type'],
    ],
    [
      'compressed',
      JSON.stringify(good),
      { 'content-type': 'application/x-gzip' },
      ['Content-Type'],
    ],
    ['an array', '[]', json, ['body']],
    ['an extra property', JSON.stringify({ ...good, note: 1 }), json, ['note']],
    [
      'a prototype',
      '{"__proto__":{"x":1},"externalId":"x","items":[]}',
      json,
      ['items', '__proto__'],
    ],
  ])('return VALIDATION_ERROR for %s', async (_, payload, headers, fields) => {
    const answer = await order(payload, headers)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } })
    expect(answer.fields.toSorted()).toEqual(fields.toSorted())
  })

  it('with thousands of bad fields report the first thousand', async () => {
    const answer = await order(
      `{${Array.from({ length: 5000 }, (_, index) => `"n${index}":0`).join(',')}}`,
    )
    expect(answer.status).toBe(400)
    expect(answer.fields).toHaveLength(1000)
    expect(answer.fields).toEqual(expect.arrayContaining(['externalId', 'items', 'n0', 'n900']))
  })

  it.each([
    ['brackets', '['],
    ['objects', '{"a":'],
  ])('of 16 MiB of %s are refused before parsing', async (_, open) => {
    const parse = vi.spyOn(JSON, 'parse')
    expect((await order(open.repeat((16 * 1024 * 1024) / open.length))).body.error.details).toEqual(
      [{ field: 'body', message: 'is nested too deeply' }],
    )
    expect(parse.mock.calls.filter(([text]) => text.length > 1024 * 1024)).toEqual([])
  })

  it('are accepted up to 16 MiB and refused with one byte more @long', async () => {
    const padded = (bytes: number) => JSON.stringify(good).padEnd(bytes, ' ')
    expect((await order(padded(16 * 1024 * 1024))).status).toBe(201)
    const larger = await order(padded(16 * 1024 * 1024 + 1))
    expect(larger).toMatchObject({ status: 400, fields: ['body'] })
  })

  it('can be omitted if all their fields are optional', async () => {
    const withdraw = (payload?: string) =>
      testApp().app.inject({
        method: 'POST',
        url: '/v1/seller/offers/off_1/withdraw',
        headers: { ...bearer(keys.seller), ...(payload === undefined ? {} : json) },
        ...(payload === undefined ? {} : { payload }),
      })
    expect((await withdraw()).json()).toMatchObject({ count: 0 })
    expect((await withdraw('{"count":3}')).json()).toMatchObject({ count: 3 })
    expect((await withdraw('{"count":0}')).statusCode).toBe(400)
    expect((await withdraw('null')).statusCode).toBe(400)
  })

  it('are refused when nested too deeply', async () => {
    const payload = `{"count":1,"deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    const answer = await testApp().app.inject({
      method: 'POST',
      url: '/v1/seller/offers/off_1/withdraw',
      headers: { ...bearer(keys.seller), ...json, 'idempotency-key': 'attempt-1' },
      payload,
    })
    expect(answer.statusCode).toBe(400)
  })
})

describe('text', () => {
  const name = (json: string) =>
    testApp().app.inject({
      method: 'POST',
      url: '/dashboard/partners',
      headers: { ...bearer(keys.token), 'content-type': 'application/json' },
      payload: `{"name":${json}}`,
    })

  it.each([
    String.raw`"a\ud800"`,
    String.raw`"\udc00b"`,
    String.raw`"x","notes":["\uDBFFx"]`,
    String.raw`"x","\ud800":1`,
  ])("with half of a surrogate pair, which UTF-8 can't encode, are refused: %s", async (json) => {
    const answer = await name(json)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.details).toEqual([
      { field: 'body', message: 'must be JSON in UTF-8' },
    ])
  })

  it('with complete surrogate pairs, escaped or not, are accepted', async () => {
    expect((await name(String.raw`"\ud83d\udca3 💣"`)).json().name).toBe('💣 💣')
  })
})

describe('Idempotency-Key', () => {
  const withKey = (key: string | string[]) =>
    order(JSON.stringify({ items: good.items, externalId: 'x-1' }), {
      ...json,
      'idempotency-key': key,
    })

  it("reaches the handler with the request's identity, the body in canonical form, without `wait`", async () => {
    const answer = await testApp().app.inject({
      method: 'POST',
      url: '/v1/orders?wait=0',
      headers: { ...bearer(keys.partner), ...json, 'idempotency-key': 'attempt-1' },
      payload: JSON.stringify(good),
    })
    expect(answer.json().idempotency).toEqual({
      key: 'attempt-1',
      method: 'POST',
      path: '/v1/orders',
      canonicalBody: '{"externalId":"x-1","items":[{"maxUnitPrice":1.5,"productId":"p","qty":1}]}',
    })
  })

  it.each(['short', 'x'.repeat(101), 'with-ümlaut', 'tab\tinside', ['attempt-1', 'attempt-2']])(
    'is refused as %j',
    async (key) => {
      expect(await withKey(key)).toMatchObject({ status: 400, fields: ['Idempotency-Key'] })
    },
  )

  it('is accepted with 8 and with 100 characters', async () => {
    expect((await withKey('12345678')).status).toBe(201)
    expect((await withKey(`a b~!${'x'.repeat(95)}`)).status).toBe(201)
  })
})

describe('queries', () => {
  const orders = async (query: string) =>
    (
      await testApp().app.inject({ url: `/v1/orders?${query}`, headers: bearer(keys.partner) })
    ).json()

  it('are typed, with unknown parameters ignored', async () => {
    expect(await orders('page=2&limit=100&colour=red&colour=blue')).toMatchObject({
      page: 2,
      limit: 100,
    })
  })

  it('with bad values report every one of them', async () => {
    const { error } = await orders(
      'page=0&limit=101&status=lost&createdFrom=yesterday&createdTo=2026-02-30T00:00:00Z&externalId=a&externalId=b',
    )
    expect(error.details.map(({ field }: { field: string }) => field).toSorted()).toEqual([
      'createdFrom',
      'createdTo',
      'externalId',
      'limit',
      'page',
      'status',
    ])
  })
})

describe('responses', () => {
  it('contain money in euros and the request id', async () => {
    const answer = await testApp().app.inject({ url: '/v1/balance', headers: bearer(keys.partner) })
    expect(answer.headers).toMatchObject({
      'x-request-id': 'req_1',
      'content-type': 'application/json; charset=utf-8',
      date: 'Mon, 23 Nov 2026 09:30:00 GMT',
    })
    expect(answer.body).toBe('{"balance":1284.6,"currency":"EUR","mode":"test"}')
  })

  it('are dated in the service’s time, also after it moved, and when the request is rejected', async () => {
    let now = Date.UTC(2026, 11, 7, 10, 0, 0, 999)
    const { app } = testApp({ now: () => now })
    const dateOf = async (url: string): Promise<unknown> => (await app.inject(url)).headers['date']
    expect(await dateOf('/healthz')).toBe('Mon, 07 Dec 2026 10:00:00 GMT')
    now += 1
    expect(await dateOf('/v1/balance')).toBe('Mon, 07 Dec 2026 10:00:01 GMT')
    now = Date.UTC(2026, 10, 1)
    expect(await dateOf('/v1/%zz')).toBe('Sun, 01 Nov 2026 00:00:00 GMT')
  })

  it('accept path parameters of any length', async () => {
    const id = 'ä/'.repeat(300)
    const answer = await testApp().app.inject({
      url: `/v1/products/${encodeURIComponent(id)}`,
      headers: bearer(keys.partner),
    })
    expect(answer.json()).toEqual({ id })
  })

  it('show only the request id of a defect, and log the details', async () => {
    const { app, errors } = testApp({
      handlers: {
        ...handlers,
        getBalance: () => {
          throw new Error('secret-of-the-house')
        },
      },
    })
    const answer = await app.inject({ url: '/v1/balance', headers: bearer(keys.partner) })
    expect(answer.statusCode).toBe(500)
    expect(errorBodySchema.parse(answer.json()).error).toMatchObject({
      code: 'INTERNAL_ERROR',
      requestId: 'req_1',
    })
    expect(answer.body).not.toContain('secret-of-the-house')
    expect(errors).toMatchObject([{ fields: { requestId: 'req_1' } }])
    expect(JSON.stringify(errors)).not.toContain(keys.partner)
  })
})

describe('pictures', () => {
  it('are immutable and validated by their digest', async () => {
    const { app } = testApp()
    const first = await app.inject({ url: '/media/covers/p%201.png' })
    expect(first.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const again = await app.inject({
      url: '/media/covers/p%201.png',
      headers: { 'if-none-match': String(first.headers.etag) },
    })
    expect(again.statusCode).toBe(304)
    expect((await app.inject({ url: '/media/covers/p2.png' })).json().error.code).toBe('NOT_FOUND')
  })
})
