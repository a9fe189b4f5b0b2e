import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import { DAY } from '../context.ts'
import { account } from '../ledger/ledger.ts'
import type { SeedBuilder } from '../ports/seeding.ts'
import { createTestService, type TestService } from '../testing/fixture.ts'
import { seedInOnePart } from '../testing/seed-in-one-part.ts'
import {
  offer,
  openSeededService,
  order,
  product,
  type SeededService,
  seedShop,
  start,
} from './testing/seeds.ts'

let test: TestService
let build: SeededService['build']
beforeEach(() => {
  ;({ test, build } = openSeededService())
})
afterEach(() => test.close())

describe('seeded accounts', () => {
  it('are active, have the default limits and commission, and get an id', () => {
    build((world) => {
      const partner = world.partner({ name: 'Partner', createdAt: start })
      expect(partner).toEqual({
        id: expect.stringMatching(/^ptr_/),
        name: 'Partner',
        email: null,
        status: 'active',
        perOrderLimit: 250_000,
        dailyLimit: 1_000_000,
        ipAllowlist: [],
        priceFactor: 1,
        createdAt: start,
      })
      expect(test.store.accounts.partner(partner.id)).toEqual(partner)
      const seller = world.seller({ name: 'Seller', createdAt: start })
      expect(seller).toEqual({
        id: expect.stringMatching(/^sel_/),
        name: 'Seller',
        status: 'active',
        commission: { keys: 10, accounts_and_gifts: 15, special_subscriptions: 20 },
        createdAt: start,
      })
      expect(test.store.accounts.seller(seller.id)).toEqual(seller)
    })
  })

  it('keep every value that is given', () => {
    build((world) => {
      const partner = {
        id: 'ptr_1',
        name: 'Partner',
        email: 'buyer@partner.example',
        status: 'suspended',
        perOrderLimit: null,
        dailyLimit: cents(5),
        priceFactor: 1.1,
        createdAt: start,
      } as const
      expect(world.partner(partner)).toEqual({ ...partner, ipAllowlist: [] })
      const seller = world.seller({
        id: 'sel_1',
        name: 'Seller',
        status: 'suspended',
        commission: { keys: 5 },
        createdAt: start,
      })
      expect(seller).toMatchObject({ id: 'sel_1', status: 'suspended' })
      expect(seller.commission).toEqual({
        keys: 5,
        accounts_and_gifts: 15,
        special_subscriptions: 20,
      })
    })
  })
})

describe('a seeded offer', () => {
  it('sells at its price plus the commission, and counts its keys', () => {
    build((world) => {
      seedShop(world)
      const seller = { id: 'sel_2', name: 'Rival', commission: { keys: 20 }, createdAt: start }
      world.seller(seller)
      const made = world.offer(offer({ sellerId: 'sel_2', createdAt: start + 5, keys: ['KEY-9'] }))
      expect(made).toMatchObject({
        id: expect.stringMatching(/^off_/),
        status: 'active',
        price: 1000,
        customerPrice: 1200,
        sellable: true,
        stock: 1,
        reserved: 0,
        sold: 0,
        createdAt: start + 5,
        pricedAt: start + 5,
        updatedAt: start + 5,
      })
      expect(test.store.offers.find(made.id)).toEqual(made)
      expect(test.store.stock.oldest(made.no, 9)).toMatchObject([{ value: 'KEY-9' }])
    })
  })

  it('keeps its id, status and the time of its price', () => {
    build((world) => {
      seedShop(world)
      world.products([product('prd_3')])
      const productId = 'prd_3'
      const given = { id: 'off_mine', status: 'paused', pricedAt: start + 7 } as const
      expect(world.offer(offer({ productId, ...given }))).toMatchObject({
        ...given,
        sellable: false,
        createdAt: start,
        updatedAt: start + 7,
      })
    })
  })

  it('counts a key of its product only once', () => {
    build((world) => {
      seedShop(world)
      world.seller({ id: 'sel_2', name: 'Rival', createdAt: start })
      const keys = ['KEY-1', 'KEY-8', 'KEY-8', 'KEY-9']
      const made = world.offer(offer({ sellerId: 'sel_2', keys }))
      expect(made.stock).toBe(2)
      expect(test.store.offers.find(made.id)?.stock).toBe(2)
    })
  })

  it.each([
    ['an invalid key', { productId: 'prd_3', keys: ['KEY-8', ''] }, /^a seeded key must/],
    ['an unknown seller', { sellerId: 'sel_9' }, 'a seeded offer has no seller sel_9 or product'],
    ['an unknown product', { productId: 'prd_9' }, 'has no seller sel_1 or product prd_9'],
  ])('fails for %s', (_what, more, message) => {
    const failing = (world: SeedBuilder): void => {
      seedShop(world)
      world.products([product('prd_3')])
      world.offer(offer(more))
    }
    expect(() => build(failing)).toThrow(message)
  })
})

it('derives price and quantity of the products from their offers', () => {
  build((world) => {
    seedShop(world)
    expect(test.store.catalogue.row('prd_1')).toMatchObject({ lowPrice: 1100, qty: 6 })
    world.products([product('prd_3')])
    Array.from(world.settle())
    expect(test.store.catalogue.row('prd_3')).toMatchObject({ lowPrice: 0, qty: 0 })
  })
})

describe('a seeded order', () => {
  it('is paid at any price and delivered 400 ms later', () => {
    build((world) => {
      seedShop(world)
      const placed = world.order(order())
      expect(placed).toMatchObject({
        externalId: 'order-1',
        status: 'completed',
        createdAt: start + DAY,
        completedAt: start + DAY + 400,
        firstDownloadedAt: null,
      })
      expect(test.store.orders.delivered(placed.no)).toHaveLength(2)
      expect(test.store.ledger.balance('live', account.partner('ptr_1'))).toBe(100_000 - 2200)
      expect(test.store.ledger.balance('live', account.sellerPending('sel_1'))).toBe(2000)
    })
  })

  it('is delivered and downloaded at the times that are given', () => {
    build((world) => {
      seedShop(world)
      const firstDownloadedAt = start + DAY + 9000
      const { id } = world.order(order({ deliveredAfterMs: 1500, firstDownloadedAt }))
      expect(test.store.orders.find(id)).toMatchObject({
        completedAt: start + DAY + 1500,
        firstDownloadedAt,
      })
    })
  })

  it('fails units from its last line backwards, and the next order fails none', () => {
    build((world) => {
      seedShop(world)
      const items = [
        { productId: 'prd_1', qty: 2 },
        { productId: 'prd_2', qty: 2 },
      ]
      const first = world.order(order({ items, failUnits: 3 }))
      expect(first.lines.map(({ deliveredQty }) => deliveredQty)).toEqual([1, 0])
      expect(first).toMatchObject({ status: 'partially_completed', refunded: 3300 })
      const second = world.order(order({ externalId: 'order-2', items }))
      expect(second.status).toBe('completed')
    })
  })

  it('in test mode gets units that no other order has', () => {
    build((world) => {
      seedShop(world)
      const values = ['a', 'b'].flatMap((externalId) => {
        const { no } = world.order(order({ mode: 'test', externalId }))
        return test.store.orders.delivered(no).map(({ value }) => value)
      })
      expect(new Set(values).size).toBe(4)
    })
  })

  it('of a pre-launch product waits for its release', () => {
    build((world) => {
      seedShop(world)
      world.products([product('prd_3', { releaseDate: '2026-12-01' })])
      world.offer(offer({ productId: 'prd_3' }))
      Array.from(world.settle())
      const items = [{ productId: 'prd_3', qty: 1 }]
      expect(world.order(order({ items })).status).toBe('processing')
    })
  })
})

it('names the competitors of the market and the accounts of the demo keys', () => {
  build((world) => {
    seedShop(world)
    world.competitors(['sel_1'])
    world.demoAccounts('ptr_1', 'sel_1')
    expect(world.now).toBe(test.service.clock.now())
  })
  expect(test.store.market.actors('seller')).toEqual([
    { kind: 'seller', accountId: 'sel_1', newcomer: false },
  ])
  const keys = [...test.store.accounts.keysOf('ptr_1'), ...test.store.accounts.keysOf('sel_1')]
  expect(keys).toHaveLength(3)
})

it('rejects a top-up of an unknown partner', () => {
  expect(() => build((world) => world.topUp('ptr_9', 'live', cents(1), start))).toThrow(
    'a seeded top-up has no partner ptr_9',
  )
})

it('makes the same ids and units for the same calls', async () => {
  const texts = ['', '']
  for (const i of texts.keys()) {
    const world = createTestService({
      seedWorld: seedInOnePart((given) => {
        seedShop(given)
        for (const mode of ['live', 'test'] as const) {
          const placed = given.order(order({ mode, externalId: mode }))
          texts[i] += JSON.stringify([placed, world.store.orders.delivered(placed.no)])
        }
      }),
      started: false,
      durable: false,
    })
    world.service.start({ seed: 'demo', products: 0 })
    await world.close()
  }
  expect(texts[1]).toBe(texts[0])
  expect(texts[0]).toContain('TEST-')
})
