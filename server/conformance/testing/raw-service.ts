/**
 * The complete service over real HTTP, called as an unknown client would: method, path and JSON
 * text, without our own client in between.
 */
import type { Options } from '../../options.ts'
import type { Ready } from '../../sandbox-types.ts'
import { startSandbox } from '../../sandbox.ts'
import { testOptions } from '../../testing/sandbox-options.ts'

export type Sent = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

/** One request to `origin`; the returned JSON is untyped, so that tests can read any part of it. */
export async function send(
  origin: string,
  key: string | null,
  method: string,
  path: string,
  { body, headers }: Sent = {},
) {
  const answer = await fetch(origin + path, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null,
  }
}

/** Calls to one interface with one key; paths are below `root`. */
export const line =
  (origin: string, root: string, key: string | null) =>
  (method: string, path: string, body?: unknown, headers?: Sent['headers']) =>
    send(origin, key, method, root + path, { body, ...(headers && { headers }) })

export type Line = ReturnType<typeof line>

const silent = {
  info: () => undefined,
  error: (message: string, fields?: object) =>
    void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
}

/** The calls to a service, at the addresses it reported. */
export function linesTo(ready: Ready) {
  const { origin } = new URL(ready.baseUrl)
  return {
    ready,
    origin,
    dashboard: line(origin, '/dashboard', ready.dashboardToken),
    sellerLine: (key: string | null) => line(origin, '/v1/seller', key),
    partnerLine: (key: string | null) => line(origin, '/v1', key),
  }
}

/** Starts the service on a free port; by default empty, in memory, and without rates. */
export async function startRaw(options: Partial<Options> = {}) {
  const sandbox = await startSandbox(testOptions(options), silent)
  return { ...linesTo(sandbox.ready), stop: () => sandbox.stop() }
}

export type RawService = Awaited<ReturnType<typeof startRaw>>

/** Common setup steps of a shop, each in one line. */
export function rawShop({ dashboard, sellerLine, partnerLine }: Omit<RawService, 'stop'>) {
  let made = 0
  const next = (): number => (made += 1)
  const shop = {
    next,
    async seller(body: object = {}) {
      const { id } = (await dashboard('POST', '/sellers', { name: `Seller ${next()}`, ...body }))
        .body
      const { key } = (await dashboard('POST', `/sellers/${id}/keys`)).body
      return { id: String(id), key: String(key), call: sellerLine(key) }
    },
    async partner(body: object = {}, { mode = 'live', amount = 10_000 } = {}) {
      const { id } = (await dashboard('POST', '/partners', { name: `Partner ${next()}`, ...body }))
        .body
      const { key } = (await dashboard('POST', `/partners/${id}/keys`, { mode })).body
      if (amount > 0) await dashboard('POST', `/partners/${id}/top-ups`, { mode, amount })
      return { id: String(id), key: String(key), call: partnerLine(key) }
    },
    async product(body: object = {}): Promise<string> {
      const kind = { platform: 'Steam', region: 'Global', productType: 'game', deliveryType: 'key' }
      return (await dashboard('POST', '/products', { name: `Game ${next()}`, ...kind, ...body }))
        .body.id
    },
    /** An offer's id, with these keys in stock. */
    async offer(
      seller: { call: Line },
      productId: string,
      price: number,
      keys: readonly string[] = [],
    ): Promise<string> {
      const { id } = (await seller.call('POST', '/offers', { productId, price })).body.offer
      if (keys.length > 0) await seller.call('POST', `/offers/${id}/keys`, { keys })
      return id
    },
    /** A completed order with its keys. */
    async buy(partner: { call: Line }, productId: string, qty = 1) {
      const order = (
        await partner.call('POST', '/orders?wait=10', {
          externalId: `ext-${next()}`,
          items: [{ productId, qty, maxUnitPrice: 100_000 }],
        })
      ).body
      const keys: { id: string; value: string; contentType: string }[] = (
        await partner.call('GET', `/orders/${order.id}/keys`)
      ).body.keys
      return { order, id: String(order.id), keys }
    },
    async claim(orderId: string, keyId: string | undefined, more: object = {}): Promise<string> {
      return (
        await dashboard('POST', '/claims', { orderId, keyId, message: 'It says used.', ...more })
      ).body.disputeId
    },
    advance: (ms: number) => dashboard('POST', '/clock/advance', { ms }),
  }
  return shop
}

/** The refusal in a response: status, code, and the fields it names. */
export const refused = ({
  status,
  body,
}: {
  status: number
  body: { error?: { code: string; details?: unknown } }
}): readonly unknown[] => {
  const { code, details } = body.error ?? { code: 'none' }
  return [
    status,
    code,
    ...(Array.isArray(details) ? details.map(({ field }: { field: string }) => field) : []),
  ]
}
