import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import {
  type HarnessResponse,
  type Partner,
  startHarness,
  type Harness,
} from '../testing/harness.ts'
import { DAY_MS } from '../../api/time.ts'

const MINUTE = 60_000
const keyPolicy = '"key-second";q=20;w=1, "key-minute";q=600;w=60'

let world: Harness
let partner: Partner
beforeEach(async () => {
  world = await startHarness({ limits: true, inMemory: true })
  partner = await world.partner()
})
afterEach(() => world.close())

const ping = (key = partner.key) => world.as(key, '/v1/ping')
const times = async (count: number, send: () => Promise<HarnessResponse>): Promise<number[]> => {
  const statuses: number[] = []
  for (let sent = 0; sent < count; sent += 1) statuses.push((await send()).status)
  return [...new Set(statuses)]
}

/**
 * Expects a refusal with exactly this wait in all its places: still refused one millisecond
 * earlier, accepted at that time.
 */
async function refusedFor(
  wait: number,
  rate: string,
  policy: string,
  send: () => Promise<HarnessResponse>,
): Promise<void> {
  const seconds = Math.ceil(wait / 1000)
  for (const told of [wait, 1]) {
    const answer = await send()
    expect(answer).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
      details: { retryAfterMs: told },
    })
    expect(answer.headers).toMatchObject({
      'retry-after': String(told === wait ? seconds : 1),
      ratelimit: `"${rate}";r=0;t=${told === wait ? seconds : 1}`,
      'ratelimit-policy': policy,
    })
    if (told > 1) world.clock.move(told - 1)
  }
  world.clock.move(1)
  expect((await send()).status).not.toBe(429)
}

/** Creates as many keys of the account as the requests need, one per 20 requests. */
const keys = (count: number, partnerId = partner.id) =>
  Promise.all(
    Array.from({ length: count }, (_, each) =>
      world.keyOf(partnerId, each % 2 === 0 ? 'live' : 'test'),
    ),
  )

describe('a key', () => {
  it('allows 20 requests in any second, and reports the wait to the millisecond', async () => {
    expect(await times(10, ping)).toEqual([200])
    world.clock.move(700)
    expect(await times(10, ping)).toEqual([200])
    world.clock.move(299)
    await refusedFor(1, 'key-second', keyPolicy, ping)
    expect(await times(9, ping)).toEqual([200])
    await refusedFor(700, 'key-second', keyPolicy, ping)
  })

  it('allows 600 requests in any minute @long', async () => {
    for (let second = 0; second < 30; second += 1) {
      expect(await times(20, ping)).toEqual([200])
      world.clock.move(1000)
    }
    await refusedFor(30_000, 'key-minute', keyPolicy, ping)
    expect(await times(19, ping)).toEqual([200])
    await refusedFor(1000, 'key-second', keyPolicy, ping)
  })

  it('counts every endpoint, unknown ones and refusals too, and no other key', async () => {
    const sibling = await world.keyOf(partner.id)
    const paths = [
      '/v1/ping',
      '/v1/balance',
      '/v1/products',
      '/v1/products/none',
      '/v1/meta',
      '/v1/orders',
      '/v1/orders/none',
      '/v1/orders/none/keys',
      '/v1/nothing',
      '/v1/products?page=0',
    ]
    for (const path of [...paths, ...paths])
      expect((await world.as(partner.key, path)).status).not.toBe(429)
    for (const path of paths) expect((await world.as(partner.key, path)).code).toBe('RATE_LIMITED')
    expect((await ping(sibling.key)).status).toBe(200)
    expect((await ping('svc_live_nobody')).code).toBe('UNAUTHORIZED')
  })

  it("doesn't count refused requests, so that repeating them doesn't extend the wait", async () => {
    await times(20, ping)
    for (let tenth = 0; tenth < 10; tenth += 1) {
      expect((await ping()).status).toBe(429)
      world.clock.move(100)
    }
    expect(await times(20, ping)).toEqual([200])
  })
})

describe('an account', () => {
  it('allows 120 orders a minute across modes and keys; an order it refuses counts in no rate', async () => {
    const policy = `${keyPolicy}, "orders";q=120;w=60`
    for (const { key } of await keys(6))
      expect(await times(20, () => world.order(key, {}))).toEqual([400])
    world.clock.move(15_000)
    const order = () => world.order(partner.key, {})
    expect(await times(25, order)).toEqual([429])
    expect(await times(20, ping)).toEqual([200])
    world.clock.move(1000)
    await refusedFor(MINUTE - 16_000, 'orders', policy, order)
    expect((await world.order((await world.partner()).key, {})).status).toBe(400)
  })

  it('allows 300 key downloads a minute across both modes and all keys', async () => {
    const download = (key: string) => () => world.as(key, '/v1/orders/none/keys')
    for (const { key } of await keys(15)) expect(await times(20, download(key))).toEqual([404])
    expect((await world.as(partner.key, '/v1/orders/none')).status).toBe(404)
    await refusedFor(
      MINUTE,
      'downloads',
      `${keyPolicy}, "downloads";q=300;w=60`,
      download(partner.key),
    )
  })

  it('counts repeats under an Idempotency-Key, and no request without the scope', async () => {
    const id = await world.product()
    await world.offer(await world.seller(), id, 1000, 1)
    const body = world.request(id)
    const [first, ...rest] = await keys(5)
    expect(first).toBeTruthy()
    const live = await Promise.all(Array.from({ length: 6 }, () => world.keyOf(partner.id)))
    const [reader] = [await world.keyOf(partner.id, 'live', { scopes: ['orders:read'] })]
    expect(await times(20, () => world.order(reader.key, body))).toEqual([403])
    for (const { key } of live)
      expect(
        await times(20, () => world.order(key, body, { idempotencyKey: 'one-and-only' })),
      ).toEqual([201])
    expect((await world.order(rest[0]?.key ?? '', body)).headers.ratelimit).toBe(
      '"orders";r=0;t=60',
    )
  })

  it('gets the longer wait if two rates apply', async () => {
    for (const { key } of await keys(6)) await times(20, () => world.order(key, {}))
    world.clock.move(1000)
    await times(20, ping)
    expect((await world.order(partner.key, {})).details).toEqual({ retryAfterMs: 59_000 })
    world.clock.move(58_500)
    await times(20, ping)
    expect((await world.order(partner.key, {})).details).toEqual({ retryAfterMs: 1000 })
    world.clock.move(499)
    expect((await world.order(partner.key, {})).details).toEqual({ retryAfterMs: 501 })
    world.clock.move(501)
    expect((await world.order(partner.key, {})).status).toBe(400)
  })
})

describe('a restore or a reset', () => {
  let own: Harness
  beforeEach(async () => {
    own = await startHarness({ limits: true })
  })
  afterEach(() => own.close())

  it.each([1, 30_000, 90_000])('begins with empty windows if it takes back %i ms', async (ms) => {
    const { key } = await own.partner()
    const pingOwn = () => own.as(key, '/v1/ping')
    await own.dashboard.createSnapshot({ body: { name: 'before' } })
    await own.dashboard.advanceClock({ body: { ms } })
    expect(await times(20, pingOwn)).toEqual([200])
    expect((await pingOwn()).code).toBe('RATE_LIMITED')
    await own.dashboard.restoreSnapshot({ params: { name: 'before' } })
    expect(await times(20, pingOwn)).toEqual([200])
    expect((await pingOwn()).details).toEqual({ retryAfterMs: 1000 })
  })

  it('leaves a new key all its requests in each second', async () => {
    await own.dashboard.advanceClock({ body: { ms: 30_000 } })
    const { key: earlier } = await own.partner()
    expect((await own.as(earlier, '/v1/ping')).status).toBe(200)
    await own.dashboard.reset({ body: {} })
    const { key } = await own.partner()
    for (let second = 0; second < 3; second += 1) {
      expect(await times(20, () => own.as(key, '/v1/ping'))).toEqual([200])
      own.clock.move(1000)
    }
  })
})

describe('value limits', () => {
  const seller = async (price: number, stock: number) => {
    const id = await world.product()
    await world.offer(await world.seller(), id, price, stock)
    return id
  }
  const cheap = async (key: string, id: string, qty = 1) => {
    world.clock.move(1000)
    const { status, code, details } = await world.order(key, world.request(id, qty), {
      query: '?wait=10',
    })
    return [status, code, details]
  }
  const passed = [201, undefined, undefined]

  it('are EUR 2,500 per order and EUR 10,000 in 24 hours by default; equal amounts pass', async () => {
    const buyer = await world.partner({}, { balance: 5_000_000 })
    // 2,500.00 for one unit, and 1.10 for one: with commission.
    const [large, small] = [await seller(227_273, 9), await seller(100, 9)]
    const { price } = (await buyer.client.getProduct({ params: { id: large } })).body
    expect(price).toBe(250_000)
    const both = {
      externalId: world.fresh(),
      items: [world.request(large).items[0], world.request(small).items[0]],
    }
    expect(await world.order(buyer.key, both)).toMatchObject({
      status: 422,
      code: 'ORDER_LIMIT_EXCEEDED',
      details: { limit: 2500, total: 2501.1 },
    })
    for (let order = 0; order < 4; order += 1) expect(await cheap(buyer.key, large)).toEqual(passed)
    expect(await cheap(buyer.key, small)).toEqual([
      422,
      'DAILY_LIMIT_EXCEEDED',
      { limit: 10_000, total: 10_001.1 },
    ])
  })

  it('roll over 24 hours to the millisecond, per mode, and exclude undelivered units', async () => {
    const buyer = await world.partner({ dailyLimit: cents(2200), perOrderLimit: null })
    const { key: testKey } = await world.keyOf(buyer.id, 'test')
    const id = await seller(1000, 20)
    await world.dashboard.putFaults({ body: [{ deliver: { productId: id, failUnits: 1 } }] })
    expect(await cheap(buyer.key, id, 2)).toEqual(passed)
    expect(await cheap(buyer.key, id)).toEqual(passed)
    expect(await cheap(buyer.key, id)).toEqual([
      422,
      'DAILY_LIMIT_EXCEEDED',
      { limit: 22, total: 33 },
    ])
    expect(await cheap(testKey, id, 2)).toEqual(passed)
    // The first order left the window: exactly its unit of 11.00 is free again.
    world.clock.move(DAY_MS - 5000)
    expect((await cheap(buyer.key, id))[1]).toBe('DAILY_LIMIT_EXCEEDED')
    expect(await cheap(buyer.key, id)).toEqual(passed)
    expect((await cheap(buyer.key, id, 2))[1]).toBe('DAILY_LIMIT_EXCEEDED')
  })

  it('can be removed', async () => {
    const buyer = await world.partner(
      { perOrderLimit: null, dailyLimit: null },
      { balance: 10_000_000 },
    )
    expect(await cheap(buyer.key, await seller(500_000, 9), 9)).toEqual(passed)
  })

  it('and the balance allow an order of exactly the remaining amount', async () => {
    const buyer = await world.partner(
      { perOrderLimit: cents(2200), dailyLimit: cents(2200) },
      { balance: 2200 },
    )
    const id = await seller(1000, 9)
    expect(await cheap(buyer.key, id, 2)).toEqual(passed)
    expect((await buyer.client.getBalance({})).body.balance).toBe(0)
  })
})
