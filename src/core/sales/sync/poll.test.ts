import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { DAY_MS } from '../../../../server/api/time.ts'
import type { ServiceConnection } from '../../context.ts'
import {
  START,
  expected,
  listWithKills,
  pollOf,
  pollWithKill,
  saleMirror,
  saleService,
  stored,
} from '../testing/sale-service.ts'
import { nextReadAt } from './facts.ts'
import type { ServiceSale } from './facts.ts'
import { pollSales } from './poll.ts'

test('lists 3,000 sales once while more come in, and resumes at the reached page after kills @long', async () => {
  const [shop, store] = [saleService(3000), saleMirror()]
  const { kills, again } = await listWithKills(shop, store, 9)
  expect(store.listing().complete).toBe(true)
  expect(kills).toBeGreaterThanOrEqual(3)
  expect(again.length).toBeLessThan(10)
  await pollOf(shop, store)
  expect(stored(store)).toEqual(expected(shop))
})

test('leaves no sale out if a poll of the newest is killed between its pages', async () => {
  const [shop, store] = [saleService(150), saleMirror()]
  await pollOf(shop, store)
  for (const killAt of [2, 0, 1]) await pollWithKill(shop, store, { more: 250, killAt })
  await pollOf(shop, store)
  expect(stored(store)).toEqual(expected(shop))
})

test('reads a sale again when it is released, on its own page, with few requests @long', async () => {
  const shop = saleService(3000)
  const store = saleMirror()
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

test('reads a sale again after news of its dispute; the rotation finds unreported changes @long', async () => {
  const shop = saleService(1500)
  const store = saleMirror()
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
  const shop = saleService(250)
  const store = saleMirror()
  await pollOf(shop, store)
  shop.sales.splice(100, 20)
  for (let rounds = 0; rounds < 3; rounds += 1) {
    shop.pass(1000)
    await pollOf(shop, store)
  }
  expect(stored(store)).toEqual(expected(shop))
})

test('reads a list without ids, times and envelope: only required fields are needed', async () => {
  const store = saleMirror()
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
