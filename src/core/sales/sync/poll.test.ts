import DatabaseConstructor from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { ServiceConnection } from '../../context.ts'
import { nextReadAt } from './facts.ts'
import type { ServiceSale } from './facts.ts'
import { pollSales } from './poll.ts'
import { salesSchema } from '../sales.ts'
import { saleStore } from '../store.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

const START = Date.UTC(2026, 0, 1)

/**
 * A service with sales, newest first. Before each page, `before` can sell more, change some, or
 * take the service down.
 */
function service(count: number) {
  let now = START
  const sales: ServiceSale[] = []
  const calls: number[] = []
  let before: (page: number) => void = () => {}
  const sell = (more = 1): void => {
    for (let at = 0; at < more; at += 1) {
      now += 1000
      sales.unshift({
        id: `sal_${String(sales.length).padStart(6, '0')}`,
        name: `Product ${sales.length % 7}`,
        price: cents(100),
        customerPrice: cents(110),
        status: 'pending',
        soldAt: new Date(now).toISOString(),
        releaseAt: new Date(now + 7 * DAY_MS).toISOString(),
        releasedAt: null,
      })
    }
  }
  sell(count)
  const call = (async (
    _operation: string,
    { query: { page = 1, limit = 50 } }: { query: { page?: number; limit?: number } },
  ) => {
    before(page)
    calls.push(page)
    const results = sales.slice((page - 1) * limit, page * limit)
    return {
      page,
      limit,
      total: sales.length,
      totalPages: Math.ceil(sales.length / limit),
      hasMore: page * limit < sales.length,
      results,
    }
  }) as unknown as ServiceConnection['call']
  const set = (at: number, change: Partial<ServiceSale>): void => {
    sales[at] = { ...sales[at], ...change }
  }
  return {
    sales,
    calls,
    sell,
    set,
    call,
    now: () => now,
    pass: (ms: number) => {
      now += ms
    },
    onPage: (task: (page: number) => void) => {
      before = task
    },
  }
}

function mirror() {
  const db = new DatabaseConstructor(':memory:')
  for (const step of salesSchema.steps) db.exec(step)
  return saleStore(db)
}
const pollOf = (shop: ReturnType<typeof service>, store: ReturnType<typeof mirror>) =>
  pollSales({
    store,
    connection: { call: shop.call },
    now: shop.now,
    serviceNow: shop.now,
    signal: new AbortController().signal,
    fingerprint: () => null,
  })
const stored = (store: ReturnType<typeof mirror>) =>
  store.db.prepare('SELECT sale_id AS id, status FROM sales ORDER BY sold_at DESC, sale_id').all()
const expected = (shop: ReturnType<typeof service>) =>
  shop.sales.map(({ id, status }) => ({ id, status }))

test('lists 20,000 sales once while more come in, and resumes at the reached page after kills', async () => {
  const shop = service(20_000)
  const store = mirror()
  let pages = 0
  shop.onPage(() => {
    pages += 1
    if (pages % 3 === 0) shop.sell(2)
    if (pages % 37 === 0) throw new Error('killed')
  })
  for (let tries = 0; tries < 12 && !store.listing().complete; tries += 1)
    await pollOf(shop, store).catch(() => {})
  expect(store.listing().complete).toBe(true)
  const again = shop.calls.filter((page, at) => shop.calls.indexOf(page) !== at)
  expect(again.length).toBeLessThan(10)
  shop.onPage(() => {})
  await pollOf(shop, store)
  expect(stored(store)).toEqual(expected(shop))
})

test('leaves no sale out if a poll of the newest is killed between its pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ more: fc.nat(350), killAt: fc.nat(5) }), { maxLength: 4 }),
      async (looks) => {
        const shop = service(150)
        const store = mirror()
        await pollOf(shop, store)
        for (const { more, killAt } of looks) {
          shop.sell(more)
          let pages = 0
          shop.onPage(() => {
            pages += 1
            if (pages > killAt) throw new Error('killed')
          })
          await pollOf(shop, store).catch(() => {})
        }
        shop.onPage(() => {})
        await pollOf(shop, store)
        expect(stored(store)).toEqual(expected(shop))
      },
    ),
    { numRuns: 12 },
  )
})

test('reads a sale again when it is released, on its own page, with few requests', async () => {
  const shop = service(3000)
  const store = mirror()
  await pollOf(shop, store)
  await pollOf(shop, store)
  shop.pass(7 * DAY_MS - 2000 * 1000)
  for (const [at, sale] of shop.sales.entries())
    if (Date.parse(sale.releaseAt ?? '') <= shop.now())
      shop.set(at, { status: 'released', releasedAt: sale.releaseAt ?? null })
  for (let rounds = 0; rounds < 4; rounds += 1) {
    shop.calls.length = 0
    await pollOf(shop, store)
    expect(shop.calls.length).toBeLessThanOrEqual(14)
  }
  expect(stored(store)).toEqual(expected(shop))
})

test('reads a sale again after news of its dispute; the rotation finds unreported changes', async () => {
  const shop = service(1500)
  const store = mirror()
  await pollOf(shop, store)
  shop.set(1234, { status: 'cancelled' })
  const saleId = shop.sales[1234]?.id ?? ''
  store.recordDispute(
    { saleId, disputeId: 'dsp_1', unresolved: false, state: 'resolved refunded', openedAt: null },
    shop.now(),
  )
  expect(
    store.recordDispute(
      { saleId, disputeId: 'dsp_1', unresolved: false, state: 'resolved refunded', openedAt: null },
      shop.now(),
    ),
  ).toBe(false)
  expect(await pollOf(shop, store)).toBe(true)
  expect(store.find(saleId)).toMatchObject({ status: 'cancelled', held: 0, dispute_id: 'dsp_1' })
  shop.set(777, { status: 'cancelled' })
  for (let rounds = 0; rounds < 15; rounds += 1) await pollOf(shop, store)
  expect(stored(store)).toEqual(expected(shop))
})

test('removes sales that the service lost after a complete rotation, and only if both counts agree', async () => {
  const shop = service(250)
  const store = mirror()
  await pollOf(shop, store)
  shop.sales.splice(100, 20)
  for (let rounds = 0; rounds < 3; rounds += 1) {
    shop.pass(1000)
    await pollOf(shop, store)
  }
  expect(stored(store)).toEqual(expected(shop))
})

test('reads a list without ids, times and envelope: only required fields are needed', async () => {
  const store = mirror()
  const rows: ServiceSale[] = [{ keyId: 'k1', price: cents(5) }, { orderId: 'o', offerId: 'f' }, {}]
  const call = (async (_operation: string, { query }: { query: { page: number } }) => ({
    results: query.page === 1 ? rows : [],
  })) as unknown as ServiceConnection['call']
  const poll = {
    store,
    connection: { call },
    now: () => START,
    serviceNow: () => START,
    signal: new AbortController().signal,
    fingerprint: () => null,
  }
  await pollSales(poll)
  await pollSales(poll)
  expect(store.count()).toBe(3)
})

test('reads a pending sale at its release, an overdue one less and less often, a settled one never', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 400 * DAY_MS }),
      fc.integer({ min: 0, max: 400 * DAY_MS }),
      (releaseAt, now) => {
        const at = nextReadAt({ status: 'pending', releaseAt }, now)
        expect(at).toBeGreaterThan(now)
        expect(at).toBeLessThanOrEqual(Math.max(releaseAt, now + 6 * 3_600_000))
        expect(nextReadAt({ status: 'released', releaseAt }, now)).toBeNull()
        expect(nextReadAt({ status: 'cancelled', releaseAt }, now)).toBeNull()
      },
    ),
  )
})
