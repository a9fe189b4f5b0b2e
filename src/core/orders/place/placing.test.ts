import type { ProblemCode } from '../../../contract/problem-codes.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { Failure, failure } from '../../failure.ts'
import { orderFacts } from '../sync/order-facts.ts'
import { createFakeWorld, orderable, wireOrder } from '../testing/fake-service.ts'
import type { FakeWorld } from '../testing/fake-service.ts'

const accountId = 'account'
const hour = 3_600_000
const day = 24 * hour

let world: FakeWorld
beforeEach(() => {
  world = createFakeWorld([
    orderable('p1', { name: 'Ironwharf 3', priceCents: cents(3316), activationDetails: 'Redeem.' }),
    orderable('p2', { priceCents: cents(0) }),
    orderable('p3', { priceCents: null }),
  ])
  world.respond['listProducts'] = () => ({ results: [] })
})
afterEach(() => world.close())

const quote = (...productIds: string[]) => world.orders.quote({ accountId, productIds })
/** An order that the last sync found at the service. */
const mirrored = (id: string, createdAt: number, changes: Record<string, unknown> = {}): void =>
  world.store.write(
    orderFacts(
      wireOrder(id, { createdAt: new Date(createdAt).toISOString(), ...changes }) as never,
      createdAt,
    ),
  )
/** Requests for prices of several products. */
const listCalls = () => world.calls.filter(({ operation }) => operation === 'listProducts')
const listed = (id: string, changes: Record<string, unknown> = {}) => ({
  id,
  price: 4000,
  qty: 3,
  inStock: true,
  removed: false,
  ...changes,
})

describe('price tiers', () => {
  const tiers = [
    { minQty: 1, unitPrice: 4000 },
    { minQty: 4, unitPrice: 5000 },
  ]
  const asked = (): string[] =>
    world.calls
      .filter(({ operation }) => operation === 'getProduct')
      .map(({ input }) => input.params.id)
  beforeEach(() => {
    world.respond['listProducts'] = () => ({ results: [listed('p1')] })
  })

  test('proposes the maximum for the chosen quantity from the price tiers', async () => {
    world.respond['getProduct'] = () => ({ priceTiers: tiers })
    expect((await quote('p1')).lines[0]?.tiers).toEqual([
      { minQty: 1, priceCents: 4000, proposedMaxCents: 4040 },
      { minQty: 4, priceCents: 5000, proposedMaxCents: 5050 },
    ])
    const { orders } = await world.orders.parseTable({ accountId, text: 'A,p1,9,\nB,p1,3,' })
    expect(orders.map(({ lines }) => lines[0])).toMatchObject([
      { priceCents: 5000, maxUnitCents: 5050 },
      { priceCents: 4000, maxUnitCents: 4040 },
    ])
    expect(asked()).toEqual(['p1'])
  })

  test('are requested only for several units, and again after a minute or a changed price', async () => {
    world.respond['getProduct'] = () => ({ priceTiers: tiers })
    const parse = (text: string, fresh = false) =>
      world.orders.parseTable({ accountId, text, fresh })
    await parse('A,p1,1,')
    expect(asked()).toEqual([])
    await parse('A,p1,2,')
    await parse('A,p1,2,')
    expect(asked()).toHaveLength(1)
    world.clock.advance(60_001)
    await parse('A,p1,2,')
    expect(asked()).toHaveLength(2)
    await parse('A,p1,2,', true)
    expect(asked()).toHaveLength(3)
  })

  test('don’t keep a price that has fallen', async () => {
    world.respond['getProduct'] = () => ({ priceTiers: tiers })
    expect((await quote('p1')).lines[0]?.tiers[0]).toMatchObject({ priceCents: 4000 })
    world.respond['listProducts'] = () => ({ results: [listed('p1', { price: 3000 })] })
    world.respond['getProduct'] = () => ({ priceTiers: [{ minQty: 1, unitPrice: 3000 }] })
    world.clock.advance(20_000)
    expect((await quote('p1')).lines[0]?.tiers).toMatchObject([{ minQty: 1, priceCents: 3000 }])
  })

  test('are no longer requested from a service that doesn’t report them', async () => {
    world.respond['getProduct'] = () => ({})
    expect((await quote('p1', 'p2')).lines[0]).toMatchObject({ proposedMaxCents: 4040, tiers: [] })
    await quote('p1', 'p2', 'p3')
    expect(asked()).toEqual(['p1'])
  })

  test('that aren’t reported are learned from a rejection, for ten minutes', async () => {
    const sold = (qty: number) => ({ productId: 'p1', qty, maxUnitCents: cents(4040) })
    world.respond['createOrder'] = () => {
      throw new Failure(
        failure('PRICE_CHANGED', 'The price went up.', 'Raise it.', {
          details: { productId: 'p1', currentPrice: 45 },
        }).problem,
        { certainty: 'rejected', retry: 'never' },
      )
    }
    await world.orders.place({ accountId, externalId: 'A', lines: [sold(9)], waitSeconds: 0 })
    const parse = async () =>
      (await world.orders.parseTable({ accountId, text: 'A,p1,9,\nB,p1,2,' })).orders.map(
        ({ lines }) => lines[0]?.priceCents,
      )
    expect(await parse()).toEqual([4500, 4000])
    world.clock.advance(10 * 60_000 + 1)
    expect(await parse()).toEqual([4000, 4000])
  })

  test('learned from the second line of a product count the units of the first', async () => {
    const sold = (qty: number) => ({ productId: 'p1', qty, maxUnitCents: cents(4040) })
    world.respond['createOrder'] = () => {
      throw new Failure(
        failure('PRICE_CHANGED', 'The price went up.', 'Raise it.', {
          details: { productId: 'p1', currentPrice: 45, line: 2 },
        }).problem,
        { certainty: 'rejected', retry: 'never' },
      )
    }
    const lines = [sold(3), sold(2)]
    await world.orders.place({ accountId, externalId: 'A', lines, waitSeconds: 0 })
    const { orders } = await world.orders.parseTable({ accountId, text: 'A,p1,5,\nB,p1,4,' })
    expect(orders.map((order) => order.lines[0]?.priceCents)).toEqual([4500, 4000])
  })

  test('that can’t be read leave the listed price', async () => {
    world.respond['getProduct'] = () => {
      throw failure('OFFLINE', 'No network.', 'Wait.')
    }
    expect((await quote('p1')).lines[0]).toMatchObject({ priceCents: 4000, tiers: [] })
  })
})

describe('a quote', () => {
  test('uses the local catalogue while the service is unreachable, without the activation text', async () => {
    world.state.connection = 'offline'
    const { lines } = await quote('p1', 'unknown')
    expect(lines).toEqual([
      {
        productId: 'p1',
        name: 'Ironwharf 3',
        platform: 'Steam',
        region: 'Global',
        deliveryType: 'key',
        qty: 5,
        inStock: true,
        priceCents: 3316,
        proposedMaxCents: 3349,
        tiers: [],
        releaseDate: null,
        removed: false,
        excludedCountries: null,
      },
    ])
    expect(listCalls()).toEqual([])
  })

  test('uses the price and stock that the service reports now', async () => {
    world.respond['listProducts'] = () => ({
      results: [listed('p1', { qty: 0, inStock: false, removed: true })],
    })
    expect((await quote('p1', 'p3')).lines).toMatchObject([
      {
        productId: 'p1',
        priceCents: 4000,
        proposedMaxCents: 4040,
        qty: 0,
        inStock: false,
        removed: true,
      },
      { productId: 'p3', priceCents: null, proposedMaxCents: null, qty: 5 },
    ])
    expect(listCalls()).toEqual([
      {
        operation: 'listProducts',
        input: { query: { ids: ['p1', 'p3'], limit: 100, includeRemoved: true } },
        options: { priority: 'person' },
      },
    ])
  })

  test('proposes no maximum for a product without a price', async () => {
    expect((await quote('p2')).lines).toMatchObject([{ priceCents: null, proposedMaxCents: null }])
  })

  test('requests a price again only after 5 seconds, for that account and product', async () => {
    world.respond['listProducts'] = ({ input }) => ({
      results: input.query.ids.map((id: string) => listed(id)),
    })
    await quote('p1')
    world.clock.advance(2000)
    await quote('p1', 'p3')
    world.clock.advance(3000)
    await quote('p1')
    expect(listCalls()).toHaveLength(2)
    await world.orders.quote({ accountId: 'other', productIds: ['p1'] })
    world.clock.advance(1)
    await quote('p1', 'p3')
    expect(listCalls().map(({ input }) => input.query.ids)).toEqual([
      ['p1'],
      ['p3'],
      ['p1'],
      ['p1'],
    ])
  })

  test('requests the prices of a rejected order again at once', async () => {
    let price = 4000
    world.respond['listProducts'] = () => ({ results: [listed('p1', { price })] })
    await quote('p1')
    price = 6600
    world.respond['createOrder'] = () => {
      throw failure('PRICE_CHANGED', 'The price changed.', 'Order again.', {
        status: 409,
      })
    }
    await world.orders.place({
      accountId,
      externalId: 'raised',
      lines: [{ productId: 'p1', qty: 1, maxUnitCents: cents(4040) }],
    })
    expect((await quote('p1')).lines).toMatchObject([{ priceCents: 6600 }])
  })

  test('uses no reported price that is older than 5 seconds', async () => {
    world.respond['listProducts'] = () => ({ results: [listed('p1')] })
    await quote('p1')
    world.state.connection = 'offline'
    world.clock.advance(5000)
    expect((await quote('p1')).lines).toMatchObject([{ priceCents: 4000 }])
    world.clock.advance(1)
    expect((await quote('p1')).lines).toMatchObject([{ priceCents: 3316 }])
  })

  test('requests nothing without products, and hides only expected failures', async () => {
    await quote()
    expect(listCalls()).toEqual([])
    world.respond['listProducts'] = () => {
      throw failure('OFFLINE', 'No network.', 'Wait.')
    }
    expect((await quote('p1')).lines).toMatchObject([{ priceCents: 3316 }])
    world.respond['listProducts'] = () => {
      throw new RangeError('defect')
    }
    await expect(quote('p1')).rejects.toThrow('defect')
  })

  test('contains the balance as last read', async () => {
    expect((await quote()).balanceCents).toBeNull()
    world.store.setBalance(cents(1234), 1)
    expect((await quote()).balanceCents).toBe(1234)
  })

  test('contains the amount spent in the last 24 hours, without refunds', async () => {
    const now = world.clock.now()
    mirrored('too-old', now - day)
    mirrored('first', now - day + 1, { total: 700, refunded: 200 })
    mirrored('second', now, { total: 30 })
    expect((await quote()).spent24hCents).toBe(530)
  })

  test.each([14 * day, -14 * day])(
    'counts the last 24 hours of a service whose clock differs by %i ms',
    async (aheadMs) => {
      world.state.serviceAheadMs = aheadMs
      const now = world.clock.now() + aheadMs
      mirrored('too-old', now - day)
      mirrored('recent', now - day + 1, { total: 700 })
      expect((await quote()).spent24hCents).toBe(700)
    },
  )

  test('proposes the next reference of the day that no order uses', async () => {
    expect((await quote()).proposedExternalId).toBe('KD-20260105-0001')
    mirrored('a', 1, { externalId: 'KD-20260105-0001' })
    await world.orders.place({
      accountId,
      externalId: 'KD-20260105-0002',
      lines: [],
      waitSeconds: 0,
    })
    expect((await quote()).proposedExternalId).toBe('KD-20260105-0003')
    world.clock.advance(15 * hour - 1)
    expect((await quote()).proposedExternalId).toBe('KD-20260105-0003')
    world.clock.advance(1)
    expect((await quote()).proposedExternalId).toBe('KD-20260106-0001')
  })
})

describe('the value limits', () => {
  const limits = async () => (await quote()).limits
  /** An attempt that the service rejects with this limit in EUR. */
  async function reject(code: ProblemCode, limit: unknown): Promise<void> {
    world.respond['createOrder'] = () => {
      throw failure(code, 'Rejected.', 'Wait.', { status: 409, details: { limit } })
    }
    await world.orders.place({
      accountId,
      externalId: `${code}-${world.clock.now()}`,
      lines: [],
      waitSeconds: 0,
    })
  }

  test('are unknown until a rejection reports them in EUR', async () => {
    expect(await limits()).toEqual({ order: null, day: null })
    await reject('PRICE_CHANGED', 9)
    await reject('ORDER_LIMIT_EXCEEDED', 'unlimited')
    expect(await limits()).toEqual({ order: null, day: null })
    await reject('ORDER_LIMIT_EXCEEDED', 12.34)
    const orderAt = world.clock.now()
    world.clock.advance(1000)
    await reject('DAILY_LIMIT_EXCEEDED', 50)
    expect(await limits()).toEqual({
      order: { cents: 1234, at: orderAt },
      day: { cents: 5000, at: orderAt + 1000 },
    })
    world.clock.advance(1000)
    await reject('ORDER_LIMIT_EXCEEDED', 20)
    expect((await limits()).order).toEqual({ cents: 2000, at: orderAt + 2000 })
  })

  test.each([
    ['more than the limit, after the rejection', 1001, 1, null],
    ['exactly the limit', 1000, 1, 1000],
    ['more than the limit, before the rejection', 1001, -1, 1000],
  ])('of an order: an order of %s', async (_case, total, laterMs, known) => {
    await reject('ORDER_LIMIT_EXCEEDED', 10)
    mirrored('order', world.clock.now() + laterMs, { total })
    expect((await limits()).order?.cents ?? null).toBe(known)
  })

  test.each([
    [1000, 1000],
    [1001, null],
  ])('of a day: %i cents were spent in 24 hours', async (total, known) => {
    await reject('DAILY_LIMIT_EXCEEDED', 10)
    mirrored('order', world.clock.now() - hour, { total })
    expect((await limits()).day?.cents ?? null).toBe(known)
  })
})

describe('a table of orders', () => {
  const parse = (text: string) => world.orders.parseTable({ accountId, text })

  test('is checked against the local catalogue and the used references, and adds up valid orders', async () => {
    mirrored('a', 1, { externalId: 'KD-20260105-0002' })
    mirrored('b', 1, { externalId: 'USED' })
    world.store.setBalance(cents(99), 1)
    const { orders, problems, atMostCents, balanceCents } = await parse(
      ',p1,2,\n,p1,1,10\nUSED,p1,1,\nX,none,1,1',
    )
    expect(
      orders.map(({ externalId, atMostCents, problems }) => [
        externalId,
        atMostCents,
        problems.length,
      ]),
    ).toEqual([
      ['KD-20260105-0001', 6698, 0],
      ['KD-20260105-0003', 1000, 0],
      ['USED', 3349, 1],
      ['X', 0, 1],
    ])
    expect(problems).toEqual([
      { line: 4, problem: 'The product none is not in the catalogue on this computer.' },
    ])
    expect(atMostCents).toBe(7698)
    expect(balanceCents).toBe(99)
  })

  test('keeps rows without a reference out of a rejected order that is tried again', async () => {
    world.respond['createOrder'] = () => {
      throw new Failure(failure('PRICE_CHANGED', 'The price went up.', 'Raise it.').problem, {
        certainty: 'rejected',
        retry: 'never',
      })
    }
    const { proposedExternalId: externalId } = await world.orders.quote({
      accountId,
      productIds: [],
    })
    await world.orders.place({
      accountId,
      externalId,
      lines: [{ productId: 'p1', qty: 1, maxUnitCents: cents(1) }],
      waitSeconds: 0,
    })
    const { orders } = await world.orders.parseTable({
      accountId,
      text: `${externalId},p1,1,40\n,p1,2,40`,
    })
    expect(orders).toMatchObject([
      { externalId: 'KD-20260105-0001', lines: [{ qty: 1 }] },
      { externalId: 'KD-20260105-0002', lines: [{ qty: 2 }] },
    ])
  })

  test('shows current prices, requested for a hundred products at a time', async () => {
    world.respond['listProducts'] = ({ input }) => ({
      results: input.query.ids.includes('p1') ? [listed('p1', { price: 4000, qty: 1 })] : [],
    })
    const others = Array.from({ length: 100 }, (_, at) => `,x${at},1,1`).join('\n')
    const { orders } = await parse(`A,p1,2,\nB,p1,1,35\n${others}`)
    expect(orders.slice(0, 2).map(({ lines }) => lines[0])).toMatchObject([
      { priceCents: 4000, maxUnitCents: 4040, warnings: ['low-stock'] },
      { priceCents: 4000, maxUnitCents: 3500, warnings: ['below-price'] },
    ])
    expect(listCalls().map(({ input }) => input.query.ids.length)).toEqual([100, 1])
  })

  test('requests prices again before the orders are placed', async () => {
    await parse('A,p1,1,')
    await parse('A,p1,1,')
    world.respond['listProducts'] = () => ({ results: [listed('p1', { price: 5000 })] })
    const read = (fresh: boolean) => world.orders.parseTable({ accountId, text: 'A,p1,1,', fresh })
    expect((await read(true)).orders[0]?.lines).toMatchObject([{ priceCents: 5000 }])
    world.respond['listProducts'] = () => ({ results: [listed('p1', { price: 6000 })] })
    expect((await read(false)).orders[0]?.lines).toMatchObject([{ priceCents: 5000 }])
    expect((await read(true)).orders[0]?.lines).toMatchObject([{ priceCents: 6000 }])
  })

  test('points out a price far above the last one paid', async () => {
    const line = (unitPrice: number) => ({ ...wireOrder('any').items[0], unitPrice })
    mirrored('old', 1, { items: [line(100)] })
    mirrored('new', 2, { items: [line(2000)] })
    const { orders } = await parse('A,p1,1,')
    expect(orders[0]?.lines).toMatchObject([
      { lastPaidCents: 2000, priceCents: 3316, warnings: ['above-last-paid'] },
    ])
  })

  test('has no balance before the first one was read', async () => {
    expect(await parse('A,p1,1,')).toMatchObject({ balanceCents: null, atMostCents: 3349 })
  })
})
