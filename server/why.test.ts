import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { why as whySchema } from './api/dashboard/control.ts'
import { startSandbox } from './sandbox.ts'
import type { Sandbox } from './sandbox-types.ts'
import { testOptions } from './testing/sandbox-options.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox(testOptions({ world: { seed: 'demo', products: 60 } }), {
    info: () => undefined,
    error: (message) => expect.fail(message),
  })
})
afterAll(() => sandbox.stop())

async function send(method: string, path: string, key: string, body?: unknown) {
  const answer = await fetch(new URL(path, sandbox.ready.baseUrl), {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return {
    id: answer.headers.get('x-request-id') ?? '',
    status: answer.status,
    text: await answer.text(),
  }
}

const readDashboard = (path: string) =>
  send('GET', `/dashboard${path}`, sandbox.ready.dashboardToken)
const testKey = () => sandbox.ready.demo?.partnerTestKey ?? ''

async function explained(id: string) {
  const { text } = await readDashboard(`/requests/${id}/why`)
  return { text, why: whySchema.strict.parse(JSON.parse(text)) }
}

async function productInStock(): Promise<{ id: string; price: number }> {
  const { text } = await send('GET', '/v1/products?inStock=true&limit=1', testKey())
  const [product] = z
    .object({ results: z.array(z.object({ id: z.string(), price: z.number() })) })
    .parse(JSON.parse(text)).results
  if (product === undefined) throw new Error('nothing is in stock')
  return product
}

it('sends the suggested request here once, and leaves no key behind', async () => {
  const { id: productId } = await productInStock()
  const items = [{ productId, qty: 1, maxUnitPrice: 0.01 }]
  const refused = await fetch(new URL('/v1/orders?wait=5', sandbox.ready.baseUrl), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${testKey()}`,
      'content-type': 'application/json',
      'idempotency-key': 'the-refused-order',
    },
    body: JSON.stringify({ externalId: 'run-1', items }),
  })
  await refused.arrayBuffer()
  const id = refused.headers.get('x-request-id') ?? ''
  const run = async () => {
    const { status, text } = await send(
      'POST',
      `/dashboard/requests/${id}/run`,
      sandbox.ready.dashboardToken,
    )
    return { status, body: JSON.parse(text) as unknown }
  }
  const changed = await send(
    'POST',
    `/dashboard/requests/${id}/run`,
    sandbox.ready.dashboardToken,
    { fingerprint: 'of-another-suggestion' },
  )
  expect([changed.status, changed.text]).toEqual([400, expect.stringContaining('nothing was sent')])
  const first = await run()
  expect(first).toMatchObject({ status: 200, body: { status: 201, code: null } })
  expect(await run()).toMatchObject({ status: 200 })
  const orders = await send('GET', '/v1/orders?externalId=run-1', testKey())
  expect(JSON.parse(orders.text)).toMatchObject({ total: 1, results: [{ externalId: 'run-1' }] })

  const { partnerId } = z
    .object({ partnerId: z.string() })
    .parse(JSON.parse((await send('GET', '/v1/ping', testKey())).text))
  const keys = z
    .object({ results: z.array(z.object({ revokedAt: z.string().nullable() })) })
    .parse(JSON.parse((await readDashboard(`/partners/${partnerId}/keys`)).text))
  expect(keys.results.filter(({ revokedAt }) => revokedAt === null)).toHaveLength(2)
  expect(
    (await send('POST', '/dashboard/requests/req_none/run', sandbox.ready.dashboardToken)).status,
  ).toBe(404)
})

it('shows the checks of an order with the values that they saw, and an order that passes', async () => {
  const { id: productId, price } = await productInStock()
  const body = { externalId: 'why-1', items: [{ productId, qty: 1, maxUnitPrice: 0.01 }] }
  const { id, status } = await send('POST', '/v1/orders?wait=5', testKey(), body)
  expect(status).toBe(409)
  const { text, why } = await explained(id)
  expect(why).toMatchObject({ code: 'PRICE_CHANGED', status: 409, path: '/v1/orders' })
  expect(why.checks.map(({ check, result }) => `${check} ${result}`).slice(-6)).toEqual([
    'PRODUCT_UNAVAILABLE passed',
    'OUT_OF_STOCK passed',
    'PRICE_CHANGED failed',
    'ORDER_LIMIT_EXCEEDED not reached',
    'DAILY_LIMIT_EXCEEDED not reached',
    'INSUFFICIENT_BALANCE not reached',
  ])
  expect(why.checks.find(({ result }) => result === 'failed')?.value).toBe(
    `line 1: ${price.toFixed(2)} live, 0.01 allowed`,
  )
  expect(why.rule.link).toBe('/docs#api/tag/partner-orders/POST/orders')
  expect(why.suggestion).toMatchObject({
    steps: [],
    request: { query: 'wait=5', body: { items: [{ productId, qty: 1, maxUnitPrice: price }] } },
    changes: [{ where: 'body items[0].maxUnitPrice', from: '0.01', to: String(price) }],
    status: 201,
    tried: 2,
  })
  expect(text).not.toContain(testKey())
  expect((await send('POST', '/v1/orders', testKey(), why.suggestion?.request.body)).status).toBe(
    201,
  )
})

it('changes nothing here, and lists the calls that have to come first', async () => {
  const { id, status } = await send('POST', '/v1/webhooks/test', testKey())
  expect(status).toBe(400)
  const before = (await readDashboard('/ledger/verify')).text
  const { why } = await explained(id)
  expect(why.suggestion).toMatchObject({ status: 202, changes: [] })
  expect(why.suggestion?.steps.map(({ method, path }) => `${method} ${path}`)).toEqual([
    expect.stringMatching(/^PUT \/dashboard\/partners\/ptr_\w+\/webhook$/),
  ])
  expect((await readDashboard('/ledger/verify')).text).toBe(before)
  expect((await send('POST', '/v1/webhooks/test', testKey())).status).toBe(400)
})

it('names a fault and suggests to remove it', async () => {
  const { dashboardToken } = sandbox.ready
  const fault = { match: { path: '/v1/ping' }, status: 503, times: 1 }
  await send('PUT', '/dashboard/faults', dashboardToken, [fault])
  const { id } = await send('GET', '/v1/ping', testKey())
  const { why } = await explained(id)
  expect(why.checks.find(({ result }) => result === 'failed')).toMatchObject({
    check: 'FAULT',
    value: 'any method /v1/ping',
  })
  expect(why.suggestion?.steps).toEqual([
    { method: 'DELETE', path: '/dashboard/faults', body: null },
  ])
  expect(why.suggestion?.status).toBe(200)
})

it('suggests a new key for one that is not accepted, and shows neither', async () => {
  const { id } = await send('GET', '/v1/ping', 'svc_test_0000000000000000none')
  const { text, why } = await explained(id)
  expect(why.suggestion?.steps[0]?.path).toMatch(/^\/dashboard\/partners\/ptr_\w+\/keys$/)
  expect(why.suggestion?.status).toBe(200)
  expect(text).not.toContain('0000000000000000none')
})

it('tries every refusal on the present data, several at once, also after a reset that was tried', async () => {
  const { dashboardToken } = sandbox.ready
  const { id: productId, price } = await productInStock()
  const order = (externalId: string, maxUnitPrice: number) =>
    send('POST', '/v1/orders', testKey(), {
      externalId,
      items: [{ productId, qty: 1, maxUnitPrice }],
    })
  const [cheap, badReset, unknown] = [
    await order('turn-1', 0.01),
    await send('POST', '/dashboard/reset', dashboardToken, { products: -1 }),
    await send('GET', '/v1/orders/ord_none', testKey()),
  ]
  const first = (await explained(unknown.id)).why.suggestion?.request.path
  const whys = await Promise.all(
    [cheap, badReset, unknown, cheap].map(async ({ id }) => (await explained(id)).why),
  )
  expect(whys.map(({ suggestion }) => suggestion?.status)).toEqual([201, 200, 200, 201])
  expect(whys[2]?.suggestion?.request.path).toBe(first)
  expect(whys[3]?.suggestion?.request).toEqual(whys[0]?.suggestion?.request)

  const { text, status } = await order('turn-2', price)
  expect(status).toBe(201)
  const placed = z.object({ id: z.string() }).parse(JSON.parse(text)).id
  expect((await explained(unknown.id)).why.suggestion?.request.path).toBe(`/v1/orders/${placed}`)
})

it('returns NOT_FOUND for a request that passed or is not in the log', async () => {
  const { id } = await send('GET', '/v1/ping', testKey())
  expect((await readDashboard(`/requests/${id}/why`)).status).toBe(404)
  expect((await readDashboard('/requests/req_none/why')).status).toBe(404)
})
