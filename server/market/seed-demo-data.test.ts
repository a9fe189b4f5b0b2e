import { createHash } from 'node:crypto'
import { afterAll, afterEach, expect, test } from 'vitest'
import { deliveryTypes, productTypes } from '../api/schemas/enums.ts'
import { createLedger } from '../domain/ledger/ledger.ts'
import type { SeedOptions } from '../domain/ports/seeding.ts'
import {
  createTestService,
  dashboard,
  partnerCaller,
  sellerCaller,
} from '../domain/testing/fixture.ts'
import type { TestService } from '../domain/testing/fixture.ts'
import { seedDemoData } from './seed-demo-data.ts'

const open: TestService[] = []
afterEach(async () => {
  for (const shop of open.splice(0)) await shop.close()
})

const build = (world: SeedOptions): TestService => {
  const shop = createTestService({ seedWorld: seedDemoData, world })
  open.push(shop)
  return shop
}
const demo = (products: number): TestService => build({ seed: 'demo', products })
/** The default demo data, for tests that only read it. */
const usual = createTestService({
  seedWorld: seedDemoData,
  world: { seed: 'demo', products: 2000 },
})
afterAll(() => usual.close())

const demoPartner = ({ store }: TestService): string => store.settings.get('demo_partner') ?? ''
const demoSeller = ({ store }: TestService): string => store.settings.get('demo_seller') ?? ''
const demoOrders = (shop: TestService) =>
  (['live', 'test'] as const).flatMap((mode) =>
    shop.store.orders.page({ partnerId: demoPartner(shop), mode }, 0, 100),
  )
const demoOffers = (shop: TestService) =>
  shop.store.offers.page(demoSeller(shop), undefined, 0, 100)

test('the demo data has everything the sandbox promises', async () => {
  const shop = usual
  const { store } = shop
  expect(store.catalogue.count({ includeRemoved: false })).toBe(2000)
  expect(store.catalogue.count({ includeRemoved: true })).toBe(2020)
  expect(store.accounts.countSellers()).toBe(9)

  const offers = demoOffers(shop)
  expect(offers).toHaveLength(40)
  expect(offers.filter(({ status }) => status === 'paused')).toHaveLength(2)
  expect(offers.reduce((sum, { sold }) => sum + sold, 0)).toBe(120)
  const { body } = await shop.run('listOffers', sellerCaller(demoSeller(shop)), {
    query: { page: 1, limit: 100 },
  })
  expect(body.results.filter(({ isCheapest }) => isCheapest)).toHaveLength(18)
  expect(body.results.filter(({ stock }) => stock === 0)).toHaveLength(8)

  const orders = demoOrders(shop)
  expect(orders).toHaveLength(30)
  expect(new Set(orders.map(({ status }) => status))).toEqual(
    new Set(['processing', 'completed', 'partially_completed', 'failed']),
  )
  for (const mode of ['live', 'test'] as const) {
    const balance = await shop.run('getBalance', partnerCaller(demoPartner(shop), mode))
    expect(balance.body.balance).toBe(100_000)
  }
})

test('about 85 of 100 products have supply, and some have more units than the cap', () => {
  const { store } = usual
  const inStock = store.catalogue.count({ includeRemoved: false, inStock: true })
  expect(inStock).toBeGreaterThan(1640)
  expect(inStock).toBeLessThan(1760)
  const { rows } = store.catalogue.page({ includeRemoved: false }, { offset: 0 }, 2000)
  expect(rows.filter(({ qty }) => qty === 99).length).toBeGreaterThan(20)
  expect(rows.filter(({ qty, lowPrice }) => qty === 0 && lowPrice > 0).length).toBeGreaterThan(100)
  const units = rows
    .flatMap(({ id }) => store.offers.ofProduct(id))
    .reduce((sum, { stock, sold, reserved }) => sum + stock + sold + reserved, 0)
  expect(units).toBeLessThan(60_000)
})

test('the ledger contains the complete history and passes its verification', () => {
  const shop = usual
  expect(createLedger(shop.store).proveAll()).toMatchObject({ ok: true })
  for (const mode of ['live', 'test'] as const) {
    const sum = shop.store.ledger
      .balances()
      .filter((balance) => balance.mode === mode)
      .reduce((total, { balance }) => total + balance, 0)
    expect(sum).toBe(0)
    const entries = shop.store.ledger.partnerPage(demoPartner(shop), mode, 0, 500)
    const net = demoOrders(shop)
      .filter((order) => order.mode === mode)
      .reduce((total, { total: gross, refunded }) => total + gross - refunded, 0)
    const toppedUp = entries
      .filter(({ type }) => type === 'top_up')
      .reduce((total, { amount }) => total + (amount ?? 0), 0)
    expect(toppedUp - net).toBe(100_000)
    const times = entries.map(({ at }) => at)
    expect(times.toSorted((a, b) => b - a)).toEqual(times)
  }
})

test('orders are in the past, in the order they were placed, with consistent contents', () => {
  const shop = usual
  for (const order of demoOrders(shop)) {
    expect(order.createdAt).toBeLessThan(shop.clock.now())
    const delivered = order.lines.reduce((sum, { deliveredQty }) => sum + deliveredQty, 0)
    expect(shop.store.orders.delivered(order.no)).toHaveLength(delivered)
    if (order.status === 'failed' || order.status === 'processing')
      expect(order.firstDownloadedAt).toBeNull()
    if (order.status === 'processing') expect(order.dueAt).toBeGreaterThan(shop.clock.now())
    if (order.mode === 'test')
      for (const { value } of shop.store.orders.delivered(order.no)) expect(value).toMatch(/^TEST-/)
  }
})

test('there are five disputes: two open, one that waited too long, two resolved', async () => {
  const shop = usual
  const { body } = await shop.run('listDisputes', sellerCaller(demoSeller(shop)))
  expect(body.results.map(({ status, resolution }) => [status, resolution?.type ?? null])).toEqual([
    ['open', null],
    ['open', null],
    ['escalated', null],
    ['resolved', 'replaced'],
    ['resolved', 'refunded'],
  ])
  const told = []
  for (const { id, openedAt, escalatesAt } of body.results) {
    const { messages } = (
      await shop.run('getDispute', sellerCaller(demoSeller(shop)), { params: { id } })
    ).body
    told.push(
      messages
        .map(
          ({ author, attachments }) =>
            `${author}${attachments.length > 0 ? ' with a picture' : ''}`,
        )
        .join(', '),
    )
    expect(messages[0]?.createdAt).toBe(openedAt)
    if (escalatesAt !== null) expect(Date.parse(escalatesAt)).toBeGreaterThan(shop.clock.now())
  }
  expect(told).toEqual([
    'customer with a picture',
    'customer, seller, customer',
    'customer with a picture, support',
    'customer with a picture, seller',
    'customer, seller',
  ])
})

test('there is an open dispute for each reason, a few of them with competitors', async () => {
  const { run, store } = usual
  const dashboardCall = { query: { page: 1, limit: 100 } }
  const { body } = await run('listAllDisputes', dashboard, dashboardCall)
  const open = body.results.filter(({ status }) => status === 'open')
  const reasons = (disputes: typeof open) => new Set(disputes.map(({ reason }) => reason))
  expect(reasons(open)).toEqual(reasons(body.results))
  const kindOf = (word: string) =>
    store.catalogue.labels(open.find(({ reason }) => reason.includes(word))?.productId ?? '')
      ?.deliveryType
  expect(
    ['already redeemed', 'region', 'Invalid', 'edition', 'password', 'expired'].map(kindOf),
  ).toEqual(['key', 'key', 'key', 'key', 'account', expect.stringMatching(/^(gift|link)$/)])
  expect(open).toHaveLength(6)
})

test('there are products of every kind, without details, and ones that left the catalogue', () => {
  const { rows } = usual.store.catalogue.page({ includeRemoved: true }, { offset: 0 }, 3000)
  expect(new Set(rows.map(({ productType }) => productType))).toEqual(new Set(productTypes))
  expect(new Set(rows.map(({ deliveryType }) => deliveryType))).toEqual(new Set(deliveryTypes))
  const removed = rows.filter((row) => row.removed)
  expect(removed).toHaveLength(20)
  expect(removed.filter(({ qty }) => qty !== 0)).toEqual([])
  expect(removed.flatMap(({ id }) => usual.store.offers.ofProduct(id))).toEqual([])
})

test("sales older than the claim window are released, younger ones and those in dispute aren't", async () => {
  const shop = usual
  const own = shop.store.sales.page(demoSeller(shop), 0, 1000)
  const now = shop.clock.now()
  expect(own).toHaveLength(120)
  expect(own.filter(({ status }) => status === 'cancelled')).toHaveLength(1)
  expect(own.filter(({ held }) => held)).toHaveLength(3)
  for (const { status, held, releaseAt, releasedAt } of own.filter(
    (sale) => sale.status !== 'cancelled',
  )) {
    expect([status, releasedAt]).toEqual(
      releaseAt <= now && !held ? ['released', releaseAt] : ['pending', null],
    )
  }
  const sum = (wanted: string) =>
    own.filter(({ status }) => status === wanted).reduce((total, { price }) => total + price, 0)
  const { body } = await shop.run('getSellerBalance', sellerCaller(demoSeller(shop)))
  expect(body).toMatchObject({ pending: sum('pending'), available: sum('released') })
  expect(Math.min(body.pending, body.available)).toBeGreaterThan(0)
})

test('some of the demo seller’s keys are pictures', () => {
  const shop = usual
  const values = demoOffers(shop)
    .flatMap(({ no }) => shop.store.stock.oldest(no, 200))
    .map(({ value }) => value)
  expect(values.filter((value) => value.startsWith('data:image/png;base64,'))).toHaveLength(4)
  expect(new Set(values).size).toBe(values.length)
})

const digest = (shop: TestService, from = shop.clock.now()): string => {
  const { store } = shop
  const hash = createHash('sha256')
  for (const row of store.catalogue.page({ includeRemoved: true }, { offset: 0 }, 5000).rows) {
    hash.update(`${row.id} ${row.name} ${row.platform} ${row.region} ${row.lowPrice} ${row.qty}\n`)
    for (const offer of store.offers.ofProduct(row.id)) {
      hash.update(`${offer.id} ${offer.price} ${offer.sold} ${offer.createdAt - from}\n`)
      for (const { value } of store.stock.oldest(offer.no, 500)) hash.update(`${value}\n`)
    }
  }
  for (const order of demoOrders(shop))
    hash.update(`${order.id} ${order.status} ${order.total} ${order.createdAt - from}\n`)
  for (const dispute of store.disputes.page({}, 0, 10))
    hash.update(`${dispute.id} ${dispute.saleId} ${dispute.status} ${dispute.openedAt - from}\n`)
  return hash.digest('hex')
}

test('the same size gives the same demo data, and another size different data @long', () => {
  const first = digest(demo(300))
  expect(digest(demo(300))).toBe(first)
  expect(digest(demo(301))).not.toBe(first)
})

test.each([0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144])(
  'a catalogue of %i products has consistent demo data too',
  (products) => {
    const shop = demo(products)
    expect(shop.store.catalogue.count({ includeRemoved: false })).toBe(products)
    expect(createLedger(shop.store).proveAll()).toMatchObject({ ok: true })
    expect(shop.store.ledger.balance('live', `partner:${demoPartner(shop)}`)).toBe(100_000)
  },
)

test('the empty seed creates no data', () => {
  const { store } = build({ seed: 'empty', products: 2000 })
  expect(store.catalogue.count({ includeRemoved: true })).toBe(0)
  expect(store.accounts.countSellers() + store.accounts.countPartners()).toBe(0)
})
