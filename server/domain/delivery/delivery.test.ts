import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import type { Supplier } from '../ports/ordering/supplier.ts'
import {
  createTestClock,
  createTestService,
  dashboard,
  type TestService,
} from '../testing/fixture.ts'
import { createShop } from '../testing/shop.ts'

/** A supplier that fails the next `failing` units. */
function createFaultySupplier(): Supplier & { failing: number } {
  const supplier = {
    failing: 0,
    down: () => false,
    failsUnit: () => {
      if (supplier.failing === 0) return false
      supplier.failing -= 1
      return true
    },
  }
  return supplier
}

let supplier: ReturnType<typeof createFaultySupplier>
let test: TestService
let shop: ReturnType<typeof createShop>
let partner: string
let seller: string

beforeEach(async () => {
  supplier = createFaultySupplier()
  test = createTestService({ supplier })
  shop = createShop(test)
  partner = await shop.partner()
  seller = await shop.seller()
})
afterEach(() => test.close())

describe("units that can't be delivered", () => {
  it.each(['live', 'test'] as const)(
    'are refunded: partially completed in %s mode',
    async (mode) => {
      const product = await shop.product()
      const offer = await shop.offer(seller, product, 1000, 3)
      supplier.failing = 1
      const { id } = await shop.order(partner, shop.request(product, 3), mode)
      await test.settled()
      expect(await shop.getOrder(partner, id, mode)).toMatchObject({
        status: 'partially_completed',
        total: 3300,
        refunded: 1100,
        failure: { code: 'PARTIAL_DELIVERY' },
        items: [
          {
            status: 'failed',
            qty: 3,
            deliveredQty: 2,
          },
        ],
      })
      expect(await shop.keysOf(partner, id, mode)).toHaveLength(2)
      expect(await shop.balance(partner, mode)).toBe(1_000_000 - 2200)
      const sold = mode === 'live' ? 2 : 0
      expect(test.store.offers.find(offer.id)).toMatchObject({ stock: 3 - sold, reserved: 0, sold })
      expect(await shop.ledger()).toMatchObject({ ok: true })
    },
  )

  it('fail the order when nothing was delivered, and return to the stock as the oldest', async () => {
    const product = await shop.product()
    const offer = await shop.offer(seller, product, 1000)
    await shop.upload(seller, offer.id, ['FIRST', 'SECOND'])
    supplier.failing = 1
    const failed = await shop.order(partner, shop.request(product))
    await test.settled()
    expect(await shop.getOrder(partner, failed.id)).toMatchObject({
      status: 'failed',
      refunded: 1100,
      failure: { code: 'DELIVERY_FAILED' },
    })
    expect(await shop.balance(partner)).toBe(1_000_000)
    const next = await shop.order(partner, shop.request(product))
    await test.settled()
    expect(await shop.keysOf(partner, next.id)).toMatchObject([{ value: 'FIRST' }])
  })

  it('no longer count towards the daily limit', async () => {
    const product = await shop.product()
    await shop.offer(seller, product, 1000, 5)
    const limited = await shop.partner({ dailyLimit: cents(1100) })
    supplier.failing = 1
    await shop.order(limited, shop.request(product), 'live', 5)
    await shop.order(limited, shop.request(product))
    await expect(shop.order(limited, shop.request(product))).rejects.toMatchObject({
      code: 'DAILY_LIMIT_EXCEEDED',
    })
  })
})

describe('pre-launch products', () => {
  const advance = (to: string) => test.run('advanceClock', dashboard, { body: { to } })

  it('stay processing until the release date while other lines are delivered', async () => {
    const released = await shop.product()
    const coming = await shop.product({ releaseDate: '2026-03-10' })
    await shop.offer(seller, released, 1000, 1)
    await shop.offer(seller, coming, 2000, 1)
    const line = (productId: string) => ({ productId, qty: 1, maxUnitPrice: cents(9999) })
    const { id } = await shop.order(partner, {
      externalId: 'pre',
      items: [line(released), line(coming)],
    })
    await test.settled()
    expect(await shop.getOrder(partner, id)).toMatchObject({
      status: 'processing',
      items: [{ status: 'completed' }, { status: 'processing' }],
    })
    await advance('2026-03-09T23:59:59.999Z')
    expect(await shop.keysOf(partner, id)).toHaveLength(1)
    await advance('2026-03-10T10:00:00.000Z')
    expect(await shop.getOrder(partner, id)).toMatchObject({
      status: 'completed',
      completedAt: '2026-03-10T00:00:00.000Z',
    })
    expect(await shop.keysOf(partner, id)).toHaveLength(2)
  })

  it('are refunded when they still could not be delivered after 24 hours', async () => {
    const product = await shop.product({ releaseDate: '2026-03-02' })
    await shop.offer(seller, product, 1000, 1)
    supplier.failing = 100_000
    const { id } = await shop.order(partner, shop.request(product))
    await advance('2026-03-02T23:59:59.999Z')
    expect(await shop.getOrder(partner, id)).toMatchObject({ status: 'processing' })
    await advance('2026-03-03T00:00:00.000Z')
    expect(await shop.getOrder(partner, id)).toMatchObject({
      status: 'failed',
      refunded: 1100,
      completedAt: '2026-03-03T00:00:00.000Z',
    })
  })

  it('are delivered within those 24 hours as soon as the supplier can', async () => {
    const product = await shop.product({ releaseDate: '2026-03-02' })
    await shop.offer(seller, product, 1000, 2)
    supplier.failing = 7
    const { id } = await shop.order(partner, shop.request(product, 2))
    await advance('2026-03-02T06:00:00.000Z')
    expect(await shop.getOrder(partner, id)).toMatchObject({ status: 'completed', refunded: 0 })
    expect(await shop.ledger()).toMatchObject({ ok: true })
  })
})

describe('a service that was killed', () => {
  it('finishes processing orders at its next start, and delivers each unit once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keydesk-'))
    const clock = createTestClock()
    try {
      const before = createTestService({ folder, clock, started: false })
      const first = createShop(before)
      const buyer = await first.partner()
      const product = await first.product()
      await first.offer(await first.seller(), product, 1000, 50)
      const placed = []
      for (let i = 0; i < 40; i += 1) placed.push(await first.order(buyer, first.request(product)))
      // The files now hold what a kill leaves: delivery never started, and nothing is flushed on
      // exit.
      before.store.close()

      clock.move(60_000)
      const after = createTestService({ folder, clock })
      const second = createShop(after)
      await after.settled()
      const values = new Set<string>()
      for (const { id } of placed) {
        expect(await second.getOrder(buyer, id)).toMatchObject({
          status: 'completed',
          completedAt: '2026-03-01T12:01:00.000Z',
        })
        for (const { value } of await second.keysOf(buyer, id)) values.add(value)
      }
      expect(values.size).toBe(40)
      expect(after.store.offers.supplySummary(product).units).toBe(10)
      expect(await second.ledger()).toMatchObject({ ok: true })
      await after.close()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe("an order that can't be read", () => {
  it.each(['price = NULL', 'customer_price = NULL', 'offer_no = NULL'])(
    "is postponed and logged, and doesn't hold up other orders: %s",
    async (damage) => {
      const waiting = createTestService({ started: false, durable: false })
      const shop = createShop(waiting)
      const buyer = await shop.partner()
      const product = await shop.product()
      await shop.offer(await shop.seller(), product, 1000, 5)
      const placed = [
        await shop.order(buyer, shop.request(product)),
        await shop.order(buyer, shop.request(product)),
        await shop.order(buyer, shop.request(product)),
      ]
      const database = new Database(join(waiting.folder, 'keydesk.sqlite'))
      database
        .prepare(
          `UPDATE order_units SET ${damage} WHERE order_no = (SELECT no FROM orders WHERE id = ?)`,
        )
        .run(placed[1]?.id)
      database.close()
      waiting.service.start({ seed: 'empty', products: 0 })
      await waiting.settled()
      const statuses = []
      for (const { id } of placed) statuses.push((await shop.getOrder(buyer, id)).status)
      expect(statuses).toEqual(['completed', 'processing', 'completed'])
      expect(waiting.takeErrors()).toEqual(['an order could not be delivered and will be retried'])
      expect(await shop.ledger()).toMatchObject({ ok: true })
      await waiting.close()
    },
  )
})

describe('waiting', () => {
  it('ends after the given time with the current state of the order', async () => {
    const product = await shop.product({ releaseDate: '2026-04-01' })
    await shop.offer(seller, product, 1000, 1)
    expect(await shop.order(partner, shop.request(product), 'live', 1)).toMatchObject({
      status: 'processing',
    })
  })
})
