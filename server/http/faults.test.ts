import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFaults, type Fault } from '../domain/faults/faults.ts'
import { bearer, keys, testApp } from './testing/app.ts'

const random = { bytes: (count: number) => new Uint8Array(count) }

function start(...planted: Fault[]) {
  const faults = createFaults(random)
  faults.set(planted)
  const { app, errors } = testApp({ faults })
  onTestFinished(() => app.close())
  const ask = async (url: string, key = keys.partner) => {
    const { statusCode, headers, payload } = await app.inject({ url, headers: bearer(key) })
    return { status: statusCode, retryAfter: headers['retry-after'], body: JSON.parse(payload) }
  }
  return { app, ask, errors, faults }
}

describe('a request fault', () => {
  it.each<[Fault, object]>([
    [
      { match: {}, status: 503 },
      { status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } },
    ],
    [
      { match: {}, status: 500 },
      { status: 500, body: { error: { code: 'INTERNAL_ERROR' } } },
    ],
    [
      { match: {}, status: 502, code: 'BAD_GATEWAY' },
      {
        status: 502,
        body: { error: { code: 'BAD_GATEWAY', message: 'A fault set for testing.' } },
      },
    ],
    [
      { match: {}, code: 'OUT_OF_STOCK' },
      { status: 409, body: { error: { code: 'OUT_OF_STOCK' } } },
    ],
    [
      { match: {}, status: 429 },
      {
        status: 429,
        retryAfter: '1',
        body: { error: { code: 'RATE_LIMITED', details: { retryAfterMs: 1000 } } },
      },
    ],
  ])('returns an Error body for %o', async (fault, expected) => {
    const { ask, errors } = start(fault)
    expect(await ask('/v1/ping')).toMatchObject({
      ...expected,
      body: { error: { requestId: expect.stringMatching(/^req_/) } },
    })
    expect(await ask('/v1/ping')).toMatchObject(expected)
    expect(errors).toEqual([])
  })

  it('never applies to the dashboard interface', async () => {
    const { ask } = start({ match: {}, status: 500 })
    expect((await ask('/dashboard/clock', keys.token)).status).toBe(200)
  })

  it('applies after the credential checks', async () => {
    const { ask, faults } = start({ match: {}, times: 1, status: 500 })
    expect((await ask('/v1/ping', 'svc_test_unknown')).status).toBe(401)
    expect(faults.list()).toHaveLength(1)
  })

  it('with only latency delays the real response', async () => {
    const { ask } = start({ match: { path: '/v1/ping' }, latencyMs: 30 })
    expect(await ask('/v1/ping')).toMatchObject({ status: 200, body: { ok: true } })
  })

  it('cuts the connection, and accepts the next request if it was set once', async () => {
    const { app, errors } = start({ match: { method: 'POST' }, times: 1, dropConnection: true })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1/orders`
    const order = { externalId: 'a-1', items: [{ productId: 'p', qty: 1, maxUnitPrice: 1 }] }
    const send = () =>
      fetch(url, {
        method: 'POST',
        headers: { ...bearer(keys.partner), 'content-type': 'application/json' },
        body: JSON.stringify(order),
      })
    await expect(send()).rejects.toMatchObject({
      cause: { code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) },
    })
    expect((await send()).status).toBe(201)
    expect(errors).toEqual([])
  })

  it('with a long delay ends when the service stops', async () => {
    const { app } = start({ match: {}, latencyMs: 600_000 })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1/ping`
    const answer = fetch(url, { headers: bearer(keys.partner) })
    await new Promise((resolve) => app.server.once('request', resolve))
    await new Promise((resolve) => setImmediate(resolve))
    await app.close()
    expect((await answer).status).toBe(200)
  })
})
