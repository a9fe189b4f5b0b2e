import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Call, Caller } from '../../api/handlers.ts'
import { ApiError, type ErrorCode } from '../../api/errors.ts'
import {
  createTestService,
  partnerCaller,
  sellerCaller,
  type TestService,
} from '../testing/fixture.ts'
import { createIdempotency, type Idempotency } from './idempotency.ts'

let test: TestService
let now: number
let idempotency: Idempotency
/** The orders that exist. */
let placed: Set<string>
beforeEach(() => {
  test = createTestService()
  now = Date.parse('2026-03-01T12:00:00.000Z')
  placed = new Set(['ord_1'])
  const orders = { find: (id: string) => (placed.has(id) ? { id } : undefined) }
  const store = { ...test.store, orders }
  idempotency = createIdempotency({ store, clock: { now: () => now } } as never)
})
afterEach(() => test.close())

interface Request {
  caller: Caller
  key: string
  method: 'POST' | 'PUT'
  path: string
  canonicalBody: string
}
const first: Request = {
  caller: partnerCaller('ptr_1'),
  key: 'key-0001',
  method: 'POST',
  path: '/orders',
  canonicalBody: '{"a":1}',
}
const callOf = ({ caller, ...idempotent }: Request, requestId = 'req_1') =>
  ({ caller, requestId, idempotency: idempotent }) as unknown as Call
const identified = (more: Partial<Request> = {}) =>
  idempotency.identify(callOf({ ...first, ...more }))
const answer = { status: 201, json: '{"id":"ord_1"}' }

describe('an Idempotency-Key (Decision 17)', () => {
  it('is ignored when the request carries none', () => {
    const call = { ...callOf(first), idempotency: null } as Call
    expect(idempotency.identify(call)).toBeNull()
    expect(idempotency.replay(null)).toBeNull()
    idempotency.saveAnswer(null, answer)
    idempotency.saveError(null, new ApiError('OUT_OF_STOCK'), 'req_1')
    idempotency.recordPending(null, 'ord_1')
    idempotency.markInProgress(null, 'ord_1')()
  })

  it.each<[string, Partial<Request>]>([
    ['account', { caller: partnerCaller('ptr_2') }],
    ['mode', { caller: partnerCaller('ptr_1', 'test') }],
    ['API', { caller: sellerCaller('ptr_1') }],
    ['method', { method: 'PUT' }],
    ['path', { path: '/orders/other' }],
    ['key', { key: 'key-0002' }],
  ])('is a different one for another %s', (_what, other) => {
    idempotency.saveAnswer(identified(), answer)
    expect(idempotency.replay(identified())).toEqual({ ...answer, replayed: true })
    expect(idempotency.replay(identified(other))).toBeNull()
  })

  it('belongs to one seller', () => {
    idempotency.saveAnswer(identified({ caller: sellerCaller('slr_1') }), answer)
    expect(idempotency.replay(identified({ caller: sellerCaller('slr_1') }))).toEqual({
      ...answer,
      replayed: true,
    })
    expect(idempotency.replay(identified({ caller: sellerCaller('slr_2') }))).toBeNull()
    expect(idempotency.replay(identified({ caller: { kind: 'dashboard' } }))).toBeNull()
  })

  it('conflicts with another body, even while the first request is running', () => {
    idempotency.recordPending(identified(), 'ord_1')
    idempotency.markInProgress(identified(), 'ord_1')
    expect(() => idempotency.replay(identified({ canonicalBody: '{"a":2}' }))).toThrow(
      expect.objectContaining({ code: 'IDEMPOTENCY_CONFLICT' }),
    )
  })

  it('is in progress until its request ends, and then names the order without a response', () => {
    idempotency.recordPending(identified(), 'ord_1')
    const end = idempotency.markInProgress(identified(), 'ord_1')
    expect(() => idempotency.replay(identified())).toThrow(
      expect.objectContaining({ code: 'IDEMPOTENCY_IN_PROGRESS' }),
    )
    expect(idempotency.replay(identified({ key: 'key-0002' }))).toBeNull()
    idempotency.recordPending(identified({ key: 'key-0003' }), 'ord_3')
    expect(idempotency.replay(identified({ key: 'key-0003' }))).toEqual({ unanswered: 'ord_3' })
    end()
    expect(idempotency.replay(identified())).toEqual({ unanswered: 'ord_1' })
    const scope = identified()?.scope ?? ''
    expect(test.store.idempotency.find(scope, first.key)).toMatchObject({ holdsKeys: false })
  })

  it('can be used again if its order was rolled back while it was in progress', () => {
    const end = idempotency.markInProgress(identified(), 'ord_1')
    placed = new Set(['ord_2'])
    expect(idempotency.replay(identified())).toBeNull()
    idempotency.markInProgress(identified(), 'ord_2')
    end()
    expect(() => idempotency.replay(identified())).toThrow(
      expect.objectContaining({ code: 'IDEMPOTENCY_IN_PROGRESS' }),
    )
  })

  it.each<[code: ErrorCode, replayed: boolean]>([
    ['VALIDATION_ERROR', false],
    ['UNAUTHORIZED', false],
    ['INSUFFICIENT_SCOPE', false],
    ['RATE_LIMITED', false],
    ['SERVICE_UNAVAILABLE', false],
    ['INTERNAL_ERROR', false],
    ['INSUFFICIENT_BALANCE', true],
    ['OUT_OF_STOCK', true],
    ['DAILY_LIMIT_EXCEEDED', true],
  ])('replays the error %s: %s', (code, replayed) => {
    idempotency.saveError(identified(), new ApiError(code, 'Why.', { line: 1 }), 'req_1')
    const stored = test.store.idempotency.find(identified()?.scope ?? '', first.key)
    expect(stored?.holdsKeys).toBe(replayed ? false : undefined)
    if (!replayed) return expect(idempotency.replay(identified())).toBeNull()
    expect(() => idempotency.replay(identified())).toThrow(
      expect.objectContaining({ code, message: 'Why.', details: { line: 1 }, requestId: 'req_1' }),
    )
  })

  it('never replays a defect of the service', () => {
    idempotency.saveError(identified(), new Error('defect'), 'req_1')
    expect(idempotency.replay(identified())).toBeNull()
  })

  it('is kept for 24 hours and deleted then', () => {
    const call = identified()
    idempotency.saveAnswer(call, answer)
    now += 86_400_000 - 1
    idempotency.purge(now)
    expect(idempotency.replay(call)).toEqual({ ...answer, replayed: true })
    now += 1
    expect(idempotency.replay(call)).toBeNull()
    idempotency.purge(now)
    expect(test.store.idempotency.find(call?.scope ?? '', first.key)).toBeUndefined()
  })

  it.each([
    '{"message":"Why.","requestId":"req_1"}',
    '{"code":"NO_SUCH_CODE","message":"Why.","requestId":"req_1"}',
    '{"code":"OUT_OF_STOCK","requestId":"req_1"}',
    '{"code":"OUT_OF_STOCK","message":"Why."}',
  ])('fails rather than replaying the incomplete error %s', (json) => {
    idempotency.saveAnswer(identified(), { status: 409, json })
    expect(() => idempotency.replay(identified())).toThrow("a stored error response isn't readable")
  })
})

describe('an effect that runs once', () => {
  it('is rolled back when its work fails, and its error is replayed', () => {
    let runs = 0
    const run = (requestId: string) =>
      idempotency.runOnce(callOf(first, requestId), 'testWebhook', () => {
        runs += 1
        test.store.idempotency.put({
          scope: 'effect',
          key: 'effect',
          digest: new Uint8Array(32),
          status: 200,
          body: '',
          orderId: null,
          holdsKeys: false,
          expiresAt: now + 1,
        })
        throw new ApiError('INSUFFICIENT_STOCK', 'Why.')
      })
    const refused = expect.objectContaining({ code: 'INSUFFICIENT_STOCK', message: 'Why.' })
    expect(() => run('req_1')).toThrow(refused)
    expect(() => run('req_2')).toThrow(expect.objectContaining({ requestId: 'req_1' }))
    expect(runs).toBe(1)
    expect(test.store.idempotency.find('effect', 'effect')).toBeUndefined()
  })
})
