import type { ProblemCode } from '../../../contract/problem-codes.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { Failure, failure } from '../../failure.ts'
import { problemOfFailure } from '../../testing/failures.ts'
import { formatMessages } from '../../testing/format-messages.ts'
import { IN_FLIGHT_MS } from '../../journaled-send/journaled-send.ts'
import { createFakeWorld, orderable, wireOrder } from '../testing/fake-service.ts'
import type { FakeWorld } from '../testing/fake-service.ts'
import { createAttempts } from './attempts.ts'

const accountId = 'account'
const minute = 60_000

let world: FakeWorld
beforeEach(() => {
  world = createFakeWorld([orderable('p1', { name: 'Ironwharf 3' })])
})
afterEach(() => world.close())

const place = (externalId: string) =>
  world.orders.place({
    accountId,
    externalId,
    lines: [
      { productId: 'p1', qty: 2, maxUnitCents: cents(700) },
      { productId: 'p9', qty: 1, maxUnitCents: cents(33) },
    ],
    waitSeconds: 7,
  })
const check = (attemptId: string) => world.orders.checkAttempt({ accountId, attemptId })
const operations = (): string[] => world.calls.map(({ operation }) => operation)
const lost = (): never => {
  throw failure('ANSWER_LOST', 'The response was lost.', 'Wait.')
}
const rejection = (code: ProblemCode, status: number | null = null): Failure =>
  new Failure(
    { ...failure(code, 'Rejected.', 'Wait.').problem, status },
    { certainty: 'rejected', retry: 'never' },
  )
/** Places an order whose response is lost, and restores the service. */
async function placeUnknown(externalId: string): Promise<string> {
  const working = world.respond['createOrder']
  world.respond['createOrder'] = lost
  const { attemptId, state } = await place(externalId)
  expect(state).toBe('unknown')
  world.respond['createOrder'] = working ?? lost
  world.calls.length = 0
  world.changes.length = 0
  return attemptId
}

const ordered = [
  { productId: 'p1', qty: 2 },
  { productId: 'p9', qty: 1 },
]
/** The service's order of {@link place}. */
const order = (changes: Record<string, unknown> = {}) => {
  const { items, ...rest } = wireOrder('ord-7', { externalId: 'A' })
  return { ...rest, items: ordered.map((line) => ({ ...items[0], ...line })), ...changes }
}

test('records an order before it is sent, and settles it with the response', async () => {
  const during: unknown[] = []
  world.respond['createOrder'] = () => {
    during.push(world.orders.attempts({ accountId })[0])
    world.clock.advance(300)
    return wireOrder('ord-1', { externalId: 'A' })
  }
  const startedAt = world.clock.now()
  const attempt = await place('A')
  const recorded = {
    attemptId: 'id-1',
    externalId: 'A',
    lines: [
      { productId: 'p1', name: 'Ironwharf 3', qty: 2, maxUnitCents: 700 },
      { productId: 'p9', name: 'p9', qty: 1, maxUnitCents: 33 },
    ],
    atMostCents: 1433,
    writtenAt: startedAt,
    problem: null,
  }
  expect(during).toEqual([
    { ...recorded, chargedCents: null, state: 'sending', orderId: null, settledAt: null },
  ])
  expect(attempt).toEqual({
    ...recorded,
    chargedCents: 1000,
    state: 'placed',
    orderId: 'ord-1',
    settledAt: startedAt + 300,
  })
  expect(world.calls).toEqual([
    {
      operation: 'createOrder',
      input: {
        query: { wait: 7 },
        body: {
          externalId: 'A',
          items: [
            { productId: 'p1', qty: 2, maxUnitPrice: 700 },
            { productId: 'p9', qty: 1, maxUnitPrice: 33 },
          ],
        },
      },
      options: { priority: 'person', idempotencyKey: 'id-2' },
    },
    { operation: 'getBalance', input: {}, options: { priority: 'watch' } },
  ])
  expect(world.changes.filter(({ id }) => id === 'id-1')).toEqual([
    { topic: 'orders', id: 'id-1' },
    { topic: 'orders', id: 'id-1' },
  ])
  expect(world.orders.order({ accountId, orderId: 'ord-1' })).toMatchObject({
    totalCents: 1000,
    readAt: startedAt + 300,
  })
})

test('waits 25 seconds for the delivery unless told otherwise', async () => {
  await world.orders.place({ accountId, externalId: 'A', lines: [] } as unknown as Parameters<
    typeof world.orders.place
  >[0])
  expect(world.calls[0]?.input.query).toEqual({ wait: 25 })
})

test('returns the placed order even if the new balance cannot be read', async () => {
  world.respond['getBalance'] = () => {
    throw new Error('no balance')
  }
  expect((await place('A')).state).toBe('placed')
})

test('does not read the balance after a rejection', async () => {
  world.respond['createOrder'] = () => {
    throw rejection('PRICE_CHANGED')
  }
  expect(await place('A')).toMatchObject({
    state: 'refused',
    orderId: null,
    problem: { code: 'PRICE_CHANGED' },
    settledAt: world.clock.now(),
  })
  expect(operations()).toEqual(['createOrder', 'listOrders'])
})

describe('a rejection by something else than the service', () => {
  const reject = (code: ProblemCode): void => {
    world.respond['createOrder'] = () => {
      throw new Failure(
        { ...failure(code, 'Rejected.', 'Wait.').problem, status: 409 },
        { certainty: 'rejected', retry: 'never' },
      )
    }
  }

  test('doesn’t hide the order that the service placed', async () => {
    reject('OUT_OF_STOCK')
    world.respond['listOrders'] = () => {
      expect(world.store.openAttempts()).toMatchObject([{ externalId: 'A', state: 'unknown' }])
      return { results: [order()] }
    }
    expect(await place('A')).toMatchObject({ state: 'placed', orderId: 'ord-7', problem: null })
    expect(operations().slice(0, 2)).toEqual(['createOrder', 'listOrders'])
  })

  test.each([
    ['other lines', order({ items: wireOrder('ord-7').items })],
    ['an earlier time', order({ createdAt: '2026-01-05T08:00:00.000Z' })],
  ])('doesn’t make an order with %s the attempt’s order', async (_what, other) => {
    reject('OUT_OF_STOCK')
    world.respond['listOrders'] = () => ({ results: [other] })
    expect(await place('A')).toMatchObject({
      state: 'refused',
      problem: { code: 'OUT_OF_STOCK' },
    })
  })

  test('never takes an order with the same reference for its own', async () => {
    reject('DUPLICATE_EXTERNAL_ID')
    expect(await place('A')).toMatchObject({ state: 'refused' })
    expect(operations()).toEqual(['createOrder'])
  })

  test('is believed when the key may not read orders', async () => {
    reject('OUT_OF_STOCK')
    world.respond['listOrders'] = () => {
      throw rejection('INSUFFICIENT_SCOPE')
    }
    expect(await place('A')).toMatchObject({ state: 'refused', problem: { code: 'OUT_OF_STOCK' } })
  })

  test('stays unknown until it can be verified, and is never sent again', async () => {
    reject('OUT_OF_STOCK')
    world.respond['listOrders'] = lost
    const { attemptId } = await place('A')
    expect(world.orders.attempts({ accountId })).toMatchObject([
      { state: 'unknown', problem: { code: 'OUT_OF_STOCK' } },
    ])
    world.respond['listOrders'] = () => ({ results: [] })
    expect(await check(attemptId)).toMatchObject({
      state: 'refused',
      problem: { code: 'OUT_OF_STOCK', status: 409 },
    })
    expect(operations()).toEqual(['createOrder', 'listOrders', 'listOrders'])
  })
})

test('proposes no reference that the service rejected because another order has it', async () => {
  const quote = () => world.orders.quote({ accountId, productIds: ['p1'] })
  const { proposedExternalId } = await quote()
  world.respond['createOrder'] = () => {
    throw rejection('DUPLICATE_EXTERNAL_ID', 409)
  }
  expect(await place(proposedExternalId)).toMatchObject({ state: 'refused' })
  expect((await quote()).proposedExternalId).toBe('KD-20260105-0002')
  const { orders } = await world.orders.parseTable({
    accountId,
    text: `reference,product id,units\n${proposedExternalId},p1,1`,
  })
  expect(orders[0]?.problems).toContain('An order with this reference already exists.')
})

test('sends one reference only once while its outcome is unknown', async () => {
  await placeUnknown('A')
  expect(await problemOfFailure(place('A'))).toMatchObject({
    code: 'ATTEMPT_OPEN',
    what: 'An order with the reference A is already being placed.',
    next: 'Wait for the result, or choose another reference.',
    effect: 'This order wasn’t sent.',
  })
  expect(world.calls).toEqual([])
  expect(world.orders.attempts({ accountId })).toHaveLength(1)
  expect((await place('B')).state).toBe('placed')
})

describe('an attempt with an unknown outcome', () => {
  test('has no time of settlement, and is sent again with its key within 15 minutes', async () => {
    const attemptId = await placeUnknown('A')
    expect(world.orders.attempts({ accountId })).toMatchObject([
      { state: 'unknown', settledAt: null, problem: { code: 'ANSWER_LOST' } },
    ])
    world.clock.advance(15 * minute - 1)
    expect(await check(attemptId)).toMatchObject({ state: 'placed', orderId: 'ord-A' })
    expect(world.calls).toMatchObject([
      {
        operation: 'createOrder',
        input: { query: { wait: 0 } },
        options: { priority: 'person', idempotencyKey: 'id-2' },
      },
    ])
    expect(world.changes).toContainEqual({ topic: 'orders', id: attemptId })
    world.calls.length = 0
    expect((await check(attemptId)).state).toBe('placed')
    expect(world.calls).toEqual([])
  })

  test.each([8 * 60, -8 * 60, -365 * 24 * 60])(
    'is sent again within 15 minutes, and no later, when the clock is set by %i minutes',
    async (minutes) => {
      const early = await placeUnknown('A')
      const late = await placeUnknown('B')
      world.clock.setBy(minutes * minute)
      world.clock.advance(15 * minute - 1)
      expect((await check(early)).state).toBe('placed')
      expect(operations()).toEqual(['createOrder'])
      world.clock.advance(1)
      expect((await check(late)).state).toBe('refused')
      expect(operations()).toEqual(['createOrder', 'listOrders'])
    },
  )

  test.each([-60 * minute, 60 * minute])(
    'of an earlier run is never sent again when the clock was set by %i ms since, and can still arrive',
    async (ms) => {
      const attemptId = await placeUnknown('A')
      world.clock.setBy(ms)
      const nextRun = createAttempts(world.context, () => world.store, { learn: () => {} })
      expect(await nextRun.settle(accountId, attemptId)).toMatchObject({
        state: 'unknown',
        problem: { code: 'ANSWER_LOST', effect: 'It is never placed twice.' },
      })
      world.clock.advance(IN_FLIGHT_MS - 1)
      // It lands during this reading, which can miss it.
      world.respond['listOrders'] = () => {
        world.clock.advance(1)
        return { results: [] }
      }
      expect((await nextRun.settle(accountId, attemptId)).state).toBe('unknown')
      expect((await nextRun.settle(accountId, attemptId)).state).toBe('refused')
      expect(operations()).toEqual(['listOrders', 'listOrders', 'listOrders'])
    },
  )

  test('of an earlier run that is rejected when it is sent again can still arrive', async () => {
    const attemptId = await placeUnknown('A')
    const nextRun = createAttempts(world.context, () => world.store, { learn: () => {} })
    world.respond['createOrder'] = () => {
      throw rejection('INSUFFICIENT_BALANCE')
    }
    expect((await nextRun.settle(accountId, attemptId)).state).toBe('unknown')
    world.respond['listOrders'] = () => ({ results: [order()] })
    expect(await nextRun.settle(accountId, attemptId)).toMatchObject({ state: 'placed' })
  })

  test('is only looked up after 15 minutes: placed if the service has the order', async () => {
    const attemptId = await placeUnknown('A')
    world.clock.advance(15 * minute)
    world.respond['listOrders'] = () => ({ results: [order()] })
    expect(await check(attemptId)).toMatchObject({ state: 'placed', orderId: 'ord-7' })
    expect(world.calls).toEqual([
      {
        operation: 'listOrders',
        input: { query: { externalId: 'A', limit: 1 } },
        options: { priority: 'person' },
      },
    ])
  })

  test('is only looked up after 15 minutes: rejected if the service does not have the order', async () => {
    const attemptId = await placeUnknown('A')
    world.clock.advance(15 * minute)
    expect(await check(attemptId)).toMatchObject({
      state: 'refused',
      problem: {
        code: 'NEVER_ARRIVED',
        what: 'Order not placed: it never reached the service.',
        next: 'Order again if you still want it.',
        effect: 'Nothing was charged.',
      },
    })
    expect(operations()).toEqual(['listOrders'])
    expect(world.store.isUsed('A')).toBe(false)
  })

  test('finds its order if the service already has its reference', async () => {
    const attemptId = await placeUnknown('A')
    world.respond['createOrder'] = () => {
      throw rejection('DUPLICATE_EXTERNAL_ID')
    }
    world.respond['listOrders'] = () => ({ results: [order()] })
    expect(await check(attemptId)).toMatchObject({ state: 'placed', orderId: 'ord-7' })
    expect(operations()).toEqual(['createOrder', 'listOrders'])
  })

  test('finds its order although that seems older, as after a correction of the clock', async () => {
    const attemptId = await placeUnknown('A')
    world.clock.advance(15 * minute)
    const older = order({ createdAt: '2026-01-05T08:00:00.000Z' })
    world.respond['listOrders'] = () => ({ results: [older] })
    expect(await check(attemptId)).toMatchObject({ state: 'placed', orderId: 'ord-7' })
  })

  describe.each([
    ['other lines', order({ items: wireOrder('ord-7').items })],
    ['an earlier time', order({ createdAt: '2026-01-04T08:00:00.000Z' })],
  ])('whose reference belongs to an order with %s', (_what, other) => {
    beforeEach(() => {
      world.respond['listOrders'] = () => ({ results: [other] })
    })

    test('is rejected with the service’s reason when it is sent again', async () => {
      const attemptId = await placeUnknown('A')
      const taken = rejection('DUPLICATE_EXTERNAL_ID', 409)
      world.respond['createOrder'] = () => {
        throw taken
      }
      expect(await check(attemptId)).toMatchObject({
        state: 'refused',
        orderId: null,
        problem: taken.problem,
      })
      expect(operations()).toEqual(['createOrder', 'listOrders'])
    })

    test('is rejected and names that order when it is looked up after 15 minutes', async () => {
      const attemptId = await placeUnknown('A')
      world.clock.advance(15 * minute)
      expect(await check(attemptId)).toMatchObject({
        state: 'refused',
        orderId: null,
        problem: {
          code: 'DUPLICATE_EXTERNAL_ID',
          what: 'Order not placed: this reference already belongs to another order.',
          effect: 'Nothing was charged.',
          next: 'View order ord-7, or choose another reference.',
          details: { orderId: 'ord-7' },
        },
      })
    })
  })

  test('never becomes the order of another attempt with the same reference', async () => {
    world.respond['createOrder'] = () => order()
    expect(await place('A')).toMatchObject({ state: 'placed', orderId: 'ord-7' })
    const attemptId = await placeUnknown('A')
    world.respond['createOrder'] = () => {
      throw rejection('DUPLICATE_EXTERNAL_ID', 409)
    }
    world.respond['listOrders'] = () => ({ results: [order()] })
    expect(await check(attemptId)).toMatchObject({
      state: 'refused',
      problem: { code: 'DUPLICATE_EXTERNAL_ID' },
    })
  })

  test('is rejected when its reference belongs to an order that its key can’t list', async () => {
    const attemptId = await placeUnknown('A')
    world.respond['createOrder'] = () => {
      throw rejection('DUPLICATE_EXTERNAL_ID', 409)
    }
    expect((await check(attemptId)).state).toBe('unknown')
    world.clock.advance(IN_FLIGHT_MS)
    expect(await check(attemptId)).toMatchObject({
      state: 'refused',
      problem: { code: 'DUPLICATE_EXTERNAL_ID', status: 409 },
    })
  })

  test('is rejected if the service rejects it again for another reason', async () => {
    const attemptId = await placeUnknown('A')
    world.respond['createOrder'] = () => {
      throw rejection('PRICE_CHANGED', 409)
    }
    expect((await check(attemptId)).state).toBe('unknown')
    world.clock.advance(IN_FLIGHT_MS)
    expect(await check(attemptId)).toMatchObject({
      state: 'refused',
      problem: { code: 'PRICE_CHANGED' },
    })
    expect(operations()).toEqual(['createOrder', 'listOrders', 'listOrders'])
  })

  test('stays unknown if the request cannot be sent again', async () => {
    const attemptId = await placeUnknown('A')
    world.respond['createOrder'] = () => {
      throw failure('OFFLINE', 'No network.', 'Wait.')
    }
    expect(await check(attemptId)).toMatchObject({ state: 'unknown', problem: { code: 'OFFLINE' } })
  })

  test('stays open after a defect of the lookup, which is not hidden', async () => {
    const attemptId = await placeUnknown('A')
    world.clock.advance(15 * minute)
    world.respond['listOrders'] = () => {
      throw new RangeError('defect')
    }
    await expect(check(attemptId)).rejects.toThrow('defect')
    world.respond['listOrders'] = () => ({ results: [] })
    expect((await check(attemptId)).state).toBe('refused')
  })

  test('is sent again with its key if Keydesk ended before the response', async () => {
    const attempt = {
      attemptId: 'earlier',
      externalId: 'A',
      idempotencyKey: 'earlier-key',
      lines: [],
      waitSeconds: 25,
      atMostCents: cents(0),
      chargedCents: null,
      state: 'sending' as const,
      orderId: null,
      problem: null,
      writtenAt: world.clock.now(),
      settledAt: null,
    }
    world.store.writeAttempt(attempt)
    expect(await check('earlier')).toMatchObject({ state: 'placed', orderId: 'ord-A' })
    expect(world.calls).toMatchObject([
      { operation: 'createOrder', options: { idempotencyKey: 'earlier-key' } },
    ])
  })

  test('is checked by one request at a time', async () => {
    const attemptId = await placeUnknown('A')
    const results = await Promise.all([check(attemptId), check(attemptId)])
    expect(results.map(({ state }) => state)).toEqual(['placed', 'placed'])
    expect(operations()).toEqual(['createOrder'])
  })
})

test('reports an attempt that is not on this computer', async () => {
  expect(await problemOfFailure(check('none'))).toMatchObject({
    code: 'NOT_FOUND',
    what: 'Order attempt not found on this computer.',
    next: 'Check the order list.',
  })
})

test('finishes all open attempts, and reports whether any is still open', async () => {
  await placeUnknown('A')
  world.clock.advance(1)
  await placeUnknown('B')
  const attempts = createAttempts(world.context, () => world.store, { learn: () => {} })
  const working = world.respond['createOrder']
  world.respond['createOrder'] = (call) =>
    call.input.body.externalId === 'A' ? lost() : working?.(call)
  expect(await attempts.settleOpen(accountId)).toBe(false)
  expect(world.orders.attempts({ accountId })).toMatchObject([
    { externalId: 'B', state: 'placed' },
    { externalId: 'A', state: 'unknown' },
  ])
  world.respond['createOrder'] = working ?? lost
  expect(await attempts.settleOpen(accountId)).toBe(true)
  expect(await attempts.settleOpen(accountId)).toBe(true)
})

test.each([
  ['completed', []],
  ['processing', []],
  ['failed', [{ title: 'Order failed: A', path: '/orders/ord-A' }]],
])('notifies about an order whose response says %s only if it failed', async (status, expected) => {
  world.respond['createOrder'] = () => wireOrder('ord-A', { externalId: 'A', status })
  await place('A')
  expect(formatMessages(world.notices)).toMatchObject(expected)
})

test('does not notify again about an order that the last sync already found failed', async () => {
  const attemptId = await placeUnknown('A')
  const failed = order({ id: 'ord-A', status: 'failed' })
  world.respond['listOrders'] = () => ({ results: [failed] })
  const stop = world.ready()
  await world.settle()
  stop()
  world.clock.advance(15 * minute)
  world.notices.length = 0
  await check(attemptId)
  expect(world.notices).toEqual([])
})

test('never changes a settled attempt', async () => {
  const { attemptId, settledAt } = await place('A')
  world.store.settleAttempt(attemptId, {
    state: 'refused',
    orderId: null,
    problem: null,
    settledAt: 1,
  })
  expect(world.store.attempt(attemptId)).toMatchObject({
    state: 'placed',
    orderId: 'ord-A',
    settledAt,
  })
})
