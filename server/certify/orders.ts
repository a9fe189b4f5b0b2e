/**
 * Real orders of a real service, with the webhook that it sent for each: a service in this process
 * sends its events to a receiver in this process, which keeps them for the schedules.
 */
import type { IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createClient } from '../api/client/client.ts'
import { cents } from '../api/money.ts'
import { webhookHeaders } from '../api/schemas/webhook-event.ts'
import type { Log } from '../domain/ports/environment.ts'
import { type Options, readOptions } from '../options.ts'
import type { Sandbox } from '../sandbox-types.ts'
import { fetchTransport } from '../fetch-transport.ts'
import type { OrderKind } from './schedule.ts'

const { createServer } = process.getBuiltinModule('node:http')

/** A webhook as the service sent it. */
export type Event = { readonly name: string; readonly delivery: string; readonly body: string }

/** An order that is final, and the event that announced it. */
export type Announced = {
  readonly id: string
  readonly status: string
  /** Ids of the delivered units. */
  readonly units: readonly string[]
  readonly event: Event
}

export type Orders = {
  readonly baseUrl: string
  readonly key: string
  readonly secret: string
  /** The next order of a kind; `test`: one of the test mode. Each is returned once. */
  next(kind: OrderKind | 'test'): Promise<Announced>
  /** A `balance.credited` event, always the same. */
  credited(): Promise<Event>
  stop(): Promise<void>
}

const quiet = { info: () => undefined, error: () => undefined }
/** Units of stock to begin with, and to add whenever so few are left. */
const STOCK_STEP = 1000

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

/** Receives the service's events and passes each to the caller that awaits its subject. */
async function startCapture() {
  const arrived = new Map<string, (event: Event) => void>()
  const server = createServer(async (request, response) => {
    const body = await textOf(request)
    response.writeHead(204).end()
    const { data } = JSON.parse(body) as { data: { id?: string; reference?: string } }
    const subject = data.id ?? data.reference ?? ''
    arrived.get(subject)?.({
      name: String(request.headers[webhookHeaders.event.toLowerCase()]),
      delivery: String(request.headers[webhookHeaders.delivery.toLowerCase()]),
      body,
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    eventOf: (subject: string) =>
      new Promise<Event>((resolve) => arrived.set(subject, resolve)).finally(() =>
        arrived.delete(subject),
      ),
    stop: () => server.close(),
  }
}

/** One product per kind, because deliveries fail by product. */
type Shelf = { product: string; offer: string; stock: number }

/** @param startService starts the service that accepts the orders */
export async function startOrders(
  startService: (options: Options, log: Log) => Promise<Sandbox>,
): Promise<Orders> {
  const options = readOptions(['--memory', '--port=0', '--seed=empty', '--no-limits'], '')
  if (options === null) throw new Error('The options of the service changed.')
  const [service, capture] = await Promise.all([startService(options, quiet), startCapture()])
  const { baseUrl, dashboardToken } = service.ready
  const as = (key: string) => createClient<AbortSignal>({ baseUrl, key, send: fetchTransport })
  const dashboard = as(dashboardToken)
  const partner = await dashboard.createPartner({
    body: { name: 'Certificate', perOrderLimit: null, dailyLimit: null },
  })
  const params = { id: partner.body.id }
  const issued = async (mode: 'live' | 'test') => {
    await dashboard.createTopUp({ params, body: { mode, amount: cents(100_000_000) } })
    return (await dashboard.createPartnerKey({ params, body: { mode } })).body.key
  }
  const [key, testKey] = [await issued('live'), await issued('test')]
  const { secret } = (await dashboard.putWebhook({ params, body: { url: capture.url } })).body
  const owner = await dashboard.createSeller({ body: { name: 'Supplier' } })
  const sellerKey = await dashboard.createSellerKey({ params: { id: owner.body.id }, body: {} })
  const [seller, live, test] = [as(sellerKey.body.key), as(key), as(testKey)]

  let made = 0
  async function stockUp(shelf: Shelf): Promise<void> {
    shelf.stock += STOCK_STEP
    const keys = Array.from({ length: STOCK_STEP }, () => `CERT-${(made += 1)}`)
    await seller.uploadKeys({ params: { id: shelf.offer }, body: { keys } })
  }
  async function shelfOf(name: string): Promise<Shelf> {
    const product = await dashboard.createProduct({
      body: { name, platform: 'Steam', region: 'Global', productType: 'game', deliveryType: 'key' },
    })
    const offer = await seller.saveOffer({
      body: { productId: product.body.id, price: cents(1) },
    })
    const shelf = { product: product.body.id, offer: offer.body.offer.id, stock: 0 }
    await stockUp(shelf)
    return shelf
  }
  const good = await shelfOf('Delivered')
  const bad = await shelfOf('Never delivered')
  await dashboard.putFaults({
    body: [{ deliver: { productId: bad.product, failUnits: Number.MAX_SAFE_INTEGER } }],
  })

  const line = ({ product }: Shelf, qty: number) => ({
    productId: product,
    qty,
    maxUnitPrice: cents(100),
  })
  const linesOf = {
    completed: [line(good, 2)],
    test: [line(good, 2)],
    partial: [line(good, 1), line(bad, 1)],
    failed: [line(bad, 1)],
  }

  async function next(kind: OrderKind | 'test'): Promise<Announced> {
    good.stock -= 2
    if (good.stock < STOCK_STEP / 2) await stockUp(good)
    const client = kind === 'test' ? test : live
    const externalId = `certify-${(made += 1)}`
    const placed = await client.createOrder({ body: { externalId, items: linesOf[kind] } })
    const { id } = placed.body
    const event = await capture.eventOf(id)
    const { keys } = (await client.getOrderKeys({ params: { id } })).body
    const { data } = JSON.parse(event.body) as { data: { status: string } }
    return { id, status: data.status, units: keys.map((unit) => unit.id), event }
  }

  async function topUp(): Promise<Event> {
    const made = await dashboard.createTopUpReference({ params, body: { mode: 'live' } })
    const { reference } = made.body
    const event = capture.eventOf(reference)
    await dashboard.createTopUp({ params, body: { mode: 'live', amount: cents(100), reference } })
    return await event
  }
  let credited: Promise<Event> | null = null

  return {
    baseUrl,
    key,
    secret,
    next,
    credited: () => (credited ??= topUp()),
    async stop() {
      capture.stop()
      await service.stop()
    },
  }
}
