import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import { shownCode } from '../../contract/base.ts'
import type { Problem } from '../../contract/base.ts'
import type { ActivityEntry } from '../../contract/app/app.ts'
import { formatMessage } from '../../contract/localization/localized.ts'
import { systemClock } from '../clock.ts'
import { Failure } from '../failure.ts'
import { systemRandomness } from '../randomness.ts'
import { createServiceClient, serviceRates } from './service-client.ts'
import type { AccountConnection } from './service-client.ts'

type Answer =
  | { status: number; body?: unknown; text?: string; headers?: Record<string, string> }
  | 'drop'

const order = { externalId: 'A-1', items: [{ productId: 'p1', qty: 1, maxUnitPrice: cents(500) }] }
const placed = {
  id: 'ord_1',
  externalId: 'A-1',
  mode: 'live',
  status: 'processing',
  currency: 'EUR',
  total: 5,
  refunded: 0,
  createdAt: '2026-01-05T09:00:00.000Z',
  completedAt: null,
  failure: null,
  items: [
    {
      line: 1,
      productId: 'p1',
      name: 'P',
      deliveryType: 'key',
      qty: 1,
      unitPrice: 5,
      status: 'processing',
      deliveredQty: 0,
    },
  ],
}
const ping = { ok: true, partnerId: 'ptr_1', mode: 'live', scopes: [], ip: '127.0.0.1' }
const refusal = (status: number, code: string, details?: unknown): Answer => ({
  status,
  body: { error: { code, message: code, requestId: 'req_1', details } },
})

let server: Server
let script: Answer[] = []
let seen: { method: string; url: string; idempotencyKey: string | undefined }[] = []
let line: AccountConnection
let entries: Omit<ActivityEntry, 'id' | 'at'>[] = []
let refused: Problem | null = null
let dates: { date: string | undefined; sentAt: number }[] = []
/** How far the wall clock is wrong, in milliseconds. */
let wallSkew = 0

beforeEach(async () => {
  // For one test only: a request that was cut off can finish during the next one.
  const answers: Answer[] = []
  script = answers
  seen = []
  entries = []
  refused = null
  dates = []
  wallSkew = 0
  server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const key = request.headers['idempotency-key']
    seen.push({
      method: request.method ?? '',
      url: request.url ?? '',
      idempotencyKey: Array.isArray(key) ? key[0] : key,
    })
    request.resume().on('end', () => {
      const answer = answers.shift() ?? { status: 200, body: ping }
      if (answer === 'drop') return void request.socket.destroy()
      response
        .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
        .end(answer.text ?? JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  line = createServiceClient({
    clock: { ...systemClock, now: () => systemClock.now() + wallSkew },
    random: { ...systemRandomness, fraction: () => 0 },
    rates: serviceRates,
    activity: { add: (entry) => entries.push(entry) },
  }).connect({
    accountId: 'a',
    baseUrl: () => baseUrl,
    credentials: () => ({ key: 'svc_live_secretsecretsecret', baseUrl }),
    takesIdempotencyKeys: () => true,
    refusal: () => (refused === null ? null : { problem: refused, since: 0 }),
    refused: (problem) => {
      refused = problem
    },
    dated: (date, sentAt) => void dates.push({ date, sentAt }),
    accepted: () => {
      refused = null
    },
    changed: () => {},
    probe: async () => {},
  })
})

afterEach(async () => {
  line.close()
  server.closeAllConnections()
  await new Promise((resolve) => {
    server.close(resolve)
  })
})

async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Failure)) throw new Error(`expected a Failure, got ${String(error)}`)
  return error.problem
}

test('repeats a read after a lost response, a failed service and a rate limit @long', async () => {
  script.push(
    'drop',
    refusal(500, 'INTERNAL_ERROR'),
    refusal(429, 'RATE_LIMITED', { retryAfterMs: 50 }),
  )
  await expect(line.call('ping', {})).resolves.toMatchObject({ partnerId: 'ptr_1' })
  expect(seen).toHaveLength(4)
  expect(
    entries.map(({ what, outcome, code }) => `${formatMessage(what)} ${outcome} ${code}`),
  ).toEqual([
    'GET /ping unknown ANSWER_LOST',
    'GET /ping failed INTERNAL_ERROR',
    'GET /ping failed RATE_LIMITED',
    'GET /ping ok null',
  ])
})

test('repeats an order with its Idempotency-Key until the service responds', async () => {
  script.push('drop', refusal(409, 'IDEMPOTENCY_IN_PROGRESS'), { status: 201, body: placed })
  await expect(
    line.call('createOrder', { body: order }, { idempotencyKey: 'key-00000001' }),
  ).resolves.toMatchObject({ id: 'ord_1', total: 500 })
  expect(seen.map((request) => request.idempotencyKey)).toEqual([
    'key-00000001',
    'key-00000001',
    'key-00000001',
  ])
})

test('sends an order without a key once, and reports its lost response as unknown', async () => {
  script.push('drop')
  const problem = await problemOf(line.call('createOrder', { body: order }))
  expect(seen).toHaveLength(1)
  expect(problem).toMatchObject({
    code: 'ANSWER_LOST',
    effect: 'We don’t know yet if the order was placed and charged.',
  })
})

test('keeps the outcome unknown when a rejection after a lost response says nothing about the order', async () => {
  script.push('drop', refusal(401, 'UNAUTHORIZED'))
  expect(
    await problemOf(line.call('createOrder', { body: order }, { idempotencyKey: 'key-00000002' })),
  ).toMatchObject({ code: 'ANSWER_LOST' })
  expect(refused).toMatchObject({ code: 'UNAUTHORIZED' })
})

test('reports an order as possibly placed when an unavailable service is followed by a lost response', async () => {
  script.push(refusal(503, 'SERVICE_UNAVAILABLE'), 'drop', refusal(401, 'UNAUTHORIZED'))
  expect(
    await problemOf(line.call('createOrder', { body: order }, { idempotencyKey: 'key-00000007' })),
  ).toMatchObject({
    code: 'ANSWER_LOST',
    effect: 'We don’t know yet if the order was placed and charged.',
  })
  expect(seen).toHaveLength(3)
})

test('uses a later rejection that the service stores under the key as the outcome', async () => {
  script.push('drop', refusal(409, 'PRICE_CHANGED', { productId: 'p1', currentPrice: 5.2 }))
  expect(
    await problemOf(line.call('createOrder', { body: order }, { idempotencyKey: 'key-00000003' })),
  ).toEqual({
    code: 'PRICE_CHANGED',
    what: 'Not ordered: the price went up.',
    effect: 'Nothing was charged.',
    next: 'EUR 5.20 is the price now. Raise the limit or leave it.',
    status: 409,
    requestId: 'req_1',
    retryAfterMs: null,
    details: { productId: 'p1', currentPrice: 5.2 },
  })
})

test('treats a business rejection as final', async () => {
  script.push(refusal(402, 'INSUFFICIENT_BALANCE'))
  expect(
    await problemOf(line.call('createOrder', { body: order }, { idempotencyKey: 'key-00000004' })),
  ).toMatchObject({ code: 'INSUFFICIENT_BALANCE', effect: 'Nothing was charged.' })
  expect(seen).toHaveLength(1)
})

test.each([
  [400, 'VALIDATION_ERROR'],
  [401, 'UNAUTHORIZED'],
  [402, 'INSUFFICIENT_BALANCE'],
  [403, 'INSUFFICIENT_SCOPE'],
  [404, 'NOT_FOUND'],
  [409, 'OUT_OF_STOCK'],
  [409, 'IDEMPOTENCY_CONFLICT'],
  [409, 'DUPLICATE_EXTERNAL_ID'],
  [410, 'SOMETHING_NEW'],
  [422, 'ORDER_LIMIT_EXCEEDED'],
])('treats %i %s as final even for a read', async (status, code) => {
  script.push(refusal(status, code))
  expect(shownCode(await problemOf(line.call('ping', {})))).toBe(code)
  expect(seen).toHaveLength(1)
})

test.each([
  [429, 'RATE_LIMITED'],
  [500, 'INTERNAL_ERROR'],
  [503, 'SERVICE_UNAVAILABLE'],
  [599, 'SOMETHING_NEW'],
  [409, 'IDEMPOTENCY_IN_PROGRESS'],
])('repeats %i %s', async (status, code) => {
  script.push(refusal(status, code, { retryAfterMs: 1 }))
  await line.call('ping', {})
  expect(seen).toHaveLength(2)
})

test.each(['SOMETHING_NEW', 'OFFLINE', 'constructor', 'toString', '__proto__'])(
  'follows the status of a rejection with the code %s, which the service doesn’t document',
  async (code) => {
    script.push(refusal(409, code))
    const call = line.call('createOrder', { body: order })
    await expect(call).rejects.toMatchObject({
      certainty: 'rejected',
      retry: 'never',
      problem: {
        code: 'UNKNOWN_CODE',
        originalCode: code,
        what: `Not ordered: the service reported “${code}”.`,
        effect: 'Nothing was charged.',
        next: 'Follow its advice, or give the request ID to the service’s support.',
        status: 409,
      },
    })
  },
)

test('treats an order as possibly placed when the service fails with a code that Keydesk doesn’t know', async () => {
  script.push(...Array.from({ length: 5 }, () => refusal(500, 'SOMETHING_NEW')))
  await expect(line.call('createOrder', { body: order })).rejects.toMatchObject({
    certainty: 'unknown',
    retry: 'ask',
    problem: {
      code: 'UNKNOWN_CODE',
      originalCode: 'SOMETHING_NEW',
      what: 'The service failed while processing this request.',
      effect: 'We don’t know yet if the order was placed and charged.',
      status: 500,
      requestId: 'req_1',
    },
  })
  expect(entries).toMatchObject([{ outcome: 'failed', code: 'SOMETHING_NEW', status: 500 }])
})

test('sends no request before the Retry-After of a proxy’s 429 or 503, in seconds or a date @long', async () => {
  const date = Date.UTC(2026, 0, 5)
  script.push({
    status: 429,
    text: '<h1>Slow down</h1>',
    headers: {
      'retry-after': new Date(date + 1000).toUTCString(),
      date: new Date(date).toUTCString(),
    },
  })
  const asked = Date.now()
  const call = line.call('ping', {})
  await expect.poll(() => line.state()).toMatchObject({ state: 'slowed' })
  expect(line.state().nextTryAt).toBeGreaterThanOrEqual(asked + 1000)
  await call
  script.push({ status: 503, text: '<h1>Down</h1>', headers: { 'retry-after': '1' } })
  const began = Date.now()
  await line.call('ping', {})
  expect(Date.now() - began).toBeGreaterThanOrEqual(999)
  expect(seen).toHaveLength(4)
})

const hour = 3_600_000
test.each([8 * hour, -8 * hour, 365 * 24 * hour, -60_000])(
  'waits as long as the service asked when the clock is set by %i ms meanwhile',
  async (jump) => {
    const began = performance.now()
    script.push(refusal(429, 'RATE_LIMITED', { retryAfterMs: 1000 }))
    const call = line.call('ping', {})
    await expect.poll(() => line.state().state).toBe('slowed')
    wallSkew += jump
    const shown = (line.state().nextTryAt ?? 0) - systemClock.now() - wallSkew
    expect(Math.abs(shown - 500)).toBeLessThanOrEqual(500)
    await call
    expect(performance.now() - began).toBeGreaterThanOrEqual(999)
    expect(performance.now() - began).toBeLessThan(5000)
    expect(line.state().state).toBe('online')
  },
)

test('sends an order right after the clock was set back', async () => {
  script.push(refusal(429, 'RATE_LIMITED', { retryAfterMs: 1 }))
  await line.call('ping', {})
  wallSkew -= 8 * hour
  script.push({ status: 201, body: placed })
  await expect(line.call('createOrder', { body: order })).resolves.toMatchObject({ id: 'ord_1' })
})

test('holds the connection for five minutes at most after an absurd Retry-After, and says so', async () => {
  script.push({ status: 429, text: 'no', headers: { 'retry-after': '99999999999' } })
  expect(await problemOf(line.call('ping', {}))).toMatchObject({ code: 'BAD_ANSWER', status: 429 })
  const { state, nextTryAt } = line.state()
  expect(state).toBe('slowed')
  expect((nextTryAt ?? 0) - Date.now()).toBeLessThanOrEqual(300_000)
  expect(await problemOf(line.call('createOrder', { body: order }))).toMatchObject({
    code: 'RATE_LIMITED',
    effect: 'Nothing was charged. Nothing was sent.',
  })
  expect(seen).toHaveLength(1)
})

test.each(['', '{"ok":tr', '<html></html>', '{"ok":"yes"}', '[]', 'null'])(
  'rejects a 200 with the body “%s”, and reports its order as possibly placed',
  async (text) => {
    script.push({ status: 200, text }, { status: 201, text })
    expect(await problemOf(line.call('ping', {}))).toMatchObject({ code: 'BAD_ANSWER' })
    expect(
      await problemOf(
        line.call('createOrder', { body: order }, { idempotencyKey: 'key-00000006' }),
      ),
    ).toMatchObject({
      code: 'BAD_ANSWER',
      effect: 'We don’t know yet if the order was placed and charged.',
    })
    expect(seen).toHaveLength(2)
  },
)

test('reports a request that was certainly not sent', async () => {
  server.closeAllConnections()
  await new Promise((resolve) => {
    server.close(resolve)
  })
  expect(await problemOf(line.call('createOrder', { body: order }))).toMatchObject({
    code: 'OFFLINE',
    effect: 'Nothing was charged. Nothing was sent.',
  })
  expect(line.state()).toMatchObject({ state: 'offline' })
  expect(await problemOf(line.call('ping', {}, { priority: 'background' }))).toMatchObject({
    code: 'OFFLINE',
  })
})

test('sends no background call with a rejected key; a person may try, and success restores it', async () => {
  script.push(refusal(401, 'UNAUTHORIZED'))
  expect(await problemOf(line.call('ping', {}, { priority: 'background' }))).toMatchObject({
    code: 'UNAUTHORIZED',
  })
  expect(await problemOf(line.call('ping', {}, { priority: 'background' }))).toMatchObject({
    code: 'UNAUTHORIZED',
  })
  expect(seen).toHaveLength(1)
  expect(line.state().state).toBe('refused')
  await line.call('ping', {})
  expect(line.state().state).toBe('online')
})

test('reports an order that is cancelled in flight as possibly placed', async () => {
  const stop = new AbortController()
  server.prependListener('request', () => stop.abort())
  expect(
    await problemOf(
      line.call(
        'createOrder',
        { body: order },
        { signal: stop.signal, idempotencyKey: 'key-00000005' },
      ),
    ),
  ).toMatchObject({
    code: 'CANCELLED',
    effect: 'We don’t know yet if the order was placed and charged.',
  })
})

test('rejects values that the service can’t accept before anything is sent', async () => {
  const problem = await problemOf(
    line.call('createOrder', { body: { ...order, externalId: 'not allowed!' } }),
  )
  expect(problem).toMatchObject({
    code: 'INVALID_INPUT',
    effect: 'Nothing was sent.',
    fields: [{ field: 'externalId' }],
  })
  expect(seen).toHaveLength(0)
})

test('reports a response that isn’t the service’s, and never follows a redirect', async () => {
  script.push({ status: 302, body: {} })
  expect(await problemOf(line.call('ping', {}))).toMatchObject({ code: 'BAD_ANSWER', status: 302 })
  expect(seen).toHaveLength(1)
})

test('keeps the key and bodies out of the activity', async () => {
  script.push(
    refusal(400, 'VALIDATION_ERROR', [{ field: 'items[0].qty', message: 'must be at most 9' }]),
  )
  const problem = await problemOf(line.call('createOrder', { body: order }))
  expect(problem.fields).toEqual([{ field: 'items[0].qty', message: 'must be at most 9' }])
  expect(JSON.stringify(entries)).not.toMatch(/secret|A-1|p1/)
})

test('counts requests again after a service without limits rejects one for its rate', async () => {
  line.enforceRates(false)
  for (let i = 0; i < 30; i++) await line.call('ping', {})
  expect(line.state().budget).toEqual({ used: 30, limit: null })
  script.push(refusal(429, 'RATE_LIMITED', { retryAfterMs: 20 }))
  await line.call('ping', {}, { priority: 'watch' })
  expect(line.state().budget.limit).toBe(600)
})

test('reports the date of a response with a request id, and of no other response', async () => {
  const date = 'Mon, 07 Dec 2026 10:00:00 GMT'
  script.push(
    { status: 200, body: ping, headers: { date } },
    { status: 200, body: ping, headers: { date, 'x-request-id': 'req_2' } },
    {
      status: 404,
      body: { error: { code: 'NOT_FOUND', message: 'gone', requestId: 'req_3' } },
      headers: { date, 'x-request-id': 'req_3' },
    },
  )
  const began = systemClock.monotonic()
  await line.call('ping', {})
  expect(dates).toEqual([])
  await line.call('ping', {})
  await problemOf(line.call('ping', {}))
  expect(dates.map((each) => each.date)).toEqual([date, date])
  for (const { sentAt } of dates) expect(sentAt).toBeGreaterThanOrEqual(began)
})
