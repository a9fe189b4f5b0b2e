/**
 * The complete service over real HTTP and a real database, on a clock that the test moves, as
 * another program would use it.
 */
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeader, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Client, createClient } from '../../api/client/client.ts'
import type { BodyOf } from '../../api/handlers.ts'
import { cents } from '../../api/money.ts'
import type { Mode, Scope } from '../../api/schemas/enums.ts'
import { createRateLimiter } from '../../domain/limits/rate-limiter.ts'
import { createTestService, type TestService } from '../../domain/testing/fixture.ts'
import { createApp } from '../../http/app.ts'
import { createWebhookSender } from '../../http/webhook-sender.ts'
import { fetchTransport } from '../../fetch-transport.ts'

export interface HarnessRequest {
  method?: string
  headers?: Record<string, OutgoingHttpHeader>
  /** Objects are sent as JSON with its type; text and bytes are sent unchanged. */
  body?: object | string | Buffer
  signal?: AbortSignal
}

export interface HarnessResponse {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The response's JSON; undefined for an empty one. */
  json: unknown
  /** `error.code` of a refusal. */
  code: string | undefined
  /** `error.details` of a refusal. */
  details: unknown
}

/**
 * The fields that a VALIDATION_ERROR names, sorted; any other details of a refusal are returned
 * unchanged.
 */
export const fieldsOf = ({ details }: HarnessResponse): unknown =>
  Array.isArray(details)
    ? details.map((each: { field?: unknown }) => String(each.field)).toSorted()
    : details

export interface Partner {
  id: string
  key: string
  client: Client<AbortSignal>
}

export type Seller = Partner

export const dashboardToken = 'token-of-the-dashboard'

const isPlain = (body: HarnessRequest['body']): body is object =>
  typeof body === 'object' && !Buffer.isBuffer(body)

function read(answer: Pick<HarnessResponse, 'status' | 'headers' | 'text'>): HarnessResponse {
  const json: unknown = answer.text === '' ? undefined : JSON.parse(answer.text)
  const error: unknown =
    typeof json === 'object' && json !== null && 'error' in json ? json.error : undefined
  const told = typeof error === 'object' && error !== null ? error : {}
  return {
    ...answer,
    json,
    code: 'code' in told ? String(told.code) : undefined,
    details: 'details' in told ? told.details : undefined,
  }
}

export type Harness = Awaited<ReturnType<typeof startHarness>>

/**
 * Starts a service. `limits`: whether request rates count; a host of `::` is called by IPv4;
 * `inMemory`: commits don't wait for the disk, for tests with many accounts. `close` fails if the
 * service logged a defect.
 */
export async function startHarness({ limits = false, host = '127.0.0.1', inMemory = false } = {}) {
  const test: TestService = createTestService({
    send: createWebhookSender(true),
    ...(inMemory && { folder: ':memory:' }),
  })
  const { service, clock } = test
  const defects: unknown[] = []
  let origin = ''
  let requests = 0
  let made = 0
  const app = createApp({
    access: service.access,
    handlers: service.handlers,
    faults: service.faults,
    requestLog: null,
    dashboardToken,
    pictures: () => null,
    rates: limits ? createRateLimiter(service.clock, service.clock.offset) : null,
    log: {
      info: () => undefined,
      error: (message, fields) => void defects.push([message, fields]),
    },
    newRequestId: () => `req_${(requests += 1)}`,
    now: () => service.clock.now(),
    origin: () => origin,
    prove: () => ({ hmac: '', publicKey: '', signature: '' }),
  })
  await app.listen({ host, port: 0 })
  const { port } = app.server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  const agent = new Agent({ keepAlive: true })

  function ask(
    target: string,
    { method = 'GET', headers = {}, body, signal }: HarnessRequest = {},
  ): Promise<HarnessResponse> {
    const payload = isPlain(body) ? JSON.stringify(body) : body
    const typed = isPlain(body) ? { 'content-type': 'application/json' } : {}
    const sized = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }
    return new Promise((resolve, reject) => {
      const sending = request(
        {
          host: host === '::' ? '127.0.0.1' : host,
          port,
          path: target,
          method,
          agent,
          headers: { ...typed, ...sized, ...headers },
          ...(signal && { signal }),
        },
        (answer) => {
          text(answer).then(
            (got) =>
              resolve(read({ status: answer.statusCode ?? 0, headers: answer.headers, text: got })),
            reject,
          )
        },
      )
      sending.on('error', reject).end(payload)
    })
  }

  /**
   * Sends the same request this many times over one connection, without waiting for the responses
   * in between; returns their statuses.
   */
  async function burst(
    key: string,
    method: string,
    target: string,
    times: number,
  ): Promise<number[]> {
    const lines = (last: boolean) => [
      `${method} ${target} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${key}`,
      'Content-Length: 0',
      ...(last ? ['Connection: close'] : []),
      '',
      '',
    ]
    const socket = connect(port, host)
    socket.end(
      Array.from({ length: times }, (_, each) => lines(each === times - 1).join('\r\n')).join(''),
    )
    return [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) =>
      Number(status),
    )
  }

  const clientOf = (key: string) =>
    createClient<AbortSignal>({ baseUrl: `${origin}/v1`, key, send: fetchTransport })
  const dashboard = clientOf(dashboardToken)

  const world = {
    clock,
    dashboard,
    clientOf,
    settled: test.settled,
    store: test.store,
    /** The service's own time; `clock` moves the computer's. */
    now: () => service.clock.now(),
    /** One request to a path such as `/v1/ping`; nothing is added to it. */
    ask,
    burst,
    /** The same with a key in `Authorization`. */
    as: (key: string, target: string, { headers, ...rest }: HarnessRequest = {}) =>
      ask(target, { ...rest, headers: { authorization: `Bearer ${key}`, ...headers } }),
    /** A unique name or key value. */
    fresh: (prefix = 'x') => `${prefix}-${(made += 1)}`,
    async keyOf(
      partnerId: string,
      mode: Mode = 'live',
      more: { scopes?: Scope[]; expiresAt?: string } = {},
    ) {
      return (
        await dashboard.createPartnerKey({ params: { id: partnerId }, body: { mode, ...more } })
      ).body
    },
    /** An account with EUR 10,000 in each mode by default, and a key for one of the modes. */
    async partner(
      body: Partial<BodyOf<'createPartner'>> = {},
      { mode = 'live' as Mode, balance = 1_000_000 } = {},
    ): Promise<Partner> {
      const { id } = (await dashboard.createPartner({ body: { name: 'Partner', ...body } })).body
      for (const each of ['live', 'test'] as const)
        if (balance > 0)
          await dashboard.createTopUp({
            params: { id },
            body: { mode: each, amount: cents(balance) },
          })
      const { key } = await world.keyOf(id, mode)
      return { id, key, client: clientOf(key) }
    },
    async seller(body: Partial<BodyOf<'createSeller'>> = {}): Promise<Seller> {
      const { id } = (await dashboard.createSeller({ body: { name: 'Seller', ...body } })).body
      const { key } = (await dashboard.createSellerKey({ params: { id } })).body
      return { id, key, client: clientOf(key) }
    },
    async product(body: Partial<BodyOf<'createProduct'>> = {}): Promise<string> {
      const kind = {
        platform: 'Steam',
        region: 'Global',
        productType: 'game',
        deliveryType: 'key',
      } as const
      return (
        await dashboard.createProduct({ body: { name: world.fresh('Game'), ...kind, ...body } })
      ).body.id
    },
    /** An offer at a price in cents, with this many new keys. */
    async offer(seller: Seller, productId: string, price: number, stock = 0): Promise<string> {
      const { id } = (await seller.client.saveOffer({ body: { productId, price: cents(price) } }))
        .body.offer
      if (stock > 0)
        await seller.client.uploadKeys({
          params: { id },
          body: { keys: Array.from({ length: stock }, () => world.fresh('KEY')) },
        })
      return id
    },
    /** A body of POST /orders; `maxUnitPrice` in euros. */
    request: (productId: string, qty = 1, maxUnitPrice = 10_000) => ({
      externalId: world.fresh('ext'),
      items: [{ productId, qty, maxUnitPrice }],
    }),
    order: (
      key: string,
      body: object | string,
      {
        query = '',
        idempotencyKey,
        signal,
      }: { query?: string; idempotencyKey?: string; signal?: AbortSignal } = {},
    ) =>
      world.as(key, `/v1/orders${query}`, {
        method: 'POST',
        body,
        headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
        ...(signal && { signal }),
      }),
    async close() {
      agent.destroy()
      await app.close()
      await test.close()
      if (defects.length > 0)
        throw new Error(`the service logged defects: ${JSON.stringify(defects)}`)
    },
  }
  return world
}
