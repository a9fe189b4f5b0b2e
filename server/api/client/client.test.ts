import { describe, expect, it } from 'vitest'
import { ResponseError, NetworkError, ServiceError } from './client-errors.ts'
import {
  createCaller,
  createClient,
  type Transport,
  type TransportResponse,
  type TransportRequest,
} from './client.ts'
import { cents } from '../money.ts'

const wireOrder = {
  id: 'ord_1',
  externalId: 'x',
  mode: 'live',
  status: 'processing',
  currency: 'EUR',
  total: 3,
  refunded: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  completedAt: null,
  failure: null,
  items: [],
}
const answering =
  (
    answer: Partial<TransportResponse>,
    sent: TransportRequest<AbortSignal>[] = [],
  ): Transport<AbortSignal> =>
  async (request) => {
    sent.push(request)
    return { status: 200, headers: {}, text: '', ...answer }
  }
const clientOf = (send: Transport<AbortSignal>) =>
  createClient<AbortSignal>({ baseUrl: 'https://api.example.com/v1/', key: 'svc_live_k', send })

describe('requests', () => {
  it('sends an order with its Idempotency-Key and its money in euros', async () => {
    const sent: TransportRequest<AbortSignal>[] = []
    const client = clientOf(
      answering(
        { status: 201, text: JSON.stringify(wireOrder), headers: { 'x-request-id': 'req_1' } },
        sent,
      ),
    )
    const { body, requestId, status } = await client.createOrder(
      {
        query: { wait: 25 },
        body: { externalId: 'x', items: [{ productId: 'p 1', qty: 2, maxUnitPrice: cents(150) }] },
      },
      { idempotencyKey: 'attempt-1' },
    )
    expect({ total: body.total, requestId, status }).toEqual({
      total: 300,
      requestId: 'req_1',
      status: 201,
    })
    expect(sent[0]).toMatchObject({
      method: 'POST',
      url: 'https://api.example.com/v1/orders?wait=25',
      headers: {
        authorization: 'Bearer svc_live_k',
        'content-type': 'application/json',
        'idempotency-key': 'attempt-1',
      },
      body: '{"externalId":"x","items":[{"productId":"p 1","qty":2,"maxUnitPrice":1.5}]}',
    })
  })

  it('finds seller and dashboard URLs next to the base address and escapes path values', async () => {
    const sent: TransportRequest<AbortSignal>[] = []
    const client = clientOf(answering({ text: '{"keys":[],"results":[]}' }, sent))
    await client.listSellerProducts({ query: { search: 'a&b=c', page: 2 } })
    await client.withdrawKeys({ params: { id: 'off/../1' } })
    await client.getClock({}).catch(() => undefined)
    expect(sent.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', 'https://api.example.com/v1/seller/products?page=2&search=a%26b%3Dc', null],
      ['POST', 'https://api.example.com/v1/seller/offers/off%2F..%2F1/withdraw', null],
      ['GET', 'https://api.example.com/dashboard/clock', null],
    ])
  })

  it.each(['', '.', '..'])('rejects the id %j, which would change the path', async (id) => {
    const sent: TransportRequest<AbortSignal>[] = []
    await expect(
      clientOf(answering({ status: 204 }, sent)).deleteOffer({ params: { id } }),
    ).rejects.toThrow('an id must not be')
    expect(sent).toEqual([])
  })

  it('sends lists and booleans of a query as text', async () => {
    const sent: TransportRequest<AbortSignal>[] = []
    await clientOf(answering({}, sent))
      .listProducts({ query: { ids: ['a', 'b'], includeRemoved: true, limit: undefined } })
      .catch(() => undefined)
    expect(sent[0]?.url).toBe('https://api.example.com/v1/products?ids=a%2Cb&includeRemoved=true')
  })

  it("sends no Idempotency-Key to endpoints that don't accept one", async () => {
    const sent: TransportRequest<AbortSignal>[] = []
    await clientOf(answering({ status: 204 }, sent)).deleteOffer(
      { params: { id: 'off_1' } },
      { idempotencyKey: 'attempt-1' },
    )
    expect(sent[0]?.headers).not.toHaveProperty('idempotency-key')
  })
})

describe('responses', () => {
  const failing = (answer: Partial<TransportResponse>) =>
    clientOf(answering(answer))
      .getBalance({})
      .then(
        () => null,
        (error: unknown) => error,
      )

  it('reports a refusal with code, status, request id and wait time', async () => {
    const error = {
      code: 'RATE_LIMITED',
      message: 'slow down',
      details: { retryAfterMs: 180 },
      requestId: 'req_9',
    }
    const refused = await failing({
      status: 429,
      text: JSON.stringify({ error }),
      headers: { 'retry-after': '1' },
    })
    expect(refused).toBeInstanceOf(ServiceError)
    expect(refused).toMatchObject({
      code: 'RATE_LIMITED',
      status: 429,
      requestId: 'req_9',
      retryAfterMs: 180,
      retryable: true,
    })
  })

  it('accepts an unknown code, and Retry-After without details', async () => {
    const error = {
      code: 'ON_VACATION',
      message: 'back soon',
      requestId: 'req_9',
      help: 'https://example.com',
    }
    expect(
      await failing({
        status: 403,
        text: JSON.stringify({ error }),
        headers: { 'retry-after': '7' },
      }),
    ).toMatchObject({ code: 'ON_VACATION', retryAfterMs: 7000, retryable: false })
  })

  it('distinguishes a response from another server from a refusal', async () => {
    expect(await failing({ status: 502, text: '<html>bad gateway' })).toMatchObject({
      name: 'ResponseError',
      status: 502,
      retryable: true,
    })
    expect(await failing({ status: 200, text: '{"balance":1' })).toBeInstanceOf(ResponseError)
    expect(await failing({ status: 302 })).toBeInstanceOf(ResponseError)
    const lacking = await failing({ status: 200, text: '{"balance":"1.00","currency":"EUR"}' })
    expect(lacking).toMatchObject({
      name: 'ResponseError',
      message: 'the response is missing fields the service promises: balance, mode',
    })
  })

  it.each(['{}', '{"ok":true}', '{"results":"none","id":[]}'])(
    'takes %s from another server for no list, no withdrawn keys and no message',
    async (text) => {
      const client = clientOf(answering({ text }))
      const params = { id: 'off_1' }
      await expect(client.withdrawKeys({ params })).rejects.toThrow('promises: keys')
      for (const list of [client.listOffers, client.listSales, client.listDisputes])
        await expect(list({ query: {} })).rejects.toThrow('promises: results')
      await expect(client.listSellerProducts({ query: {} })).rejects.toThrow('promises: results')
      if (text.includes('id')) return
      const message = { params: { id: 'dsp_1' }, body: { body: 'Hello' } }
      await expect(client.answerDispute(message)).rejects.toThrow('no field of the service')
      await expect(client.getSeller({})).rejects.toThrow('no field of the service')
    },
  )

  it('accepts a success status that the documents leave open', async () => {
    const offer = { id: 'off_1', price: 1, customerPrice: 1.1, status: 'active', stock: 0 }
    const client = clientOf(
      answering({ status: 202, text: JSON.stringify({ created: true, offer }) }),
    )
    expect(
      (await client.saveOffer({ body: { productId: 'p', price: cents(100) } })).body,
    ).toMatchObject({ created: true, offer: { price: 100 } })
    expect(
      (await clientOf(answering({ status: 204 })).deleteOffer({ params: { id: 'off_1' } })).body,
    ).toBeUndefined()
  })
})

describe('no response', () => {
  it('reports whether the request can have reached the service', async () => {
    const refused = new NetworkError('connection refused', false)
    const call = (send: Transport<AbortSignal>) =>
      createCaller<AbortSignal>({ baseUrl: 'https://x.example/v1', key: 'k', send })('ping', {})
    await expect(call(() => Promise.reject(refused))).rejects.toBe(refused)
    await expect(call(() => Promise.reject(new Error('reset')))).rejects.toMatchObject({
      name: 'NetworkError',
      sent: true,
    })
  })

  it("passes on the transport's error when a call is cancelled", async () => {
    const cancelled = AbortSignal.abort(new Error('enough'))
    const call = createCaller<AbortSignal>({
      baseUrl: 'https://x.example/v1',
      key: 'k',
      send: ({ signal }) => Promise.reject(signal?.reason),
    })
    await expect(call('ping', {}, { signal: cancelled })).rejects.toThrow('enough')
  })
})

describe('labels', () => {
  it('clips a name of 200,000 characters, and leaves other texts complete', async () => {
    const name = 'Cinderkeep '.repeat(20_000)
    const client = clientOf(
      answering({
        text: JSON.stringify({
          ...wireOrder,
          items: [
            {
              line: 1,
              productId: 'p',
              name,
              deliveryType: 'key',
              qty: 1,
              unitPrice: 1,
              status: 'pending',
              deliveredQty: 0,
            },
          ],
          note: name,
        }),
      }),
    )
    const { body } = await client.getOrder({ params: { id: 'ord_1' } })
    expect(body.items[0]?.name).toBe(`${name.slice(0, 299)}…`)
    expect(body).toMatchObject({ note: name })
  })
})
