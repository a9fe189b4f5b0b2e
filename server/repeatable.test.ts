import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startSandbox } from './sandbox.ts'
import type { Sandbox } from './sandbox-types.ts'
import { testOptions } from './testing/sandbox-options.ts'

const silent = { info: () => undefined, error: (message: string) => expect.fail(message) }
const options = (seed: string, at = Date.UTC(2026, 4, 1)) =>
  testOptions({ world: { seed: 'demo', products: 60 }, repeatable: { seed, at } })

const text = z.looseObject({
  id: z.string().optional(),
  key: z.string().optional(),
  results: z.array(z.looseObject({ id: z.string().optional() })).optional(),
})

type Sent = { readonly answer: string; readonly body: z.output<typeof text> }

/** Sends one request after another; every answer with its date and its request id. */
async function session(sandbox: Sandbox, work: (send: Send) => Promise<void>): Promise<string[]> {
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

type Send = (method: string, path: string, key: string, body?: unknown) => Promise<Sent>

/** Everything that draws ids, keys, times or decisions. */
const tour =
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

test('gives the same answers to the same requests, byte for byte, with their ids and dates', async () => {
  const runs: string[][] = []
  for (const at of ['one', 'one', 'other']) {
    const sandbox = await startSandbox(options(at), silent)
    runs.push(await session(sandbox, tour(sandbox)))
    await sandbox.stop()
  }
  const [first = [], second, other] = runs
  expect(second).toEqual(first)
  expect(first.length).toBe(38)
  // One order without lines, and the pings that the fault hit.
  const refused = first.slice(1).filter((answer) => !/^\S+ \S+ 20\d /.test(answer))
  expect(
    refused.every((answer) => /^(POST \/v1\/orders 400|GET \/v1\/ping 503)/.test(answer)),
  ).toBe(true)
  expect(refused.length).toBeGreaterThan(1)
  expect(other?.[0]).not.toBe(first[0])
}, 120_000)

test('gives branches the same keys, which differ from those of the original and of other branches', async () => {
  const runs = []
  for (const _ of [1, 2]) {
    const sandbox = await startSandbox(options('one'), silent)
    const { dashboardUrl, dashboardToken, demo } = sandbox.ready
    const made = async () =>
      z.object({ demo: z.object({ sellerKey: z.string() }) }).parse(
        await (
          await fetch(`${dashboardUrl}/branches`, {
            method: 'POST',
            headers: { authorization: `Bearer ${dashboardToken}` },
          })
        ).json(),
      ).demo.sellerKey
    runs.push([demo?.sellerKey, await made(), await made()])
    await sandbox.stop()
  }
  expect(runs[1]).toEqual(runs[0])
  expect(new Set(runs[0]).size).toBe(3)
}, 60_000)

test('lets a receiver call the service while the clock is advanced', async () => {
  const sandbox = await startSandbox(options('one'), silent)
  const { baseUrl, dashboardUrl, dashboardToken, demo } = sandbox.ready
  const answered: number[] = []
  const receiver = createServer((_request, response) => {
    void fetch(`${baseUrl}/ping`, {
      headers: { authorization: `Bearer ${demo?.partnerTestKey ?? ''}` },
    }).then(({ status }) => {
      answered.push(status)
      response.writeHead(204).end()
    })
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const { port } = receiver.address() as AddressInfo
  const dashboard = async (method: string, path: string, body?: unknown) =>
    text.parse(
      await (
        await fetch(dashboardUrl + path, {
          method,
          headers: {
            authorization: `Bearer ${dashboardToken}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify(body ?? {}),
        })
      ).json(),
    )
  const { id } = await dashboard('POST', '/partners', { name: 'Receiver' })
  await dashboard('PUT', `/partners/${id ?? ''}/webhook`, { url: `http://127.0.0.1:${port}/` })
  await dashboard('POST', `/partners/${id ?? ''}/webhook/test`, { mode: 'test' })
  await dashboard('POST', '/clock/advance', { ms: 1000 })
  expect(answered).toEqual([200])
  receiver.close()
  await sandbox.stop()
}, 60_000)
