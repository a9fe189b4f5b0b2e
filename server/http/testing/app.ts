/**
 * An application with a few simple handlers and three key holders, to test the pipeline without a
 * domain.
 */
import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Access, KeyHolder } from '../../api/access.ts'
import type { Handlers, PartnerCaller } from '../../api/handlers.ts'
import { cents } from '../../api/money.ts'
import { scopes } from '../../api/schemas/enums.ts'
import { type AppOptions, createApp } from '../app.ts'

export const keys = {
  partner: 'svc_test_0000000000000000abcd',
  seller: 'svcs_0000000000000000abcd',
  readOnly: 'svc_live_0000000000000000read',
  suspended: 'svc_live_0000000000000000susp',
  elsewhere: 'svc_live_0000000000000000else',
  token: 'dashboard-token',
}

const partner = (
  keyId: string,
  more: Partial<PartnerCaller> = {},
  holder: Partial<KeyHolder<PartnerCaller>> = {},
): KeyHolder<PartnerCaller> => ({
  caller: { kind: 'partner', partnerId: 'ptn_1', keyId, mode: 'test', scopes, ...more },
  accountStatus: 'active',
  addressAllowed: true,
  ...holder,
})

const partners = new Map([
  [hash('sha256', keys.partner), partner('key_1')],
  [hash('sha256', keys.readOnly), partner('key_2', { scopes: ['catalog:read'] })],
  [
    hash('sha256', keys.suspended),
    partner('key_3', {}, { accountStatus: 'suspended', addressAllowed: false }),
  ],
  [hash('sha256', keys.elsewhere), partner('key_4', {}, { addressAllowed: false })],
])

const access: Access = {
  partner: (keySha256) => partners.get(keySha256) ?? null,
  seller: (keySha256) =>
    keySha256 === hash('sha256', keys.seller)
      ? {
          caller: { kind: 'seller', sellerId: 'slr_1', keyId: 'key_9' },
          accountStatus: 'active',
          addressAllowed: true,
        }
      : null,
}

/** Results that show the input that reached the handler. */
export const handlers: Handlers = {
  ping: (call) => ({
    status: 200,
    body: {
      ok: true,
      partnerId: call.caller.partnerId,
      mode: call.caller.mode,
      scopes: [...call.caller.scopes],
      ip: call.address,
    },
  }),
  getBalance: (call) => ({
    status: 200,
    body: { balance: cents(128_460), currency: 'EUR', mode: call.caller.mode },
  }),
  listOrders: (_call, { query }) => ({
    status: 200,
    body: {
      page: query.page ?? 1,
      limit: query.limit ?? 50,
      total: 0,
      totalPages: 0,
      hasMore: false,
      results: [],
    },
  }),
  createOrder: (call, { body }) => ({
    status: 201,
    json: JSON.stringify({ idempotency: call.idempotency, body }),
  }),
  getProduct: (_call, { params }) => ({ status: 200, json: JSON.stringify({ id: params.id }) }),
  withdrawKeys: (_call, { body }) => ({
    status: 200,
    body: { count: body.count ?? 0, keys: [], stock: 0 },
  }),
  deleteOffer: () => ({ status: 204 }),
  getClock: () => ({ status: 200, body: { now: '2026-01-01T00:00:00.000Z', offsetMs: 0 } }),
  createPartner: (_call, { body }) => ({ status: 201, json: JSON.stringify(body) }),
}

export type Logged = { message: string; fields: Readonly<Record<string, unknown>> }

/** The application, not listening yet, and the errors it logged. */
export function testApp(options: Partial<AppOptions> = {}): {
  app: FastifyInstance
  errors: Logged[]
} {
  const errors: Logged[] = []
  let requests = 0
  const app = createApp({
    access,
    handlers,
    rates: null,
    requestLog: null,
    faults: { takeFor: () => null },
    dashboardToken: keys.token,
    pictures: (path) => (path === 'covers/p 1.png' ? new Uint8Array([137, 80, 78, 71]) : null),
    log: {
      info: () => undefined,
      error: (message, fields = {}) => errors.push({ message, fields }),
    },
    newRequestId: () => `req_${(requests += 1)}`,
    now: () => Date.UTC(2026, 10, 23, 9, 30),
    origin: () => 'http://127.0.0.1:4600',
    prove: () => ({ hmac: '', publicKey: '', signature: '' }),
    ...options,
  })
  return { app, errors }
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
