import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import type { Mode } from '../../api/schemas/enums.ts'
import { account } from '../ledger/ledger.ts'
import { createTestService, dashboard, sellerCaller, type TestService } from '../testing/fixture.ts'
import { createShop } from '../testing/shop.ts'

const DAY = 86_400_000

let failing: number
let test: TestService
let shop: ReturnType<typeof createShop>
let partner: string
let seller: string

beforeEach(async () => {
  failing = 0
  const failsUnit = () => failing > 0 && (failing -= 1) >= 0
  test = createTestService({ supplier: { down: () => false, failsUnit } })
  shop = createShop(test)
  partner = await shop.partner()
  seller = await shop.seller()
})
afterEach(() => test.close())

const balance = (name: string, mode: Mode = 'live') => test.store.ledger.balance(mode, name)
/** The types of the ledger entries of an order, oldest first. */
const entriesOf = (orderId: string): string[] =>
  Array.from(test.store.ledger.entriesAfter(0))
    .filter((entry) => entry.orderId === orderId)
    .map(({ type }) => type)
const advance = (to: string) => test.run('advanceClock', dashboard, { body: { to } })

describe('delivered units', () => {
  it('pay each seller its price and the platform its margin, and leave nothing reserved', async () => {
    const other = await shop.seller()
    const product = await shop.product()
    await shop.offer(seller, product, 1000, 2)
    await shop.offer(other, product, 1000, 1)
    const { id } = await shop.order(partner, shop.request(product, 3))
    await test.settled()
    expect(balance(account.sellerPending(seller))).toBe(2000)
    expect(balance(account.sellerPending(other))).toBe(1000)
    expect(balance(account.margin)).toBe(300)
    expect(balance(account.orders)).toBe(0)
    expect(entriesOf(id)).toEqual(['order_debit', 'order_settlement'])
  })

  it('pay only what was delivered at each attempt', async () => {
    const product = await shop.product({ releaseDate: '2026-03-02' })
    await shop.offer(seller, product, 1000, 2)
    failing = 1
    await shop.order(partner, shop.request(product, 2))
    await advance('2026-03-02T00:00:00.000Z')
    expect(balance(account.sellerPending(seller))).toBe(1000)
    expect(balance(account.orders)).toBe(1100)
    await advance('2026-03-02T00:05:00.000Z')
    expect(balance(account.sellerPending(seller))).toBe(2000)
    expect(balance(account.margin)).toBe(200)
    expect(balance(account.orders)).toBe(0)
  })

  it('are as many as were ordered when a test order is retried, and pay no seller', async () => {
    const product = await shop.product({ releaseDate: '2026-03-02' })
    await shop.offer(seller, product, 1000, 3)
    failing = 1
    const { id } = await shop.order(partner, shop.request(product, 3), 'test')
    await advance('2026-03-02T06:00:00.000Z')
    expect(await shop.keysOf(partner, id, 'test')).toHaveLength(3)
    expect(balance(account.orders, 'test')).toBe(0)
    expect(balance(account.margin, 'test')).toBe(3300)
    expect(balance(account.sellerPending(seller), 'test')).toBe(0)
  })

  it('are sales whose money is released when the claim window of seven days ends', async () => {
    const product = await shop.product()
    await shop.offer(seller, product, 1000, 1)
    await shop.order(partner, shop.request(product))
    await test.settled()
    const { results } = (await test.run('listSales', sellerCaller(seller), {})).body
    expect(results).toMatchObject([{ id: expect.stringMatching(/^sal_/) }])
    await test.run('advanceClock', dashboard, { body: { ms: 7 * DAY - 1 } })
    expect(balance(account.sellerPending(seller))).toBe(1000)
    await test.run('advanceClock', dashboard, { body: { ms: 1 } })
    expect(balance(account.sellerPending(seller))).toBe(0)
  })

  it('are delivered at the release of each product, whatever the other lines wait for', async () => {
    const releases = ['2026-03-03', '2026-03-06', '2026-03-09']
    const items = []
    for (const releaseDate of releases) {
      const productId = await shop.product({ releaseDate })
      await shop.offer(seller, productId, 1000, 1)
      items.push({ productId, qty: 1, maxUnitPrice: cents(9999) })
    }
    const { id } = await shop.order(partner, { externalId: 'pre', items })
    const statuses = async () =>
      (await shop.getOrder(partner, id)).items.map(({ status }) => status === 'completed')
    await advance('2026-03-03T00:00:00.000Z')
    expect(await statuses()).toEqual([true, false, false])
    await advance('2026-03-06T00:00:00.000Z')
    expect(await statuses()).toEqual([true, true, false])
    await advance('2026-03-09T00:00:00.000Z')
    expect(await statuses()).toEqual([true, true, true])
  })
})

describe('an attempt that delivers nothing', () => {
  it('moves no money and changes no stock, and is repeated every five minutes', async () => {
    const product = await shop.product({ releaseDate: '2026-03-02' })
    await shop.offer(seller, product, 1000, 1)
    failing = 2
    const { id } = await shop.order(partner, shop.request(product))
    const { entries } = await shop.ledger()
    await advance('2026-03-02T00:09:59.999Z')
    expect(failing).toBe(0)
    expect((await shop.ledger()).entries).toBe(entries)
    expect(test.store.catalogue.row(product)?.qty).toBe(0)
    await advance('2026-03-02T00:10:00.000Z')
    expect(await shop.getOrder(partner, id)).toMatchObject({
      status: 'completed',
      completedAt: '2026-03-02T00:10:00.000Z',
    })
  })

  it('is repeated a last time 24 hours after the release, however late the service runs', async () => {
    const product = await shop.product({ releaseDate: '2026-03-02' })
    await shop.offer(seller, product, 1000, 1)
    failing = 100
    const { id } = await shop.order(partner, shop.request(product))
    test.clock.move(Date.parse('2026-03-02T23:58:00.000Z') - test.clock.now())
    // Another order makes the service check for due work.
    const other = await shop.product()
    await shop.offer(seller, other, 1000, 1)
    await shop.order(partner, shop.request(other))
    await test.settled()
    expect(test.store.orders.find(id)).toMatchObject({
      status: 'processing',
      dueAt: Date.parse('2026-03-03T00:00:00.000Z'),
    })
  })
})

describe('a line that can’t be delivered', () => {
  /** Orders one unit each of a product whose delivery fails and of another one. */
  async function order(releaseDate: string | null, mode: Mode) {
    const failed = await shop.product()
    const other = await shop.product({ releaseDate })
    for (const product of [failed, other]) await shop.offer(seller, product, 1000, 1)
    failing = 1
    const items = [failed, other].map((productId) => ({
      productId,
      qty: 1,
      maxUnitPrice: cents(9999),
    }))
    const { id } = await shop.order(partner, { externalId: 'two', items }, mode)
    await test.settled()
    return id
  }

  it('makes the order partially completed and is refunded', async () => {
    const id = await order(null, 'live')
    expect(await shop.getOrder(partner, id)).toMatchObject({
      status: 'partially_completed',
      refunded: 1100,
      items: [{ status: 'failed' }, { status: 'completed' }],
    })
    expect(entriesOf(id)).toEqual(['order_debit', 'order_settlement', 'order_refund'])
  })

  it('is not tried again when another line of its order is due', async () => {
    const id = await order('2026-03-02', 'test')
    await advance('2026-03-02T00:00:00.000Z')
    expect(await shop.getOrder(partner, id, 'test')).toMatchObject({
      status: 'partially_completed',
      refunded: 1100,
      items: [
        { status: 'failed', deliveredQty: 0 },
        { status: 'completed', deliveredQty: 1 },
      ],
    })
  })
})

describe('a test order', () => {
  it('gets made-up units with ids of their own', async () => {
    const product = await shop.product()
    await shop.offer(seller, product, 1000, 2)
    const { id } = await shop.order(partner, shop.request(product, 2), 'test')
    await test.settled()
    const keys = await shop.keysOf(partner, id, 'test')
    expect(keys.map((key) => key.id)).toEqual([
      expect.stringMatching(/^key_/),
      expect.stringMatching(/^key_/),
    ])
    expect(new Set(keys.flatMap((key) => [key.id, key.value])).size).toBe(4)
    expect(keys.map(({ value }) => value.slice(0, 5))).toEqual(['TEST-', 'TEST-'])
  })
})

describe('a final order', () => {
  it('sends a webhook event', async () => {
    const params = { id: partner }
    const body = { url: 'https://shop.example/' }
    await test.run('putWebhook', dashboard, { params, body })
    const product = await shop.product()
    await shop.offer(seller, product, 1000, 1)
    await shop.order(partner, shop.request(product))
    await test.settled()
    const sent = (await test.run('listDeliveries', dashboard, { params })).body
    expect(sent.results).toHaveLength(1)
  })

  it('shows the units that came back in the catalogue', async () => {
    const product = await shop.product()
    await shop.offer(seller, product, 1000, 1)
    failing = 1
    await shop.order(partner, shop.request(product))
    expect(test.store.catalogue.row(product)?.qty).toBe(0)
    await test.settled()
    expect(test.store.catalogue.row(product)?.qty).toBe(1)
  })
})
