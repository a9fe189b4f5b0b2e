import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { webhookSignature } from '../../domain/webhooks/webhook-signature.ts'
import type { Observed } from '../observed.ts'
import type { Announced, Orders } from '../orders.ts'

const SECRET = 'whsec_test'

type Body = { mode: string; data: { id: string; units: string[] } }

/** Orders that no service delivered. */
export function inventedOrders(): Orders {
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
export async function startCorrect(waitMs: (delivery: number) => number) {
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
