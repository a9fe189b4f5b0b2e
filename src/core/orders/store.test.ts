import DatabaseConstructor from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import type { ProblemCode } from '../../contract/problem-codes.ts'
import { failure } from '../failure.ts'
import { migrate } from '../mirror/database/migrate.ts'
import { ordersFeature } from './orders.ts'
import type { AttemptRecord } from './attempt-store.ts'
import { ordersSchemas } from './schema.ts'
import { createOrderStore } from './store.ts'
import type { OrderStore } from './store.ts'
import { orderFacts } from './sync/order-facts.ts'
import { createFakeWorld, orderable, wireOrder } from './testing/fake-service.ts'
import type { FakeWorld } from './testing/fake-service.ts'

const accountId = 'account'
const start = Date.UTC(2026, 0, 5)

let world: FakeWorld
let store: OrderStore
beforeEach(() => {
  world = createFakeWorld([orderable('p1'), orderable('p2')])
  store = world.store
})
afterEach(() => world.close())

const mirror = (id: string, changes: Record<string, unknown> = {}, readAt = start): void =>
  store.write(orderFacts(wireOrder(id, changes) as never, readAt))
const at = (ms: number): string => new Date(start + ms).toISOString()
const line = (productId: string, unitPrice: number, number = 1) => ({
  line: number,
  productId,
  name: `Game ${productId}`,
  deliveryType: 'key',
  qty: 1,
  unitPrice,
  status: 'completed',
  deliveredQty: 1,
})
const attempt = (attemptId: string, changes: Partial<AttemptRecord> = {}): AttemptRecord => ({
  attemptId,
  externalId: `R-${attemptId}`,
  idempotencyKey: `key-${attemptId}`,
  lines: [{ productId: 'p1', name: 'Game p1', qty: 2, maxUnitCents: cents(500) }],
  waitSeconds: 25,
  atMostCents: cents(1000),
  chargedCents: null,
  state: 'sending',
  orderId: null,
  problem: null,
  writtenAt: start,
  settledAt: null,
  ...changes,
})

describe('an order attempt', () => {
  test('is read as it was written, with what its order was charged', () => {
    store.writeAttempt(attempt('a'))
    expect(store.attempt('a')).toEqual(attempt('a'))
    expect(store.attempt('none')).toBeNull()
    mirror('o1', { total: 900 })
    store.settleAttempt('a', {
      state: 'placed',
      orderId: 'o1',
      problem: null,
      settledAt: start + 5,
    })
    expect(store.attemptOf('o1')).toEqual(
      attempt('a', {
        state: 'placed',
        orderId: 'o1',
        settledAt: start + 5,
        chargedCents: cents(900),
      }),
    )
    expect(store.attemptOf('o2')).toBeNull()
  })

  test('keeps the problem of its rejection, and is settled only once', () => {
    const { problem } = failure('PRICE_CHANGED', 'The price changed.', 'Read it again.')
    store.writeAttempt(attempt('a'))
    store.settleAttempt('a', { state: 'unknown', orderId: null, problem: null, settledAt: null })
    store.settleAttempt('a', { state: 'refused', orderId: null, problem, settledAt: start + 5 })
    store.settleAttempt('a', { state: 'placed', orderId: 'o1', problem: null, settledAt: start })
    expect(store.attempt('a')).toMatchObject({
      state: 'refused',
      orderId: null,
      problem,
      settledAt: start + 5,
    })
  })

  test('is open until its outcome is known, oldest first', () => {
    store.writeAttempt(attempt('later', { writtenAt: start + 1 }))
    store.writeAttempt(attempt('earlier'))
    store.writeAttempt(attempt('done'))
    store.settleAttempt('done', { state: 'placed', orderId: 'o', problem: null, settledAt: 1 })
    store.settleAttempt('later', {
      state: 'unknown',
      orderId: null,
      problem: null,
      settledAt: null,
    })
    expect(store.openAttempts().map(({ attemptId }) => attemptId)).toEqual(['earlier', 'later'])
  })
})

describe('a reference', () => {
  test('is used by an attempt, unless the service rejected it', () => {
    store.writeAttempt(attempt('a'))
    expect([store.isUsed('R-a'), store.isUsed('R')]).toEqual([true, false])
    store.settleAttempt('a', { state: 'refused', orderId: null, problem: null, settledAt: 1 })
    expect(store.isUsed('R-a')).toBe(false)
  })

  test('is used if the service rejected it because another order has it', () => {
    const problemOf = (code: ProblemCode) => failure(code, 'Rejected.', 'Choose another.').problem
    for (const [attemptId, code] of [
      ['taken', 'DUPLICATE_EXTERNAL_ID'],
      ['free', 'OUT_OF_STOCK'],
    ] as const) {
      store.writeAttempt(attempt(attemptId))
      store.settleAttempt(attemptId, {
        state: 'refused',
        orderId: null,
        problem: problemOf(code),
        settledAt: 1,
      })
    }
    store.writeAttempt(attempt('damaged'))
    store.settleAttempt('damaged', { state: 'refused', orderId: null, problem: null, settledAt: 1 })
    world.db.exec(`UPDATE order_attempts SET problem = '{' WHERE attempt_id = 'damaged'`)
    expect(['R-taken', 'R-free', 'R-damaged'].map(store.isUsed)).toEqual([true, false, false])
  })

  test('is used by a bulk order that waits to be sent, until it is cancelled', () => {
    const { bulkId } = world.orders.placeMany({
      accountId,
      name: 'orders.csv',
      orders: [{ externalId: 'B', lines: attempt('a').lines }],
    })
    expect(store.isUsed('B')).toBe(true)
    world.orders.controlBulk({ accountId, bulkId, action: 'cancel' })
    expect(store.isUsed('B')).toBe(false)
  })
})

test('lists the orders that the service processes, oldest first', () => {
  mirror('o1', { status: 'processing', createdAt: at(2) }, start + 7)
  mirror('o2', { status: 'processing', createdAt: at(1) })
  mirror('o3')
  expect(store.processing()).toEqual([
    { orderId: 'o2', readAt: start },
    { orderId: 'o1', readAt: start + 7 },
  ])
  expect([store.isFinal('o1'), store.isFinal('o3'), store.isFinal('none')]).toEqual([
    false,
    true,
    false,
  ])
  expect([store.statusOf('o1'), store.statusOf('none')]).toEqual(['processing', undefined])
})

test('counts as spent the charges of later orders, without what was credited back', () => {
  expect(store.spentSince(start)).toBe(0)
  mirror('o1', { createdAt: at(0), total: 1000 })
  mirror('o2', { createdAt: at(1), total: 900, refunded: 300 })
  mirror('o3', { createdAt: at(2), total: 50 })
  expect(store.spentSince(start)).toBe(650)
})

test('finds the unit price of the latest order of each product', () => {
  mirror('o1', { createdAt: at(2), items: [line('p1', 300), line('p2', 70, 2)] })
  mirror('o2', { createdAt: at(1), items: [line('p1', 200)] })
  mirror('o3', { createdAt: at(3), items: [line('p3', 900)] })
  expect([...store.lastPaid(['p1', 'p2', 'none'])].toSorted()).toEqual([
    ['p1', 300],
    ['p2', 70],
  ])
})

test('remembers how far the history was read, and the last balance', () => {
  expect(store.history()).toEqual({ nextPage: 1, complete: false, readAt: null, balance: null })
  store.setHistory(4, false, null)
  store.setHistory(5, true, start)
  store.setHistory(1, true, null)
  store.setBalance(cents(700), start + 1)
  expect(store.history()).toEqual({
    nextPage: 1,
    complete: true,
    readAt: start,
    balance: { cents: 700, at: start + 1 },
  })
})

test('counts orders in progress: waiting, in doubt, and processed by the service', () => {
  const inProgress = (id: string, role: string) =>
    ordersFeature.unfinished?.(world.orders, { id, role } as never)
  expect(inProgress(accountId, 'partner')).toEqual({ ordersInProgress: 0 })
  expect(inProgress('seller', 'seller')).toEqual({})
  const place = (externalIds: string[]) =>
    world.orders.placeMany({
      accountId,
      name: 'orders.csv',
      orders: externalIds.map((externalId) => ({ externalId, lines: attempt('a').lines })),
    })
  const { bulkId } = place(['A', 'B'])
  expect(world.orders.inProgress(accountId)).toBe(2)
  place(['C'])
  mirror('o1', { status: 'processing' })
  store.writeAttempt(attempt('a'))
  expect(world.orders.inProgress(accountId)).toBe(5)
  expect(world.orders.unanswered(accountId)).toBe(1)
  world.orders.controlBulk({ accountId, bulkId, action: 'cancel' })
  expect(world.orders.inProgress(accountId)).toBe(3)
})

test('finds the orders and credits since a time in indexes, without reading all orders', () => {
  const db = new DatabaseConstructor(':memory:')
  migrate(
    db,
    ordersSchemas.map((schema) => ({ ...schema, feature: schema.place ?? 'mirror' })),
  )
  const prepare = vi.spyOn(db, 'prepare')
  createOrderStore(db)
  const sql = prepare.mock.calls.map(([text]) => text).find((text) => /creditedCents/.test(text))
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all({ since: 1 }) as { detail: string }[]
  const reads = steps.map(({ detail }) => detail).filter((detail) => /orders/.test(detail))
  expect(reads).toHaveLength(2)
  for (const read of reads) expect(read).toMatch(/^SEARCH orders USING (?:COVERING )?INDEX orders_/)
  db.close()
})
