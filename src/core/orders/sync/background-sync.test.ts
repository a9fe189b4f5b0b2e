import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failure } from '../../failure.ts'
import { formatMessages } from '../../testing/format-messages.ts'
import { createFakeWorld, wireOrder } from '../testing/fake-service.ts'
import type { FakeWorld } from '../testing/fake-service.ts'
import { refreshBalance, syncOrders } from './order-sync.ts'

const accountId = 'account'
const listCall = (page: number) => ({
  operation: 'listOrders',
  input: { query: { page, limit: 100 } },
  options: { priority: 'background' },
})

let world: FakeWorld
let stop: () => void
beforeEach(() => {
  world = createFakeWorld()
  stop = () => {}
})
afterEach(async () => {
  stop()
  await world.close()
})

/** The service's orders, newest first. */
function has(orders: readonly ReturnType<typeof wireOrder>[]): void {
  world.respond['listOrders'] = ({ input }) => ({
    results: orders.slice((input.query.page - 1) * 100, input.query.page * 100),
  })
  world.respond['getOrder'] = ({ input }) => orders.find(({ id }) => id === input.params.id)
}
const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => wireOrder(`o${from + index}`))
const sync = (signal = new AbortController().signal) =>
  syncOrders(world.context, accountId, world.store, world.context.connection(accountId), signal)
const pages = (): number[] =>
  world.calls
    .filter(({ operation }) => operation === 'listOrders')
    .map(({ input }) => input.query.page)
const requested = (operation: string): number =>
  world.calls.filter((call) => call.operation === operation).length

describe('a sync of the orders', () => {
  test('reads all pages the first time, then only pages with orders that are not settled', async () => {
    has(many(250))
    expect(await sync()).toBe(true)
    expect(world.calls).toMatchObject([listCall(1), listCall(2), listCall(3)])
    expect(world.store.count()).toBe(250)
    expect(world.store.history()).toMatchObject({ complete: true, nextPage: 1 })
    expect(world.changes).toEqual(Array.from({ length: 3 }, () => ({ topic: 'orders', id: null })))

    world.calls.length = 0
    world.changes.length = 0
    expect(await sync()).toBe(false)
    expect(pages()).toEqual([1])
    expect(world.changes).toEqual([])

    world.calls.length = 0
    has([...many(1, 1000), ...many(250)])
    expect(await sync()).toBe(true)
    expect(pages()).toEqual([1, 2])
    expect(world.store.count()).toBe(251)
    expect(world.changes).toEqual([{ topic: 'orders', id: null }])
  })

  test('continues past a page while one of its orders is being delivered', async () => {
    has([wireOrder('p', { status: 'processing' }), ...many(150)])
    await sync()
    world.calls.length = 0
    await sync()
    expect(pages()).toEqual([1, 2])
  })

  test('requests the page after exactly 100 orders, and is complete after an empty one', async () => {
    has(many(100))
    await sync()
    expect(pages()).toEqual([1, 2])
    expect(world.store.history()).toMatchObject({ complete: true, nextPage: 1 })
  })

  test('resumes at the page it stopped at', async () => {
    has(many(350))
    const respond = world.respond['listOrders']
    world.respond['listOrders'] = (call) => {
      if (call.input.query.page === 3) throw failure('OFFLINE', 'No network.', 'Wait.')
      return respond?.(call)
    }
    await expect(sync()).rejects.toThrow('OFFLINE')
    expect(world.store.history()).toMatchObject({ complete: false, nextPage: 2 })
    world.respond['listOrders'] = respond ?? (() => null)
    world.calls.length = 0
    await sync()
    expect(pages()).toEqual([2, 3, 4])
  })

  test.each([
    ['processing', 'failed', 'Order failed: R1'],
    ['processing', 'partially_completed', 'Order partially delivered: R1'],
    ['processing', 'completed', null],
    ['failed', 'failed', null],
    ['completed', 'partially_completed', null],
    [null, 'failed', null],
  ])('of an order that was %s and is now %s notifies: %s', async (before, after, title) => {
    const order = (status: string) =>
      wireOrder('o/1', { externalId: 'R1', status, refunded: status === 'completed' ? 0 : 250 })
    if (before !== null) {
      has([order(before)])
      await sync()
    }
    has([order(after)])
    await sync()
    expect(formatMessages(world.notices)).toMatchObject(
      title === null
        ? []
        : [
            {
              accountId,
              kind: 'order-failed',
              title,
              text: expect.stringMatching(/Ironwharf 3.*1 of 1 delivered.*EUR 2\.50/),
              path: '/orders/o%2F1',
            },
          ],
    )
  })

  test.each([
    [3, ['Order failed: o0', 'Order failed: o1', 'Order failed: o2']],
    [4, [expect.stringContaining('4 orders')]],
  ])('with %i orders that failed names at most three', async (count, titles) => {
    const orders = (status: string) => many(count).map((order) => ({ ...order, status }))
    has(orders('processing'))
    await sync()
    has(orders('failed'))
    await sync()
    const notices = formatMessages(world.notices) as { title: string }[]
    expect(notices.map(({ title }) => title)).toEqual(titles)
    if (count === 4)
      expect(notices).toMatchObject([
        {
          accountId,
          kind: 'order-failed',
          text: expect.stringMatching(/credited/),
          path: '/orders',
        },
      ])
  })
})

test('the balance notifies only about a change', async () => {
  const read = () => refreshBalance(world.context, accountId, world.store)
  expect(await read()).toBe(true)
  expect(world.calls).toEqual([
    { operation: 'getBalance', input: {}, options: { priority: 'watch' } },
  ])
  expect(world.changes).toEqual([{ topic: 'balance', id: null }])
  world.clock.advance(1000)
  expect(await read()).toBe(false)
  expect(world.changes).toHaveLength(1)
  expect(world.orders.access.balance(accountId)).toEqual({ cents: 5000, at: world.clock.now() })
  world.respond['getBalance'] = () => ({ balance: 4999 })
  expect(await read()).toBe(true)
})

describe('background work', () => {
  test('reads the orders and the balance', async () => {
    has(many(2))
    stop = world.ready()
    await world.settle()
    expect(world.orders.facts(accountId)).toEqual({
      synced: { orders: world.clock.now(), balance: world.clock.now() },
      balance: { cents: 5000, at: world.clock.now() },
      counts: { orders: 2 },
    })
    expect(requested('getOrder')).toBe(0)
  })

  test.each([
    ['new orders', 1, 5000, 30_000],
    ['another balance', 0, 4999, 30_000],
    ['neither', 0, 5000, 45_000],
  ])(
    'polls again sooner if orders or the balance changed: %s',
    async (_, newOrders, balance, pauseMs) => {
      await refreshBalance(world.context, accountId, world.store)
      has(many(newOrders))
      world.respond['getBalance'] = () => ({ balance })
      stop = world.ready()
      await world.settle()
      expect(requested('listOrders')).toBe(1)
      world.clock.advance(pauseMs - 1)
      await world.settle()
      expect(requested('listOrders')).toBe(1)
      world.clock.advance(1)
      await world.settle()
      expect(requested('listOrders')).toBe(2)
    },
  )

  test('looks for deliveries every 10 seconds', async () => {
    stop = world.ready()
    await world.settle()
    has([wireOrder('o1', { status: 'processing' })])
    await sync()
    world.clock.advance(9999)
    await world.settle()
    expect(requested('getOrder')).toBe(0)
    world.clock.advance(1)
    await world.settle()
    expect(requested('getOrder')).toBe(1)
  })

  test('requests an order that is being delivered every 2 seconds, until it is settled', async () => {
    has([wireOrder('o1', { status: 'processing' }), wireOrder('o2')])
    await sync()
    stop = world.ready()
    await world.settle()
    for (let pass = 0; pass < 3; pass += 1) {
      world.calls.length = 0
      world.clock.advance(1999)
      await world.settle()
      expect(requested('getOrder')).toBe(0)
      world.clock.advance(1)
      await world.settle()
      expect(world.calls.filter(({ operation }) => operation === 'getOrder')).toMatchObject([
        { input: { params: { id: 'o1' } }, options: { priority: 'watch' } },
      ])
    }
    world.changes.length = 0
    has([wireOrder('o1', { externalId: 'R1', status: 'failed' }), wireOrder('o2')])
    world.clock.advance(2000)
    await world.settle()
    expect(world.store.statusOf('o1')).toBe('failed')
    expect(world.changes).toContainEqual({ topic: 'orders', id: 'o1' })
    expect(formatMessages(world.notices)).toMatchObject([{ title: 'Order failed: R1' }])
    world.calls.length = 0
    world.clock.advance(2000)
    await world.settle()
    expect(requested('getOrder')).toBe(0)
  })

  test('reads the balance when an order is settled, because units may be credited back', async () => {
    has([wireOrder('o1', { status: 'processing' })])
    await sync()
    stop = world.ready()
    await world.settle()
    world.calls.length = 0
    world.clock.advance(2000)
    await world.settle()
    expect(requested('getBalance')).toBe(0)
    has([wireOrder('o1', { status: 'failed', refunded: 1000 })])
    world.respond['getBalance'] = () => ({ balance: 6000 })
    world.clock.advance(2000)
    await world.settle()
    expect(world.orders.access.balance(accountId)?.cents).toBe(6000)
    expect(requested('getBalance')).toBe(1)
  })

  test('finishes an open attempt automatically', async () => {
    const place = world.respond['createOrder']
    world.respond['createOrder'] = () => {
      throw failure('ANSWER_LOST', 'Lost.', 'Wait.')
    }
    await world.orders.place({ accountId, externalId: 'A', lines: [], waitSeconds: 0 })
    stop = world.ready()
    await world.settle()
    expect(world.store.openAttempts()).toHaveLength(1)
    world.respond['createOrder'] = place ?? (() => null)
    world.clock.advance(2000)
    await world.settle()
    expect(world.orders.attempts({ accountId })).toMatchObject([{ state: 'placed' }])
  })

  test('continues after a failure, and reports only a defect', async () => {
    has([wireOrder('o1', { status: 'processing' })])
    await sync()
    const get = world.respond['getOrder']
    const errors = [failure('OFFLINE', 'No network.', 'Wait.'), new RangeError('defect')]
    world.respond['getOrder'] = (call) => {
      const error = errors.shift()
      if (error !== undefined) throw error
      return get?.(call)
    }
    stop = world.ready()
    await world.settle()
    expect(world.reports).toEqual([])
    world.clock.advance(2000)
    await world.settle()
    expect(world.reports).toMatchObject([
      { where: 'orders of account', error: { message: 'defect' } },
    ])
    world.clock.advance(2000)
    await world.settle()
    expect(requested('getOrder')).toBe(3)
  })

  test('ends with its account, and reports nothing that fails while it ends', async () => {
    has([wireOrder('o1', { status: 'processing' })])
    await sync()
    world.respond['getOrder'] = () => {
      stop()
      throw new RangeError('closed')
    }
    stop = world.ready()
    await world.settle()
    world.calls.length = 0
    world.clock.advance(60_000)
    await world.settle()
    expect(world.calls).toEqual([])
    expect(world.reports).toEqual([])
  })
})
