import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { ProblemCode } from '../../../contract/problem-codes.ts'
import { failure } from '../../failure.ts'
import { problemOfFailure } from '../../testing/failures.ts'
import { createTableWorld } from '../testing/table-world.ts'
import type { TableWorld } from '../testing/table-world.ts'

const accountId = 'account'
const minute = 60_000

let table: TableWorld
let world: TableWorld['world']
let stop: TableWorld['stop']
let placeMany: TableWorld['placeMany']
let sent: TableWorld['sent']
let bulk: TableWorld['bulk']
let job: TableWorld['job']
let reject: TableWorld['reject']
beforeEach(async () => {
  table = await createTableWorld()
  ;({ world, stop, placeMany, sent, bulk, job, reject } = table)
})
afterEach(() => table.close())

test('places the orders of a table one after the other, and shows the progress as one job', async () => {
  const jobs: unknown[] = []
  const place = world.respond['createOrder']
  world.respond['createOrder'] = async (call) => {
    jobs.push(job('id-1')?.job)
    await world.settle()
    return place?.(call)
  }
  const started = placeMany('A', 'B')
  expect(started).toEqual({
    bulkId: 'id-1',
    name: 'orders.csv',
    state: 'running',
    startedAt: world.clock.now(),
    problem: null,
    counts: { waiting: 2, open: 0, placed: 0, refused: 0, left: 0 },
    chargedCents: 0,
    orders: ['A', 'B'].map((externalId) => ({
      externalId,
      title: '2 × Ironwharf 3',
      atMostCents: 1400,
      state: 'waiting',
      orderId: null,
      chargedCents: null,
      problem: null,
    })),
  })
  await world.settle()
  expect(sent()).toEqual(['A'])
  expect(bulk('id-1').counts).toMatchObject({ waiting: 1, open: 1 })
  await world.settle()
  await world.settle()
  await world.settle()
  expect(sent()).toEqual(['A', 'B'])
  expect(world.calls.find(({ operation }) => operation === 'createOrder')).toMatchObject({
    input: { query: { wait: 0 } },
    options: { priority: 'watch' },
  })
  const shown = {
    id: 'orders-id-1',
    kind: 'orders',
    accountId,
    title: 'Orders',
    state: 'running',
    total: 2,
    leftMs: null,
  }
  expect(jobs).toEqual([
    { ...shown, done: 0 },
    { ...shown, done: 1 },
  ])
  expect(bulk('id-1')).toMatchObject({
    state: 'done',
    counts: { waiting: 0, open: 0, placed: 2, refused: 0, left: 0 },
    chargedCents: 2000,
    orders: [
      { state: 'placed', orderId: 'ord-A', chargedCents: 1000 },
      { state: 'placed', orderId: 'ord-B', chargedCents: 1000 },
    ],
  })
  expect(job('id-1')).toBeUndefined()
  expect(world.changes).toContainEqual({ topic: 'orders', id: 'id-1' })
  const [listed] = world.orders.bulks({ accountId })
  expect(listed).toMatchObject({ bulkId: 'id-1', state: 'done' })
  expect(listed).not.toHaveProperty('orders')
})

test('names the first product and the number of other lines of an order', async () => {
  stop()
  const line = { productId: 'p1', qty: 1, maxUnitCents: cents(700) }
  const { orders } = world.orders.placeMany({
    accountId,
    name: 'x',
    orders: [{ externalId: 'A', lines: [line, { ...line, productId: 'p9', qty: 3 }, line] }],
  })
  expect(orders).toMatchObject([{ title: '1 × Ironwharf 3 and 2 more', atMostCents: 3500 }])
  expect(world.store.isUsed('A')).toBe(true)
  await world.settle()
  expect(sent()).toEqual([])
})

test.each<ProblemCode>(['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'OFFLINE', 'CANCELLED'])(
  'sends an order again after the rejection %s: after 2 s, or when the service specifies it',
  async (code) => {
    reject([code])
    const { bulkId } = placeMany('A', 'B')
    await world.settle()
    expect(bulk(bulkId)).toMatchObject({ state: 'running', problem: null, counts: { waiting: 2 } })
    world.clock.advance(1999)
    await world.settle()
    expect(sent()).toEqual(['A'])
    world.clock.advance(1)
    await world.settle()
    expect(sent()).toEqual(['A', 'A', 'B'])
    expect(bulk(bulkId)).toMatchObject({ state: 'done', counts: { placed: 2, refused: 0 } })

    reject([code], { retryAfterMs: 5000 })
    placeMany('C')
    await world.settle()
    world.clock.advance(4999)
    await world.settle()
    expect(sent()).toEqual(['A', 'A', 'B', 'C'])
    world.clock.advance(1)
    await world.settle()
    expect(sent()).toEqual(['A', 'A', 'B', 'C', 'C'])
  },
)

test.each<ProblemCode>([
  'INSUFFICIENT_BALANCE',
  'DAILY_LIMIT_EXCEEDED',
  'UNAUTHORIZED',
  'ACCOUNT_NOT_ACTIVE',
  'IP_NOT_ALLOWED',
  'INSUFFICIENT_SCOPE',
  'KEY_MISSING',
])('pauses after the rejection %s, and sends the same order when resumed', async (code) => {
  reject([code])
  const { bulkId } = placeMany('A', 'B')
  await world.settle()
  expect(sent()).toEqual(['A'])
  expect(bulk(bulkId)).toMatchObject({
    state: 'paused',
    problem: { code },
    counts: { waiting: 2, refused: 0 },
  })
  expect(job(bulkId)?.job).toMatchObject({ state: 'paused', done: 0, total: 2 })
  world.clock.advance(60 * minute)
  await world.settle()
  expect(sent()).toEqual(['A'])
  expect(world.orders.controlBulk({ accountId, bulkId, action: 'resume' })).toMatchObject({
    state: 'running',
    problem: null,
  })
  await world.settle()
  expect(sent()).toEqual(['A', 'A', 'B'])
})

test('continues with the next order after a rejection that concerns only one', async () => {
  reject(['PRICE_CHANGED'])
  const { bulkId } = placeMany('A', 'B')
  await world.settle()
  expect(bulk(bulkId)).toMatchObject({
    state: 'done',
    counts: { waiting: 0, placed: 1, refused: 1 },
    chargedCents: 1000,
    orders: [{ state: 'refused', problem: { code: 'PRICE_CHANGED' } }, { state: 'placed' }],
  })
})

test.each<ProblemCode>([
  'ANSWER_LOST',
  // Cancelled after it was sent: the service may have the order.
  'CANCELLED',
])('never queues an order again whose outcome is unknown: %s', async (code) => {
  const place = world.respond['createOrder']
  world.respond['createOrder'] = (call) => {
    if (call.input.body.externalId === 'A') throw failure(code, 'Lost.', 'Wait.')
    return place?.(call)
  }
  const { bulkId } = placeMany('A', 'B')
  await world.settle()
  expect(sent()).toEqual(['A', 'B'])
  expect(bulk(bulkId)).toMatchObject({ state: 'done', counts: { open: 1, placed: 1 } })
})

describe('the balance', () => {
  const reads = (): number =>
    world.calls.filter(({ operation }) => operation === 'getBalance').length

  test('is read once more when the last order was placed', async () => {
    world.respond['getBalance'] = () => ({ balance: 4000 })
    placeMany('A', 'B', 'C')
    for (let turn = 0; turn < 4; turn += 1) await world.settle()
    expect(reads()).toBe(1)
    expect(world.orders.access.balance(accountId)?.cents).toBe(4000)
  })

  test('is read every 5 seconds during a long run', async () => {
    const place = world.respond['createOrder']
    world.respond['createOrder'] = (call) => {
      world.clock.advance(2500)
      return place?.(call)
    }
    placeMany('A', 'B', 'C', 'D')
    for (let turn = 0; turn < 4; turn += 1) await world.settle()
    expect(reads()).toBe(2)
  })

  test('is not read if nothing was placed, and a failed read stops no order', async () => {
    reject(['PRICE_CHANGED'])
    placeMany('A')
    await world.settle()
    expect(reads()).toBe(0)
    world.respond['getBalance'] = () => {
      throw failure('OFFLINE', 'No network.', 'Wait.')
    }
    const { bulkId } = placeMany('B')
    await world.settle()
    expect(bulk(bulkId).state).toBe('done')
    expect(world.reports).toEqual([])
  })
})

describe('a person', () => {
  test('pauses, resumes and cancels a bulk order between two orders', async () => {
    const place = world.respond['createOrder']
    world.respond['createOrder'] = (call) => {
      job('id-1')?.controls['pause']?.()
      return place?.(call)
    }
    const { bulkId } = placeMany('A', 'B', 'C')
    await world.settle()
    expect(sent()).toEqual(['A'])
    expect(bulk(bulkId)).toMatchObject({ state: 'paused', problem: null })
    job(bulkId)?.controls['resume']?.()
    await world.settle()
    expect(sent()).toEqual(['A', 'B'])
    expect(job(bulkId)?.job).toMatchObject({ state: 'paused', done: 2, total: 3 })
    job(bulkId)?.controls['cancel']?.()
    await world.settle()
    expect(bulk(bulkId)).toMatchObject({
      state: 'cancelled',
      counts: { waiting: 0, placed: 2, left: 1 },
      orders: [{ state: 'placed' }, { state: 'placed' }, { state: 'left' }],
    })
    expect(job(bulkId)).toBeUndefined()
    expect(sent()).toEqual(['A', 'B'])
    expect(world.store.isUsed('C')).toBe(false)
  })

  test.each<ProblemCode>(['INSUFFICIENT_BALANCE', 'RATE_LIMITED'])(
    'cancels orders while one is being sent, which is then rejected with %s',
    async (code) => {
      reject([code])
      const place = world.respond['createOrder']
      world.respond['createOrder'] = (call) => {
        job('id-1')?.controls['cancel']?.()
        return place?.(call)
      }
      const { bulkId } = placeMany('A', 'B')
      await world.settle()
      world.clock.advance(60_000)
      await world.settle()
      expect(bulk(bulkId)).toMatchObject({
        state: 'cancelled',
        problem: null,
        counts: { waiting: 0, left: 2 },
      })
      expect(job(bulkId)).toBeUndefined()
      expect(sent()).toEqual(['A'])
      expect(world.store.isUsed('A')).toBe(false)
    },
  )

  test('resumes orders while the balance is read after a pause', async () => {
    const place = world.respond['createOrder']
    const balance = Promise.withResolvers<unknown>()
    world.respond['getBalance'] = () => balance.promise
    world.respond['createOrder'] = (call) => {
      world.respond['createOrder'] = place ?? (() => null)
      job('id-1')?.controls['pause']?.()
      return place?.(call)
    }
    const { bulkId } = placeMany('A', 'B')
    await world.settle()
    job(bulkId)?.controls['resume']?.()
    await world.settle()
    expect(sent()).toEqual(['A', 'B'])
    expect(bulk(bulkId).state).toBe('done')
    balance.resolve(null)
  })

  test('resumes a running bulk order without sending two orders at the same time', async () => {
    let [inFlight, most] = [0, 0]
    const place = world.respond['createOrder']
    world.respond['createOrder'] = async (call) => {
      inFlight += 1
      most = Math.max(most, inFlight)
      await world.settle()
      inFlight -= 1
      return place?.(call)
    }
    const { bulkId } = placeMany('A', 'B')
    world.orders.controlBulk({ accountId, bulkId, action: 'resume' })
    await world.settle()
    world.orders.controlBulk({ accountId, bulkId, action: 'resume' })
    for (let turn = 0; turn < 5; turn += 1) await world.settle()
    expect(sent()).toEqual(['A', 'B'])
    expect(most).toBe(1)
  })

  test('pauses a bulk order that waits for the connection', async () => {
    let connect = (): void => {}
    world.state.ready = new Promise((resolve) => {
      connect = resolve
    })
    const { bulkId } = placeMany('A')
    await world.settle()
    world.orders.controlBulk({ accountId, bulkId, action: 'pause' })
    connect()
    await world.settle()
    expect(sent()).toEqual([])
    expect(bulk(bulkId)).toMatchObject({ state: 'paused', counts: { waiting: 1 } })
  })

  test("can't change finished or unknown bulk orders", async () => {
    const control = (bulkId: string) =>
      problemOfFailure(
        Promise.resolve().then(() =>
          world.orders.controlBulk({ accountId, bulkId, action: 'resume' }),
        ),
      )
    const { bulkId: done } = placeMany('A')
    await world.settle()
    const conflict = {
      code: 'CONFLICT',
      what: 'These orders are already finished.',
      effect: 'Nothing was changed.',
      next: 'Check the result of each order.',
    }
    expect(await control(done)).toMatchObject(conflict)
    const { bulkId: cancelled } = placeMany('B')
    world.orders.controlBulk({ accountId, bulkId: cancelled, action: 'cancel' })
    expect(await control(cancelled)).toMatchObject(conflict)
    const missing = {
      code: 'NOT_FOUND',
      what: 'Bulk order not found on this computer.',
      next: 'Check the order list.',
    }
    expect(await control('none')).toMatchObject(missing)
    expect(await problemOfFailure(Promise.resolve().then(() => bulk('none')))).toMatchObject(
      missing,
    )
  })
})

test.each([
  ['a reference that occurs twice', ['A', 'B', 'A'], 'A'],
  ['a reference of an existing order', ['A', 'USED'], 'USED'],
])('sends none of the orders of a table with %s', async (_why, externalIds, named) => {
  await world.orders.place({ accountId, externalId: 'USED', lines: [], waitSeconds: 0 })
  world.calls.length = 0
  expect(
    await problemOfFailure(Promise.resolve().then(() => placeMany(...externalIds))),
  ).toMatchObject({
    code: 'ATTEMPT_OPEN',
    what: `An order with the reference ${named} already exists.`,
    next: 'Remove it from the table, or give it another reference.',
    effect: 'None of the orders was sent.',
  })
  await world.settle()
  expect(sent()).toEqual([])
  expect(world.orders.bulks({ accountId })).toEqual([])
})
