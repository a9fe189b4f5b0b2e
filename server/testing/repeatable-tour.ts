/** A session with everything that draws ids, keys, times or decisions. */
import { z } from 'zod'
import type { Options } from '../options.ts'
import type { Sandbox } from '../sandbox-types.ts'
import { testOptions } from './sandbox-options.ts'

export const repeatableOptions = (seed: string, at = Date.UTC(2026, 4, 1)): Options =>
  testOptions({ world: { seed: 'demo', products: 60 }, repeatable: { seed, at } })

export const text = z.looseObject({
  id: z.string().optional(),
  key: z.string().optional(),
  results: z.array(z.looseObject({ id: z.string().optional() })).optional(),
})

type Sent = { readonly answer: string; readonly body: z.output<typeof text> }

/** Sends one request after another; every answer with its date and its request id. */
export async function session(
  sandbox: Sandbox,
  work: (send: Send) => Promise<void>,
): Promise<string[]> {
  const { ready } = sandbox
  const origin = new URL(ready.baseUrl).origin
  const answers: string[] = [JSON.stringify(ready.demo)]
  await work(async (method, path, key, body) => {
    const response = await fetch(origin + path, {
      method,
      headers: {
        authorization: `Bearer ${key === 'dashboard' ? ready.dashboardToken : key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const received = (await response.text()).replaceAll(origin, 'ORIGIN')
    const heads = ['date', 'x-request-id'].map((name) => response.headers.get(name))
    answers.push([method, path, response.status, ...heads, received].join(' '))
    const parsed = received.startsWith('{') ? text.parse(JSON.parse(received)) : {}
    return { answer: received, body: parsed }
  })
  return answers
}

export type Send = (method: string, path: string, key: string, body?: unknown) => Promise<Sent>

/** Sends the requests of the session. */
export const tour =
  ({ ready }: Sandbox) =>
  async (send: Send): Promise<void> => {
    const partner = ready.demo?.partnerLiveKey ?? ''
    const seller = ready.demo?.sellerKey ?? ''
    const products = await send('GET', '/v1/products?inStock=true&limit=5', partner)
    const productId = products.body.results?.[0]?.id ?? ''
    const items = [{ productId, qty: 1, maxUnitPrice: 99_999 }]
    const order = await send('POST', '/v1/orders?wait=5', partner, { externalId: 'a', items })
    const orderId = order.body.id ?? ''
    await send('GET', `/v1/orders/${orderId}/keys`, partner)
    const refused = await send('POST', '/v1/orders', partner, { externalId: 'b', items: [] })
    const requestId = z
      .object({ error: z.object({ requestId: z.string() }) })
      .parse(JSON.parse(refused.answer)).error.requestId
    await send('GET', `/dashboard/requests/${requestId}/why`, 'dashboard')
    const made = await send('POST', '/dashboard/partners', 'dashboard', { name: 'Somebody' })
    const path = `/dashboard/partners/${made.body.id ?? ''}`
    const issued = await send('POST', `${path}/keys`, 'dashboard', { mode: 'test' })
    await send('PUT', `${path}/webhook`, 'dashboard', { url: 'http://127.0.0.1:9/' })
    await send('POST', `${path}/webhook/test`, 'dashboard', { mode: 'test' })
    await send('GET', '/v1/products?limit=5', issued.body.key ?? '')
    await send('POST', '/v1/seller/offers', seller, { productId, price: 12.5 })
    await send('GET', '/v1/seller/sales', seller)
    await send('PUT', '/dashboard/faults', 'dashboard', [
      { match: { path: '/v1/ping' }, probability: 0.5, status: 503 },
    ])
    for (let i = 0; i < 12; i += 1) await send('GET', '/v1/ping', partner)
    await send('POST', '/dashboard/market', 'dashboard', { seed: 'm', intensity: 10 })
    await send('POST', '/dashboard/snapshots', 'dashboard', { name: 'one' })
    await send('POST', '/dashboard/clock/advance', 'dashboard', { ms: 6 * 3_600_000 })
    await send('GET', '/dashboard/disputes', 'dashboard')
    await send('GET', '/v1/products?limit=5', partner)
    await send('GET', '/dashboard/requests', 'dashboard')
    await send('POST', '/dashboard/snapshots/one/restore', 'dashboard')
    await send('POST', '/v1/orders', partner, { externalId: 'c', items })
    await send('GET', '/v1/orders', partner)
    await send('GET', '/dashboard/ledger/verify', 'dashboard')
    await send('POST', '/dashboard/reset', 'dashboard', {})
    await send('GET', '/dashboard/clock', 'dashboard')
  }
