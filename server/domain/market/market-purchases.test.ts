import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Cents, cents } from '../../api/money.ts'
import { dashboard, type TestService } from '../testing/fixture.ts'
import { createShop, type TestShop } from '../testing/shop.ts'
import { type MarketEvents, openMarketEvents } from './testing/market-events.ts'

const DAY = 24 * 3_600_000

let market: MarketEvents
let test: TestService
let shop: TestShop
let customer: string
let seller: string
let product: string

/** A customer's shop, and a product at 11.00 with five units. */
beforeEach(async () => {
  market = await openMarketEvents()
  test = market.test
  shop = createShop(test)
  customer = await market.openCustomerShop()
  seller = await shop.seller()
  product = await shop.product()
  await shop.offer(seller, product, 1000, 5)
})
afterEach(() => test.close())

describe('a purchase', () => {
  const buy = (qty = 1, max: Cents = cents(2000), productId = product) =>
    market.act((world) => world.buy(customer, productId, qty, max))
  const balance = () => shop.balance(customer)

  it('is paid, delivered and downloaded immediately', async () => {
    const bought = await buy(2)
    const now = test.service.clock.now()
    const order = test.store.orders.find(bought?.orderId ?? '')
    expect(order).toMatchObject({
      partnerId: customer,
      mode: 'live',
      status: 'completed',
      createdAt: now,
      firstDownloadedAt: now,
      lines: [{ productId: product, qty: 2, unitPrice: 1100 }],
    })
    expect(order?.externalId).toMatch(/^WEB-\d+$/)
    const units = test.store.orders.delivered(order?.no ?? 0)
    expect(bought?.keyIds).toEqual(units.map(({ id }) => id))
    expect(bought?.keyIds).toHaveLength(2)
    expect(await market.counts()).toEqual({ orders: 1, sales: 2 })
    expect(await market.act((world) => world.sellerOf(order?.id ?? '', units[0]?.id ?? ''))).toBe(
      seller,
    )
  })

  it('tops up at least 5,000 euros, and only when the balance is short', async () => {
    await buy(2)
    expect(await balance()).toBe(500_000 - 2200)
    await buy(1)
    expect(await balance()).toBe(500_000 - 3300)
    await buy(1, cents(900_000))
    expect(await balance()).toBe(500_000 - 3300 + 900_000 - 1100)
    const params = { id: customer }
    const query = { mode: 'live' } as const
    const entries = (await test.run('listPartnerLedger', dashboard, { params, query })).body.results
    expect(entries.filter(({ type }) => type === 'top_up').map(({ amount }) => amount)).toEqual([
      900_000, 500_000,
    ])
  })

  it('needs no top-up when the balance is exactly enough', async () => {
    await buy()
    await shop.topUp(customer, 'live', 1100)
    expect(await balance()).toBe(500_000)
    await buy(1, cents(500_000))
    expect(await balance()).toBe(498_900)
  })

  it('has no effect when the service rejects it, not even its top-up', async () => {
    expect(await buy(1, cents(1099))).toBeNull()
    expect(await buy(6)).toBeNull()
    expect(await buy(1, cents(2000), 'prd_none')).toBeNull()
    expect(await balance()).toBe(0)
    expect(await market.counts()).toEqual({})
  })

  it('needs a shop with an active account', async () => {
    const params = { id: customer }
    await test.run('changePartner', dashboard, { params, body: { status: 'suspended' } })
    expect(await buy()).toBeNull()
    expect(await market.act((world) => world.buy('ptr_none', product, 1, cents(2000)))).toBeNull()
  })

  it('of a pre-launch product isn’t delivered before its release', async () => {
    const day = new Date(test.service.clock.now() + DAY).toISOString().slice(0, 10)
    const later = await shop.product({ releaseDate: day })
    await shop.offer(seller, later, 1000, 1)
    const bought = await buy(1, cents(2000), later)
    expect(bought?.keyIds).toEqual([])
    expect(test.store.orders.find(bought?.orderId ?? '')).toMatchObject({
      status: 'processing',
      firstDownloadedAt: null,
    })
    expect(await market.counts()).toEqual({ orders: 1 })
  })

  it('sends its shop the webhook events of the order and the top-up', async () => {
    const params = { id: customer }
    await test.run('putWebhook', dashboard, { params, body: { url: 'https://shop.example/hook' } })
    await buy()
    const { results } = (await test.run('listDeliveries', dashboard, { params, query: {} })).body
    expect(results.map(({ event }) => event).toSorted()).toEqual([
      'balance.credited',
      'order.completed',
    ])
  })

  it('has no seller for an unknown order or key', async () => {
    const { orderId = '' } = (await buy()) ?? {}
    await market.act((world) => {
      expect(world.sellerOf('ord_none', 'key_none')).toBeNull()
      expect(world.sellerOf(orderId, 'key_none')).toBeNull()
    })
  })
})

describe('ids of the market', () => {
  /** The ids of an order and its key in a new run. */
  async function idsOf(seed: string): Promise<string[]> {
    const run = await openMarketEvents(seed)
    const other = createShop(run.test)
    const buyer = await run.openCustomerShop()
    const game = await other.product()
    await other.offer(await other.seller(), game, 1000, 5)
    const buy = async () => {
      const bought = await run.act((world) => world.buy(buyer, game, 1, cents(2000)))
      return [bought?.orderId ?? '', ...(bought?.keyIds ?? [])]
    }
    const made = [...(await buy()), ...(await buy())]
    await run.test.close()
    return made
  }

  it('are the same in every run with the same seed, and never repeat', async () => {
    const [first, again, another] = [
      await idsOf('monday'),
      await idsOf('monday'),
      await idsOf('tuesday'),
    ]
    expect(again).toEqual(first)
    expect(new Set([...first, ...another]).size).toBe(8)
  })
})

describe('a dispute of the market', () => {
  let orderId: string
  let keyIds: string[]
  beforeEach(async () => {
    const bought = await market.act((world) => world.buy(customer, product, 4, cents(2000)))
    orderId = bought?.orderId ?? ''
    keyIds = bought?.keyIds ?? []
  })
  const claim = (keyId = keyIds[0] ?? '') =>
    market.act((world) => world.claim({ orderId, keyId, message: 'It says used.' }))
  const opened = async (keyId?: string): Promise<string> => (await claim(keyId)) ?? ''
  const statusOf = (id: string) => {
    const { status, resolution } = test.store.disputes.find(id) ?? {}
    return [status, resolution]
  }

  it('is claimed by a customer, read, answered and counted', async () => {
    const id = await opened()
    const openedAt = test.service.clock.now()
    await market.act((world) => world.addMessage(id, 'support', 'We are checking.'))
    await market.act((world) => {
      expect(world.dispute(id)).toMatchObject({
        id,
        status: 'open',
        sellerId: seller,
        openedAt,
        messages: [
          { author: 'customer', createdAt: openedAt },
          { author: 'support', createdAt: openedAt + 1 },
        ],
      })
      expect(world.dispute('dsp_none')).toBeNull()
    })
    expect(await market.counts()).toMatchObject({ claims: 1, messages: 1 })
  })

  it('is escalated by its customer', async () => {
    const id = await opened()
    await market.act((world) => world.escalate(id))
    expect(statusOf(id)).toEqual(['escalated', null])
    expect(await market.counts()).toMatchObject({ escalations: 1 })
  })

  it('is rejected by support', async () => {
    const id = await opened()
    await market.act((world) => world.reject(id, 'The key works.'))
    expect(statusOf(id)).toEqual(['resolved', 'rejected'])
    expect(await market.counts()).toMatchObject({ settlements: 1 })
  })

  it('is settled by a replacement from stock, or by a refund when none is left', async () => {
    const ids = [await opened(keyIds[0]), await opened(keyIds[1])]
    await market.act((world) => ids.forEach((id) => world.settle(id, 'replace')))
    expect(ids.map(statusOf)).toEqual([
      ['resolved', 'replaced'],
      ['resolved', 'refunded'],
    ])
    expect(await market.counts()).toMatchObject({ settlements: 2 })
  })

  it('is refunded, although there is stock, by a seller who prefers that', async () => {
    const id = await opened()
    await market.act((world) => world.settle(id, 'refund'))
    expect(statusOf(id)).toEqual(['resolved', 'refunded'])
    expect(test.store.offers.findBySeller(seller, product)?.stock).toBe(1)
  })

  it('counts nothing that the service rejects', async () => {
    const id = await opened()
    await market.act((world) => world.reject(id, 'The key works.'))
    const before = await market.counts()
    expect(await claim()).toBeNull()
    await market.act((world) => {
      world.addMessage(id, 'customer', 'But!')
      world.escalate(id)
      world.reject(id, 'Again.')
      world.settle(id, 'replace')
    })
    expect(await market.counts()).toEqual(before)
  })
})
