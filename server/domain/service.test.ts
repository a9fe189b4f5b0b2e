import Database from 'better-sqlite3'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../api/money.ts'
import type { SeedBuilder, SeedOptions } from './ports/seeding.ts'
import { LedgerBrokenError } from './service.ts'
import { emptySeed, seedInOnePart } from './testing/seed-in-one-part.ts'
import {
  createTestClock,
  createTestService,
  dashboard,
  partnerCaller,
  type TestServiceOptions,
} from './testing/fixture.ts'
import { createShop } from './testing/shop.ts'
import { DAY_MS } from '../api/time.ts'

const details = {
  activation: null,
  description: null,
  activationDetails: null,
  languages: [],
  genres: [],
  developer: null,
  publisher: null,
  ageRating: null,
  coverImage: null,
  screenshots: [],
  systemRequirements: [],
  url: null,
  supplyUnknown: false,
}

/** A small data set: two sellers, three products (one to come), orders in every status. */
const fill = (world: SeedBuilder, { products }: SeedOptions): void => {
  const at = world.now - 3 * DAY_MS
  const partner = world.partner({
    name: 'Demo Partner',
    email: 'demo@partner.example',
    createdAt: at,
  })
  const seller = world.seller({ name: 'Demo Seller', createdAt: at })
  const rival = world.seller({ name: 'Rival', commission: { keys: 5 }, createdAt: at })
  world.products(
    Array.from({ length: products }, (_, i) => ({
      id: `prd_${i}`,
      name: `Product ${i}`,
      platform: 'Steam',
      region: 'Global',
      removed: false,
      ...details,
      productType: 'game' as const,
      deliveryType: 'key' as const,
      createdAt: at,
      updatedAt: at + i,
      releaseDate: i === 2 ? new Date(world.now + 5 * DAY_MS).toISOString().slice(0, 10) : null,
    })),
  )
  for (let i = 0; i < 3; i += 1) {
    const keys = Array.from({ length: 20 }, (_, k) => `SEED-${i}-${k}`)
    world.offer({
      sellerId: seller.id,
      productId: `prd_${i}`,
      price: cents(1000),
      createdAt: at,
      keys,
    })
  }
  world.offer({
    sellerId: rival.id,
    productId: 'prd_0',
    price: cents(990),
    createdAt: at,
    keys: ['RIVAL-1'],
  })
  Array.from(world.settle())
  world.topUp(partner.id, 'live', cents(100_000), at)
  world.topUp(partner.id, 'test', cents(100_000), at)
  const order = (
    externalId: string,
    productId: string,
    failUnits: number,
    mode: 'live' | 'test' = 'live',
  ) =>
    world.order({
      partnerId: partner.id,
      mode,
      externalId,
      items: [{ productId, qty: 2 }],
      at: at + DAY_MS,
      failUnits,
    })
  expect(order('done', 'prd_0', 0).status).toBe('completed')
  expect(order('part', 'prd_1', 1).status).toBe('partially_completed')
  expect(order('fail', 'prd_1', 2).status).toBe('failed')
  expect(order('wait', 'prd_2', 0).status).toBe('processing')
  expect(order('test', 'prd_1', 0, 'test').status).toBe('completed')
  world.demoAccounts(partner.id, seller.id)
}
const seedWorld = seedInOnePart(fill)

let folder: string
const clock = createTestClock()
const open = (options: TestServiceOptions = {}) =>
  createTestService({ folder, clock, seedWorld, world: { seed: 'demo', products: 50 }, ...options })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a first start', () => {
  it('builds the data by the service’s own rules', async () => {
    const test = open()
    const shop = createShop(test)
    const partners = (await test.run('listPartners', dashboard, { query: {} })).body.results
    const partner = partners[0]?.id ?? ''
    const orders = (await test.run('listOrders', partnerCaller(partner), { query: {} })).body
    expect(orders.total).toBe(4)
    expect(await shop.balance(partner)).toBe(100_000 - 2 * 1100 - 1100 - 2 * 1100)
    const [first] = (
      await test.run('listProducts', partnerCaller(partner), { query: { ids: ['prd_0'] } })
    ).body.results
    expect(first).toMatchObject({ price: 1100, qty: 19 })
    expect(await shop.ledger()).toMatchObject({ ok: true })
    await test.close()
  })

  it('creates the same data for the same options', async () => {
    const texts = []
    for (let i = 0; i < 2; i += 1) {
      const test = createTestService({ clock, seedWorld, world: { seed: 'demo', products: 50 } })
      const { results } = (await test.run('listPartners', dashboard, { query: {} })).body
      const partner = partnerCaller(results[0]?.id ?? '')
      const pages = [
        await test.run('listProducts', partner, { query: {} }),
        await test.run('listOrders', partner, { query: {} }),
      ]
      const keys = []
      for (const { id } of test.store.orders.page(
        { partnerId: partner.partnerId, mode: 'test' },
        0,
        9,
      )) {
        keys.push(
          (
            await test.run('getOrderKeys', partnerCaller(partner.partnerId, 'test'), {
              params: { id },
            })
          ).json,
        )
      }
      texts.push([...pages.map(({ json }) => json), ...keys].join('\n'))
      await test.close()
    }
    expect(texts[0]).toBe(texts[1])
  })
})

describe('each start', () => {
  it('leaves the data as it is, also when it began empty', async () => {
    await open({ seedWorld: emptySeed, world: { seed: 'empty', products: 0 } }).close()
    const test = open()
    expect(test.store.catalogue.count({ includeRemoved: true })).toBe(0)
    expect(test.store.settings.get('seeded')).toBe('empty')
    await test.close()
  })

  it('issues new demo keys and revokes those of the previous start', async () => {
    const first = open({ started: false })
    const before = first.service.start({ seed: 'demo', products: 50 }).demo
    await first.close()
    const second = open({ started: false })
    const after = second.service.start({ seed: 'demo', products: 50 }).demo
    const hash = async (key = '') =>
      Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))).toString(
        'hex',
      )
    expect(before?.partnerLiveKey).toMatch(/^svc_live_/)
    expect(second.service.access.partner(await hash(before?.partnerTestKey), '::1')).toBeNull()
    expect(second.service.access.seller(await hash(before?.sellerKey), '::1')).toBeNull()
    expect(second.service.access.partner(await hash(after?.partnerTestKey), '::1')).toMatchObject({
      caller: { mode: 'test' },
    })
    expect(second.service.access.seller(await hash(after?.sellerKey), '::1')).not.toBeNull()
    expect((await second.run('listPartners', dashboard, { query: {} })).body.total).toBe(1)
    await second.close()
  })

  it('fails when the books do not add up', async () => {
    await open().close()
    const database = new Database(join(folder, 'keydesk.sqlite'))
    database.exec("UPDATE ledger_accounts SET balance = balance + 1 WHERE name LIKE 'partner:%'")
    database.close()
    const test = open({ started: false })
    const start = () => test.service.start({ seed: 'demo', products: 50 })
    expect(start).toThrow(LedgerBrokenError)
    expect(start).toThrow(
      expect.objectContaining({
        name: 'LedgerBrokenError',
        message: expect.stringMatching(/^The ledger is broken: .{10,}\.$/),
      }),
    )
    test.store.close()
  })
})

describe('the clock', () => {
  it("is the computer's time plus an offset that survives a restart", async () => {
    const first = open()
    const { body } = await first.run('advanceClock', dashboard, { body: { ms: 3_600_000 } })
    expect(body).toEqual({
      now: new Date(clock.now() + 3_600_000).toISOString(),
      offsetMs: 3_600_000,
    })
    await first.close()
    const second = open()
    expect((await second.run('getClock', dashboard)).body).toEqual(body)
    await second.close()
  })

  it("runs due work on the way, at its own due time, and doesn't move back", async () => {
    const test = open()
    const due = test.store.orders.nextDueAt() ?? 0
    const to = new Date(due + 3_600_000).toISOString()
    expect((await test.run('advanceClock', dashboard, { body: { to } })).body.now).toBe(to)
    const { results } = (await test.run('listPartners', dashboard, { query: {} })).body
    const query = { externalId: 'wait' }
    const orders = (await test.run('listOrders', partnerCaller(results[0]?.id ?? ''), { query }))
      .body.results
    expect(orders).toMatchObject([
      { status: 'completed', completedAt: new Date(due).toISOString() },
    ])
    await expect(test.run('advanceClock', dashboard, { body: { to } })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    await test.close()
  })
})

describe('a reset', () => {
  it('leaves everything unchanged when it fails', async () => {
    let isBroken = false
    const failing = seedInOnePart((world, options) => {
      if (isBroken) throw new Error('no space left')
      fill(world, options)
    })
    const test = open({ seedWorld: failing })
    const before = test.store.catalogue.count({ includeRemoved: true })
    isBroken = true
    await expect(test.run('reset', dashboard, { body: { products: 10 } })).rejects.toThrow(
      'no space left',
    )
    expect(test.store.catalogue.count({ includeRemoved: true })).toBe(before)
    expect(readdirSync(join(folder, 'snapshots'))).toEqual([])
    isBroken = false
    await test.run('reset', dashboard, { body: { products: 10 } })
    expect(test.store.catalogue.count({ includeRemoved: true })).toBe(10)
    await test.close()
  })

  it('begins another history, in which earlier cursors and keys are invalid', async () => {
    const test = open()
    const partner = async () =>
      partnerCaller(
        (await test.run('listPartners', dashboard, { query: {} })).body.results[0]?.id ?? '',
      )
    const { body } = await test.run('listProducts', await partner(), { query: { limit: 10 } })
    const { key } = (
      await test.run('createPartnerKey', dashboard, {
        params: { id: (await partner()).partnerId },
        body: { mode: 'live' },
      })
    ).body
    const sha256 = createHash('sha256').update(key).digest('hex')
    expect(test.service.access.partner(sha256, '::1')).not.toBeNull()
    await test.run('reset', dashboard, { body: {} })
    expect(test.service.access.partner(sha256, '::1')).toBeNull()
    await expect(
      test.run('listProducts', await partner(), { query: { cursor: body.nextCursor ?? '' } }),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await test.close()
  })

  it('restores the initial database, with new demo keys and the computer’s time', async () => {
    const test = open()
    const listed = async () => {
      const { results } = (await test.run('listPartners', dashboard, { query: {} })).body
      const caller = partnerCaller(results[0]?.id ?? '')
      return [
        await test.run('listProducts', caller, { query: {} }),
        await test.run('listOrders', caller, { query: {} }),
        // The cursors belong to another history after the reset.
      ].map(({ json }) => json?.replace(/"nextCursor":"[^"]+"/, '"nextCursor":""'))
    }
    const before = await listed()
    const shop = createShop(test)
    const seller = await shop.seller()
    await shop.offer(seller, 'prd_4', 500, 3)
    await shop.order(await shop.partner(), shop.request('prd_4'), 'live', 5)
    await test.run('advanceClock', dashboard, { body: { ms: 1000 } })
    const { demo } = (await test.run('reset', dashboard, { body: {} })).body
    expect(demo?.sellerKey).toMatch(/^svcs_/)
    expect((await test.run('getClock', dashboard)).body.offsetMs).toBe(0)
    expect(await listed()).toEqual(before)
    expect(await shop.ledger()).toMatchObject({ ok: true })
    await shop.order(await shop.partner(), shop.request('prd_1'), 'live', 5)
    await test.close()
  })

  it('accepts another size, and ends waits for orders that no longer exist', async () => {
    const test = open()
    const shop = createShop(test)
    const partnerId = await shop.partner()
    const waiting = shop.order(partnerId, shop.request('prd_2'), 'live', 25)
    while (test.store.orders.count({ partnerId, mode: 'live' }) === 0)
      await new Promise((resolve) => setImmediate(resolve))
    await test.run('reset', dashboard, { body: { products: 10 } })
    expect(await waiting).toMatchObject({ status: 'processing' })
    expect(
      (await test.run('listProducts', partnerCaller(await shop.partner()), { query: {} })).body
        .total,
    ).toBe(10)
    await test.close()
  })
})
