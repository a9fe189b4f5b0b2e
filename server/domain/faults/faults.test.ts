import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Fault, createFaults } from './faults.ts'
import {
  createTestRandom,
  createTestService,
  dashboard,
  type TestService,
} from '../testing/fixture.ts'
import { createShop } from '../testing/shop.ts'

const faults = (...planted: Fault[]) => {
  const made = createFaults(createTestRandom())
  made.set(planted)
  return made
}

describe('a request fault', () => {
  it('matches by method and path, exactly or with a trailing star', () => {
    const { takeFor } = faults(
      { match: { method: 'post', path: '/v1/orders' }, status: 500 },
      { match: { path: '/v1/seller/*' }, status: 503 },
    )
    expect(takeFor('POST', '/v1/orders')).toMatchObject({ status: 500 })
    expect(takeFor('POST', '/v1/seller/offers')).toMatchObject({ status: 503 })
    for (const [method, path] of [
      ['GET', '/v1/orders'],
      ['POST', '/v1/orders/1'],
      ['GET', '/v1/seller'],
    ] as const)
      expect(takeFor(method, path)).toBeNull()
  })

  it('occurs as often as it says, then the next fault follows', () => {
    const { takeFor, list } = faults(
      { match: {}, times: 2, status: 500 },
      { match: {}, status: 503 },
    )
    expect([1, 2, 3, 4].map(() => takeFor('GET', '/v1/ping')?.status)).toEqual([500, 500, 503, 503])
    expect(list()).toEqual([
      { match: {}, times: 2, status: 500, hits: 2 },
      { match: {}, status: 503, hits: 2 },
    ])
  })

  it('continues with its hits when its list is sent back', () => {
    const { takeFor, list, set } = faults({ match: {}, times: 2, status: 500 })
    takeFor('GET', '/')
    set(list())
    expect([1, 2].map(() => takeFor('GET', '/')?.status)).toEqual([500, undefined])
    expect(list()).toEqual([{ match: {}, times: 2, status: 500, hits: 2 }])
  })

  it('occurs with its probability, and counts only when it occurs', () => {
    expect(faults({ match: {}, probability: 0, status: 500 }).takeFor('GET', '/')).toBeNull()
    const { takeFor, list } = faults({
      match: {},
      probability: 0.25,
      times: 100_000,
      status: 500,
    })
    const met = Array.from({ length: 4000 }, () => takeFor('GET', '/')).filter(
      (fault) => fault !== null,
    ).length
    expect(met / 4000).toBeGreaterThan(0.2)
    expect(met / 4000).toBeLessThan(0.3)
    expect(list()).toMatchObject([{ times: 100_000, hits: met }])
  })
})

describe('the supplier', () => {
  let test: TestService
  let shop: ReturnType<typeof createShop>
  let partner: string
  const put = (body: Fault[]) => test.run('putFaults', dashboard, { body })
  const active = async () => (await test.run('getFaults', dashboard)).body

  beforeEach(async () => {
    test = createTestService()
    shop = createShop(test)
    partner = await shop.partner()
  })
  afterEach(() => test.close())

  it('rejects orders while it is down; nothing is charged, and orders are accepted once it is up', async () => {
    const product = await shop.product()
    await shop.offer(await shop.seller(), product, 1000, 2)
    await put([{ supplierDown: true }])
    for (const mode of ['live', 'test'] as const)
      await expect(shop.order(partner, shop.request(product), mode)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      })
    expect(await shop.balance(partner)).toBe(1_000_000)
    expect((await test.run('clearFaults', dashboard)).body).toEqual([])
    expect((await shop.order(partner, shop.request(product))).status).toBe('processing')
    await test.settled()
  })

  it('fails the given number of units, of one product or any; each returns to stock and is refunded', async () => {
    const [product, other] = [await shop.product(), await shop.product()]
    const seller = await shop.seller()
    const { id: offer } = await shop.offer(seller, product, 1000, 5)
    await shop.offer(seller, other, 1000, 5)
    await put([{ deliver: { productId: product, failUnits: 3 } }])
    const untouched = await shop.order(partner, shop.request(other))
    const first = await shop.order(partner, shop.request(product, 2))
    await test.settled()
    expect((await shop.getOrder(partner, untouched.id)).status).toBe('completed')
    expect(await shop.getOrder(partner, first.id)).toMatchObject({
      status: 'failed',
      refunded: 2200,
    })
    expect(await active()).toEqual([{ deliver: { productId: product, failUnits: 3 }, hits: 2 }])
    const second = await shop.order(partner, shop.request(product, 2))
    await test.settled()
    expect(await shop.getOrder(partner, second.id)).toMatchObject({
      status: 'partially_completed',
      refunded: 1100,
    })
    expect(await active()).toMatchObject([{ hits: 3 }])
    expect(test.store.offers.find(offer)).toMatchObject({ stock: 4, reserved: 0, sold: 1 })
    expect(await shop.ledger()).toMatchObject({ ok: true, sums: { live: 0, test: 0 } })
  })

  it('fails as many units as requested, whatever is ordered', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
        async (failUnits, orders) => {
          const product = await shop.product()
          const ordered = orders.reduce((sum, qty) => sum + qty, 0)
          await shop.offer(await shop.seller(), product, 1000, ordered)
          await put([{ deliver: { failUnits } }])
          let delivered = 0
          for (const qty of orders) {
            const { id } = await shop.order(partner, shop.request(product, qty), 'test')
            await test.settled()
            delivered += (await shop.getOrder(partner, id, 'test')).items[0]?.deliveredQty ?? 0
          }
          expect(delivered).toBe(ordered - Math.min(failUnits, ordered))
        },
      ),
      { numRuns: 15 },
    ))

  it('is reliable again after a reset', async () => {
    await put([{ supplierDown: true }])
    await test.run('reset', dashboard, { body: {} })
    expect(await active()).toEqual([])
  })
})
