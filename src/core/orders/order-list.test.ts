import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import { failure } from '../failure.ts'
import { problemOfFailure } from '../testing/failures.ts'
import { ordersFeature } from './orders.ts'
import { orderFacts } from './sync/order-facts.ts'
import { createFakeWorld, orderable, wireOrder } from './testing/fake-service.ts'
import type { FakeWorld } from './testing/fake-service.ts'

const accountId = 'account'
const start = Date.UTC(2026, 0, 5)

let world: FakeWorld
beforeEach(() => {
  world = createFakeWorld([
    orderable('p1', { activationDetails: 'Games › Activate.' }),
    orderable('p2', { activationDetails: null }),
  ])
})
afterEach(() => world.close())

const line = (number: number, changes: Record<string, unknown> = {}) => ({
  line: number,
  productId: `p${number}`,
  name: `Game ${number}`,
  deliveryType: 'key',
  qty: 2,
  unitPrice: 250,
  status: 'completed',
  deliveredQty: 2,
  ...changes,
})
const mirror = (id: string, changes: Record<string, unknown> = {}): void =>
  world.store.write(orderFacts(wireOrder(id, changes) as never, start))
const at = (ms: number): string => new Date(start + ms).toISOString()
const list = (query: Record<string, unknown> = {}) =>
  world.orders.list({ accountId, ...query } as Parameters<typeof world.orders.list>[0])
const ids = (query: Record<string, unknown> = {}): string[] =>
  list(query).rows.map(({ orderId }) => orderId)
const detail = (orderId: string) => world.orders.order({ accountId, orderId })

describe('the list of orders', () => {
  beforeEach(() => {
    mirror('o1', { externalId: 'B', createdAt: at(0), total: 300, status: 'failed', refunded: 300 })
    mirror('o2', {
      externalId: 'C',
      createdAt: at(1),
      total: 100,
      items: [line(1, { name: 'Hollow Tide' })],
    })
    mirror('o3', { externalId: 'A', createdAt: at(2), total: 200, status: 'processing' })
    mirror('o4', { externalId: 'D', createdAt: at(2), total: 200, refunded: 1 })
  })

  test('has totals of all matching orders, and counts by status of all statuses', () => {
    expect(list()).toMatchObject({
      total: 4,
      totalCents: 800,
      refundedCents: 301,
      byStatus: { failed: 1, completed: 2, processing: 1 },
      complete: false,
    })
    expect(list({ statuses: ['failed', 'processing'], window: { offset: 1, limit: 1 } })).toEqual({
      total: 2,
      totalCents: 500,
      refundedCents: 300,
      byStatus: { failed: 1, completed: 2, processing: 1 },
      complete: false,
      rows: [
        {
          orderId: 'o1',
          externalId: 'B',
          status: 'failed',
          mode: 'live',
          totalCents: 300,
          refundedCents: 300,
          createdAt: start,
          completedAt: Date.UTC(2026, 0, 5, 9, 0, 1),
          units: 1,
          deliveredUnits: 1,
          title: 'Ironwharf 3',
          platform: 'Steam',
          releaseAt: null,
          region: 'Global',
          deliveryType: 'key',
          lines: 1,
          keysKept: 0,
        },
      ],
    })
    expect(list({ query: 'nothing' })).toMatchObject({ total: 0, totalCents: 0, rows: [] })
  })

  test.each([
    [{}, 'o3 o4 o2 o1'],
    [{ sort: { column: 'created', direction: 'asc' } }, 'o1 o2 o3 o4'],
    [{ sort: { column: 'total', direction: 'asc' } }, 'o2 o3 o4 o1'],
    [{ sort: { column: 'total', direction: 'desc' } }, 'o1 o3 o4 o2'],
    [{ sort: { column: 'external', direction: 'asc' } }, 'o3 o1 o2 o4'],
    [{ sort: { column: 'status', direction: 'asc' } }, 'o4 o2 o1 o3'],
    [{ from: start + 1 }, 'o3 o4 o2'],
    [{ to: start + 1 }, 'o1'],
    [{ from: start + 1, to: start + 2 }, 'o2'],
    [{ refunded: true }, 'o4 o1'],
    [{ statuses: ['completed'] }, 'o4 o2'],
    [{ query: ' TIDE  hollow ' }, 'o2'],
    [{ query: 'hollow a' }, ''],
    [{ query: 'o1' }, 'o1'],
    [{ window: { offset: 1, limit: 2 } }, 'o4 o2'],
  ])('shows for %j the orders %s', (query, expected) => {
    expect(ids(query).join(' ')).toBe(expected)
  })

  test('shows 100 orders by default', () => {
    for (let index = 0; index < 100; index += 1) mirror(`more-${index}`)
    expect(list().rows).toHaveLength(100)
    expect(list().total).toBe(104)
  })

  test('updates an order and its lines in place', () => {
    mirror('o3', {
      externalId: 'A',
      createdAt: at(2),
      total: 210,
      refunded: 10,
      items: [line(1, { name: 'New', unitPrice: 105, deliveredQty: 1, status: 'failed' })],
    })
    expect(list().total).toBe(4)
    expect(detail('o3')).toMatchObject({
      status: 'completed',
      totalCents: 210,
      refundedCents: 10,
      title: 'New',
      items: [{ name: 'New', unitCents: 105, deliveredQty: 1, status: 'failed' }],
    })
  })

  test('counts as viewed, so that it is polled more often', () => {
    list()
    expect(world.viewed).toEqual(['account orders'])
  })

  test('is complete when the history has been read', () => {
    world.store.setHistory(1, true, null)
    expect(list().complete).toBe(true)
    expect(world.orders.access.isComplete(accountId)).toBe(true)
  })
})

describe('the exported list', () => {
  const csv = (query: Record<string, unknown> = {}) => {
    const file = world.orders.exportList({ accountId, ...query } as Parameters<
      typeof world.orders.exportList
    >[0])
    return { ...file, text: Buffer.from(file.base64, 'base64').toString() }
  }

  test('has one row per line, with the amounts of an order on its first row only', () => {
    mirror('o1', {
      externalId: '=A',
      createdAt: at(0),
      completedAt: null,
      total: 1000,
      refunded: 5,
      items: [line(1), line(2, { deliveredQty: 1 })],
    })
    mirror('o2', { createdAt: at(1000), completedAt: at(2000), items: [], mode: 'test' })
    const { fileName, text } = csv()
    expect(fileName).toBe('orders-2026-01-05.csv')
    expect(text).toBe(
      [
        'Order id,Reference,Mode,Status,Placed (UTC),Completed (UTC),Charged EUR,' +
          'Credited back EUR,Line,Product id,Product,Platform,Region,Delivery,Units,Delivered,' +
          'Unit price EUR,Line total EUR',
        'o2,o2,test,completed,2026-01-05T00:00:01.000Z,2026-01-05T00:00:02.000Z,10.00,0.00,,,,,,,,,,',
        'o1,"\'=A",live,completed,2026-01-05T00:00:00.000Z,,10.00,0.05,1,p1,Game 1,Steam,Global,key,2,2,2.50,5.00',
        'o1,"\'=A",live,completed,2026-01-05T00:00:00.000Z,,,,2,p2,Game 2,Steam,Global,key,2,1,2.50,5.00',
        '',
      ].join('\r\n'),
    )
  })

  test('has exactly the selected orders, also those that no longer match', () => {
    for (const id of ['o1', 'o2', 'o3']) mirror(id)
    const idsIn = (query: Record<string, unknown>): string[] =>
      csv(query)
        .text.split('\r\n')
        .slice(1, -1)
        .map((row) => row.split(',')[0] ?? '')
    expect(idsIn({ orderIds: ['o1', 'o3', 'none'] }).toSorted()).toEqual(['o1', 'o3'])
    const moved = { orderIds: ['o1', 'o3'], query: 'o3', statuses: ['processing'] }
    expect(idsIn(moved).toSorted()).toEqual(['o1', 'o3'])
    expect(idsIn({ orderIds: [] })).toEqual([])
  })

  test('has all matching orders', () => {
    for (let index = 0; index < 150; index += 1) mirror(`a${index}`)
    mirror('b')
    expect(csv({ query: 'a' }).text.split('\r\n')).toHaveLength(153)
    expect(csv({ query: 'b' }).text.split('\r\n')).toHaveLength(3)
  })
})

describe('the details of an order', () => {
  test('contain its lines, its instructions and its failure', () => {
    mirror('o1', {
      externalId: 'R1',
      items: [line(2), line(1), line(3)],
      failure: { code: 'OUT_OF_STOCK', message: 'No keys.' },
      firstDownloadedAt: null,
    })
    expect(detail('o1')).toMatchObject({
      externalId: 'R1',
      items: [
        {
          line: 1,
          productId: 'p1',
          name: 'Game 1',
          deliveryType: 'key',
          qty: 2,
          unitCents: 250,
          status: 'completed',
          deliveredQty: 2,
        },
        { line: 2 },
        { line: 3 },
      ],
      activation: { p1: 'Games › Activate.' },
      failure: { code: 'OUT_OF_STOCK', message: 'No keys.' },
      firstDownloadedAt: null,
      downloadedHereAt: null,
      keys: [],
      uses: [],
      claimUntil: Date.UTC(2026, 0, 12, 9, 0, 1),
      attempt: null,
      readAt: start,
      requestId: null,
    })
  })

  test('leave out the first download if the service does not report it', () => {
    mirror('o1')
    expect(detail('o1')).not.toHaveProperty('firstDownloadedAt')
    expect(detail('o1').failure).toBeNull()
    mirror('o1', { firstDownloadedAt: at(5) })
    expect(detail('o1').firstDownloadedAt).toBe(start + 5)
  })

  test.each([
    ['before its completion', { completedAt: null }],
    ['without a delivered unit', { items: [line(1, { deliveredQty: 0 })] }],
  ])('have no claim window %s', (_when, changes) => {
    mirror('o1', changes)
    expect(detail('o1').claimUntil).toBeNull()
  })

  test('contain the attempt that placed it, without its Idempotency-Key', async () => {
    world.respond['createOrder'] = () => wireOrder('o1', { externalId: 'R1' })
    await world.orders.place({
      accountId,
      externalId: 'R1',
      lines: [{ productId: 'p1', qty: 1, maxUnitCents: cents(1000) }],
      waitSeconds: 0,
    })
    const { attempt, requestId } = detail('o1')
    expect(attempt).toMatchObject({ externalId: 'R1', state: 'placed', chargedCents: 1000 })
    expect(attempt).not.toHaveProperty('idempotencyKey')
    expect(attempt).not.toHaveProperty('waitSeconds')
    expect(requestId).toBeNull()
  })

  test('report an order that is not on this computer', async () => {
    expect(await problemOfFailure(Promise.resolve().then(() => detail('none')))).toMatchObject({
      code: 'NOT_FOUND',
      what: 'Order not found on this computer.',
      next: 'Sync, or check the order list.',
    })
  })
})

describe('an order that is not on this computer', () => {
  const lookUp = () => world.orders.lookUp({ accountId, orderId: 'o9' })
  const fail = (code: 'NOT_FOUND' | 'OFFLINE', status: number | null) => () => {
    throw failure(code, 'Not loaded.', 'Try again.', { status, requestId: 'req-1' })
  }

  test('is read from the service once, for a person who waits', async () => {
    world.respond['getOrder'] = () => wireOrder('o9', { externalId: 'R9' })
    expect(await lookUp()).toMatchObject({ orderId: 'o9', externalId: 'R9' })
    expect(world.calls).toEqual([
      {
        operation: 'getOrder',
        input: { params: { id: 'o9' } },
        options: { priority: 'person' },
      },
    ])
    expect(world.changes).toContainEqual({ topic: 'orders', id: 'o9' })
    expect(await lookUp()).toEqual(detail('o9'))
    expect(world.calls).toHaveLength(1)
    expect(world.notices).toEqual([])
  })

  test('is reported as possibly of the other mode if the service doesn’t have it', async () => {
    world.respond['getOrder'] = fail('NOT_FOUND', 404)
    expect(await problemOfFailure(lookUp())).toMatchObject({
      code: 'NOT_FOUND',
      what: 'The service has no such order for this account’s key.',
      next: 'It may be an order of the other mode, live or test. Check the order list.',
      status: 404,
      requestId: 'req-1',
    })
  })

  test('is reported as not loaded while the service can’t be reached', async () => {
    world.respond['getOrder'] = fail('OFFLINE', null)
    expect(await problemOfFailure(lookUp())).toMatchObject({ code: 'OFFLINE', what: 'Not loaded.' })
  })
})

test('lists the 200 latest attempts, and older ones that are still open', async () => {
  world.respond['createOrder'] = () => {
    throw failure('ANSWER_LOST', 'Lost.', 'Wait.')
  }
  const place = (externalId: string) =>
    world.orders.place({ accountId, externalId, lines: [], waitSeconds: 0 })
  await place('open')
  world.respond['createOrder'] = () => {
    throw failure('PRICE_CHANGED', 'Rejected.', 'Wait.', { status: 409 })
  }
  for (let index = 0; index < 201; index += 1) {
    world.clock.advance(1)
    await place(`R${index}`)
  }
  const attempts = world.orders.attempts({ accountId }).map(({ externalId }) => externalId)
  expect(attempts).toHaveLength(201)
  expect(attempts[0]).toBe('R200')
  expect(attempts.slice(-2)).toEqual(['R1', 'open'])
})

test('gives other features the lines, keys and balance of an account', async () => {
  mirror('o1', { createdAt: at(0), items: [line(1), line(2)] })
  mirror('o2', { createdAt: at(10) })
  const { access } = world.orders
  expect(access.linesBetween(accountId, start, start + 10)).toEqual(
    [1, 2].map((number) => ({
      orderId: 'o1',
      at: start,
      productId: `p${number}`,
      name: `Game ${number}`,
      qty: 2,
      unitCents: 250,
      deliveredQty: 2,
      status: 'completed',
    })),
  )
  expect(access.linesBetween(accountId, start + 1, start + 11)).toHaveLength(1)
  expect(access.order(accountId, 'o1')).toMatchObject({ row: { orderId: 'o1' } })
  expect(access.order(accountId, 'none')).toBeNull()
  expect(access.keysOf(accountId, 'o1')).toEqual([])
  expect(access.balance(accountId)).toBeNull()
  expect(await access.readBalance(accountId)).toBe(true)
  expect(access.balance(accountId)).toEqual({ cents: 5000, at: world.clock.now() })
})

test('rejects a seller account, which has no orders', async () => {
  expect(
    await problemOfFailure(
      Promise.resolve().then(() => world.orders.attempts({ accountId: 'seller' })),
    ),
  ).toMatchObject({
    code: 'NOT_FOUND',
    what: 'A seller account has no orders.',
    next: 'Choose a partner account.',
  })
})

test('adds the balance, the number of orders and their age to the status bar of a partner only', () => {
  mirror('o1')
  const facts = (id: string, role: 'partner' | 'seller') =>
    ordersFeature.facts?.(world.orders, { id, role } as never)
  expect(facts(accountId, 'partner')).toEqual({
    synced: { orders: null, balance: null },
    balance: null,
    counts: { orders: 1 },
  })
  expect(facts('seller', 'seller')).toEqual({})
})

test('reads the newest orders when a person requests a sync', async () => {
  world.syncNow()
  const stop = world.ready()
  await world.settle()
  world.calls.length = 0
  world.syncNow()
  await world.settle()
  stop()
  expect(world.calls.map(({ operation }) => operation)).toEqual(['listOrders', 'getBalance'])
})

test.each([
  ['an order', () => mirror('o1', { externalId: 'A' }), true],
  ['an order with another reference', () => mirror('o1', { externalId: 'AB' }), false],
])('counts a reference as used: %s', (_what, prepare, used) => {
  prepare()
  expect(world.store.isUsed('A')).toBe(used)
})

test('describes an order by the first of its attempts', () => {
  for (const [attemptId, writtenAt] of [
    ['a', 2],
    ['b', 1],
    ['c', 3],
  ] as const) {
    world.store.writeAttempt({
      attemptId,
      externalId: 'R1',
      idempotencyKey: attemptId,
      lines: [],
      waitSeconds: 0,
      atMostCents: cents(0),
      chargedCents: null,
      state: 'sending',
      orderId: null,
      problem: null,
      writtenAt,
      settledAt: null,
    })
    world.store.settleAttempt(attemptId, {
      state: 'placed',
      orderId: 'o1',
      problem: null,
      settledAt: 4,
    })
  }
  expect(world.store.attemptOf('o1')?.attemptId).toBe('b')
})

test('adds up the orders placed since a time, and the credits since then of all orders', () => {
  const credited = (id: string, createdAt: number, completedAt: number | null, refunded: number) =>
    mirror(id, {
      createdAt: at(createdAt),
      completedAt: completedAt === null ? null : at(completedAt),
      refunded,
    })
  credited('before', 0, 9, 100)
  credited('since', 1, 10, 20)
  credited('new', 11, 12, 3)
  credited('open', 10, null, 0)
  expect(world.orders.access.newsSince(accountId, start + 10)).toEqual({
    orders: 2,
    creditedCents: 23,
  })
  expect(world.orders.access.newsSince(accountId, start + 13)).toEqual({
    orders: 0,
    creditedCents: 0,
  })
})
