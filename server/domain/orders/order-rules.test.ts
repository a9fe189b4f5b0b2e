import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import {
  dashboard,
  createTestService,
  partnerCaller,
  type TestService,
} from '../testing/fixture.ts'
import { createShop, type TestShop } from '../testing/shop.ts'

let supplier: { isDown: boolean; failing: number }
let test: TestService, shop: TestShop, partner: string, seller: string, product: string

beforeEach(async () => {
  supplier = { isDown: false, failing: 0 }
  test = createTestService({
    supplier: {
      down: () => supplier.isDown,
      failsUnit: () => supplier.failing > 0 && (supplier.failing -= 1) >= 0,
    },
  })
  shop = createShop(test)
  partner = await shop.partner()
  seller = await shop.seller()
  product = await shop.product({ name: 'Elden Ring' })
})
afterEach(() => test.close())

const line = (productId: string, maxUnitPrice = 5000, qty = 1) => ({
  productId,
  qty,
  maxUnitPrice: cents(maxUnitPrice),
})
const place = (items: ReturnType<typeof line>[], externalId = 'rules') =>
  shop.order(partner, { externalId, items })

describe('an order', () => {
  it('is returned completely, before and after its delivery', async () => {
    await shop.offer(seller, product, 1000, 2)
    const placed = await place([line(product, 5000, 2)])
    const common = {
      id: expect.stringMatching(/^ord_/),
      externalId: 'rules',
      mode: 'live',
      currency: 'EUR',
      total: 2200,
      refunded: 0,
      createdAt: '2026-03-01T12:00:00.000Z',
      failure: null,
      firstDownloadedAt: null,
    }
    const item = {
      line: 1,
      productId: product,
      name: 'Elden Ring',
      deliveryType: 'key',
      qty: 2,
      unitPrice: 1100,
    }
    expect(placed).toEqual({
      ...common,
      status: 'processing',
      completedAt: null,
      items: [{ ...item, status: 'processing', deliveredQty: 0 }],
    })
    await test.settled()
    expect(await shop.getOrder(partner, placed.id)).toEqual({
      ...common,
      status: 'completed',
      completedAt: '2026-03-01T12:00:00.000Z',
      items: [{ ...item, status: 'completed', deliveredQty: 2 }],
    })
  })

  it.each([
    [1, 'partially_completed', 'PARTIAL_DELIVERY', 1100],
    [2, 'failed', 'DELIVERY_FAILED', 2200],
  ])(
    'with %i of 2 units undelivered is %s, and explains that they were credited back',
    async (failing, status, code, refunded) => {
      await shop.offer(seller, product, 1000, 2)
      supplier.failing = failing
      const { id } = await place([line(product, 5000, 2)])
      await test.settled()
      const order = await shop.getOrder(partner, id)
      expect(order).toMatchObject({ status, total: 2200, refunded, failure: { code } })
      expect(order.failure?.message).toContain('credited back')
      expect(await shop.balance(partner)).toBe(1_000_000 - 2200 + refunded)
    },
  )

  it('is never dated before the previous one when the clock moves back', async () => {
    await shop.offer(seller, product, 1000, 2)
    await place([line(product)], 'first')
    test.clock.move(-5000)
    expect((await place([line(product)], 'second')).createdAt).toBe('2026-03-01T12:00:00.000Z')
  })

  it('is debited in the ledger of its own mode, under its own id', async () => {
    await shop.offer(seller, product, 1000, 2)
    const { id } = await shop.order(partner, shop.request(product), 'test')
    const query = { mode: 'test' } as const
    const input = { params: { id: partner }, query }
    expect((await test.run('listPartnerLedger', dashboard, input)).body.results[0]).toMatchObject({
      type: 'order_debit',
      amount: -1100,
      balanceAfter: 998_900,
      orderId: id,
      createdAt: '2026-03-01T12:00:00.000Z',
    })
    expect(await shop.balance(partner, 'live')).toBe(1_000_000)
  })
})

describe('accepting an order', () => {
  it('lowers the visible quantity immediately, and never that of test orders', async () => {
    await shop.offer(seller, product, 1000, 5)
    const visible = async () =>
      (await test.run('getProduct', partnerCaller(partner), { params: { id: product } })).body.qty
    await shop.order(partner, shop.request(product), 'test')
    expect(await visible()).toBe(5)
    await place([line(product, 5000, 2)])
    expect(await visible()).toBe(3)
  })

  it('delivers released products immediately when others are still to come', async () => {
    const later = await shop.product({ releaseDate: '2026-03-05' })
    await shop.offer(seller, later, 1000, 1)
    await shop.offer(seller, product, 1000, 1)
    const { id } = await place([line(later), line(product)])
    await test.settled()
    expect(await shop.getOrder(partner, id)).toMatchObject({
      status: 'processing',
      items: [
        { line: 1, deliveredQty: 0 },
        { line: 2, deliveredQty: 1 },
      ],
    })
    expect(await shop.keysOf(partner, id)).toMatchObject([
      { id: expect.stringMatching(/^key_/), line: 2, productId: product },
    ])
  })

  it.each([0, 5])(
    'with wait=%i replays the first response after the order has changed',
    async (wait) => {
      await shop.offer(seller, product, 1000, 1)
      const body = shop.request(product)
      const input = { body, query: { wait } }
      const send = () =>
        test.run('createOrder', partnerCaller(partner), input, { key: 'first-answer' })
      const first = await send()
      await test.settled()
      await shop.keysOf(partner, first.body.id)
      expect(await shop.getOrder(partner, first.body.id)).toMatchObject({
        firstDownloadedAt: '2026-03-01T12:00:00.000Z',
      })
      expect((await send()).json).toBe(first.json)
      expect(
        test.store.idempotency.find(`${partner} live POST /createOrder`, 'first-answer'),
      ).toMatchObject({ orderId: first.body.id, holdsKeys: false })
    },
  )
})

describe('a rejected order (Decision 7)', () => {
  it('reports the lowest line that fails a check', async () => {
    const empty = await shop.product()
    await shop.offer(seller, product, 1000, 9)
    const good = line(product)
    await expect(place([good, line('prd_b'), line('prd_a')])).rejects.toMatchObject({
      code: 'PRODUCT_UNAVAILABLE',
      details: { productId: 'prd_b', line: 2 },
    })
    await expect(place([good, line(empty), line(product, 5000, 9)])).rejects.toMatchObject({
      code: 'OUT_OF_STOCK',
      details: { productId: empty, line: 2 },
    })
    await expect(place([good, line(product, 1099), line(product, 1)])).rejects.toMatchObject({
      code: 'PRICE_CHANGED',
      details: { productId: product, currentPrice: 11, line: 2 },
    })
    expect(await place([line(product, 1100)])).toMatchObject({ status: 'processing' })
  })

  it('is checked for its external id before the supplier, and the supplier before products', async () => {
    await shop.offer(seller, product, 1000, 2)
    const { id } = await place([line(product)], 'taken')
    supplier.isDown = true
    await expect(place([line(product)], 'taken')).rejects.toMatchObject({
      code: 'DUPLICATE_EXTERNAL_ID',
      details: { orderId: id },
    })
    await expect(place([line('prd_none')])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await shop.balance(partner)).toBe(1_000_000 - 1100)
  })

  it('spends up to the last cent of the balance, and names balance and total beyond it', async () => {
    await shop.offer(seller, product, 1000, 9)
    partner = await shop.partner({}, 2200)
    await place([line(product, 5000, 2)], 'all')
    expect(await shop.balance(partner)).toBe(0)
    await shop.topUp(partner, 'live', 1099)
    await expect(place([line(product)])).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      details: { balance: 10.99, total: 11 },
    })
    expect(await shop.balance(partner)).toBe(1099)
  })

  it('is UNAUTHORIZED for an account that no longer exists', async () => {
    await shop.offer(seller, product, 1000, 1)
    partner = 'ptr_none'
    await expect(place([line(product)])).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('is NOT_FOUND for another partner and when it does not exist', async () => {
    await shop.offer(seller, product, 1000, 1)
    const { id } = await place([line(product)])
    const found = (caller: string, order: string) =>
      test.run('getOrder', partnerCaller(caller), { params: { id: order } })
    const missing = { code: 'NOT_FOUND', message: 'Order not found.' }
    await expect(found(await shop.partner(), id)).rejects.toMatchObject(missing)
    await expect(found(partner, 'ord_none')).rejects.toMatchObject(missing)
    expect((await found(partner, id)).body.id).toBe(id)
  })
})

describe('the daily limit (Decision 18)', () => {
  it('counts an order net of what was refunded for undelivered units', async () => {
    await shop.offer(seller, product, 1000, 9)
    partner = await shop.partner({ dailyLimit: cents(3300) })
    supplier.failing = 1
    await place([line(product, 5000, 3)], 'partly refunded')
    await test.settled()
    await expect(place([line(product, 5000, 2)], 'above')).rejects.toMatchObject({
      code: 'DAILY_LIMIT_EXCEEDED',
      details: { limit: 33, total: 44 },
    })
    await place([line(product)], 'exactly')
    await expect(place([line(product)], 'one more')).rejects.toMatchObject({
      code: 'DAILY_LIMIT_EXCEEDED',
      details: { limit: 33, total: 44 },
    })
  })
})
