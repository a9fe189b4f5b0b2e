import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { webhookSignature } from '../domain/webhooks/webhook-signature.ts'
import { certify } from './certify.ts'
import type { Handler } from './handler.ts'
import type { Observed } from './observed.ts'
import type { Announced, Orders } from './orders.ts'
import { readSchedule } from './schedule.ts'
import { SharedKill } from './shared-kill.ts'
import { newTally, runTrial } from './trial.ts'

const SECRET = 'whsec_test'

type Body = { mode: string; data: { id: string; units: string[] } }

/** Orders that no service delivered. */
function inventedOrders(): Orders {
  let made = 0
  const announce = (mode: string): Announced => {
    made += 1
    const [id, units] = [`ord_${made}`, [`unit_${made}`]]
    const body = JSON.stringify({ event: 'order.completed', mode, data: { id, units } })
    return {
      id,
      status: 'completed',
      units,
      event: { name: 'order.completed', delivery: `dlv_${made}`, body },
    }
  }
  return {
    baseUrl: '',
    key: '',
    secret: SECRET,
    next: (kind) => Promise.resolve(announce(kind === 'test' ? 'test' : 'live')),
    credited: () => Promise.resolve(announce('none').event),
    stop: () => Promise.resolve(),
  }
}

function isGenuine({ headers }: IncomingMessage, body: string): boolean {
  const sent = String(headers['x-svc-signature'])
  const at = Number(/^t=(\d+),/.exec(sent)?.[1]) * 1000
  return Math.abs(Date.now() - at) < 300_000 && webhookSignature(SECRET, body, at) === sent
}

/** A correct handler that waits before it answers. */
async function startCorrect(waitMs: (delivery: number) => number) {
  const shop = new Map<string, string[]>()
  let deliveries = 0
  async function statusFor(request: IncomingMessage): Promise<number> {
    deliveries += 1
    const wait = waitMs(deliveries)
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += String(part)
    if (wait > 0) await delay(wait)
    const genuine = isGenuine(request, body)
    const { mode, data } = JSON.parse(body) as Body
    if (genuine && mode === 'live') shop.set(data.id, data.units)
    return genuine ? 204 : 401
  }
  const server = createServer((request, response) => {
    statusFor(request).then(
      (status) => response.writeHead(status).end(),
      // The connection was cut in the body.
      () => response.destroy(),
    )
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const observe = (ids: readonly string[]): Promise<Observed> =>
    Promise.resolve({
      units: ids.flatMap((order) => (shop.get(order) ?? []).map((id) => ({ id, order }))),
      orders: null,
    })
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), observe }
}

async function certified(limitMs: number, schedules: number, waitMs: (delivery: number) => number) {
  const orders = inventedOrders()
  return await certify({
    ...(await startCorrect(waitMs)),
    start: null,
    mayRun: true,
    schedules,
    seed: 7,
    kills: false,
    limitMs,
    orders,
  })
}

test('a pause of the computer that makes some answers late is no failure of the handler', async () => {
  // Longer than any real pause while the tests run.
  const limitMs = 3000
  const result = await certified(limitMs, 30, (delivery) => (delivery <= 8 ? limitMs + 100 : 0))
  expect(result).toMatchObject({ schedules: 30, failed: 0, failures: [] })
  expect(result.deliveries).toBeGreaterThan(60)
}, 60_000)

test('a handler whose answers are always late fails', async () => {
  const limitMs = 200
  const result = await certified(limitMs, 2, () => limitMs + 100)
  expect(result.failed).toBe(2)
  expect(result.failures[0]?.violations[0]).toMatchObject({ invariant: 'answered', slow: true })
}, 60_000)

test('makes orders of later schedules while the handler starts again, and delivers those', async () => {
  const orders = inventedOrders()
  const made: string[] = []
  const counting: Orders = {
    ...orders,
    next(kind) {
      made.push(kind)
      return orders.next(kind)
    },
  }
  const handler: Handler = {
    restarts: true,
    revive: () => Promise.resolve(false),
    restart: () => delay(50),
    stop: () => Promise.resolve(),
  }
  const parts = {
    ...(await startCorrect(() => 0)),
    orders: counting,
    handler,
    limitMs: 3000,
    tally: newTally(),
    silent: { live: [], test: [] },
    kill: new SharedKill(handler, counting),
  }
  const run = (text: string) => runTrial(parts, readSchedule(text) ?? { orders: [], steps: [] })
  parts.kill.wanted = ['partial', 'completed']
  expect(await run('completed: deliver 1; kill 1 50')).toEqual([])
  expect(made).toEqual(['completed', 'partial', 'completed'])
  expect(await run('completed partial: deliver 1; deliver 2')).toEqual([])
  expect(made).toHaveLength(3)
  expect(parts.kill.made).toEqual({ completed: [], partial: [], failed: [] })
  expect(parts.kill.wanted).toEqual([])
})
