import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BodyOf } from '../../api/handlers.ts'
import { cents } from '../../api/money.ts'
import type { ProductQuery } from '../../api/schemas/product.ts'
import {
  createTestService,
  dashboard,
  partnerCaller,
  sellerCaller,
  type TestService,
} from '../testing/fixture.ts'
import { createShop } from '../testing/shop.ts'

let test: TestService
let shop: ReturnType<typeof createShop>
let partner: string

beforeEach(async () => {
  test = createTestService()
  shop = createShop(test)
  partner = await shop.partner({}, 0)
})
afterEach(() => test.close())

const list = async (query: ProductQuery = {}) =>
  (await test.run('listProducts', partnerCaller(partner), { query })).body
const idsOf = async (query: ProductQuery) => (await list(query)).results.map(({ id }) => id)
const patch = async (id: string, body: BodyOf<'changeProduct'>) =>
  (await test.run('changeProduct', dashboard, { params: { id }, body })).body

describe('pages', () => {
  it('report totals by page number, and none by cursor', async () => {
    for (let i = 0; i < 5; i += 1) await shop.product()
    const first = await list({ limit: 2 })
    expect(first).toMatchObject({ page: 1, limit: 2, total: 5, totalPages: 3, hasMore: true })
    const second = await list({ limit: 3, cursor: first.nextCursor ?? '' })
    expect(second).toMatchObject({ page: null, total: null, totalPages: null, hasMore: false })
    expect(new Set([...first.results, ...second.results].map(({ id }) => id)).size).toBe(5)
    const third = await list({ cursor: second.nextCursor ?? '' })
    expect(third).toMatchObject({ results: [], hasMore: false, nextCursor: second.nextCursor })
    expect(await list({ page: 9 })).toMatchObject({
      page: 9,
      results: [],
      hasMore: false,
      nextCursor: null,
    })
  })

  it('reject a cursor combined with page or updatedSince, issued with other filters, or made up', async () => {
    await shop.product()
    const { nextCursor } = await list({ platform: 'Steam' })
    const cursor = nextCursor ?? ''
    expect(
      (await list({ platform: 'Steam', cursor, limit: 1, includeRemoved: true })).results,
    ).toEqual([])
    const bad: [ProductQuery, string][] = [
      [{ platform: 'Steam', cursor, page: 1 }, 'page'],
      [{ platform: 'Steam', cursor, updatedSince: '2026-01-01T00:00:00.000Z' }, 'updatedSince'],
      [{ cursor }, 'cursor'],
      [{ platform: 'Xbox', cursor }, 'cursor'],
      [{ platform: 'Steam', cursor: `${cursor}A` }, 'cursor'],
      [{ cursor: 'not a cursor' }, 'cursor'],
    ]
    for (const [query, field] of bad) {
      await expect(list(query)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ field }],
      })
    }
  })

  it('filter by every field', async () => {
    const seller = await shop.seller()
    const dlc = await shop.product({
      name: 'Über-Held',
      platform: 'Xbox',
      region: 'Europe',
      productType: 'dlc',
      deliveryType: 'gift',
    })
    const game = await shop.product({ name: 'Plain' })
    await shop.offer(seller, game, 100, 1)
    const filters: [ProductQuery, string[]][] = [
      [{ platform: 'Xbox' }, [dlc]],
      [{ region: 'Global' }, [game]],
      [{ productType: 'dlc' }, [dlc]],
      [{ deliveryType: 'key' }, [game]],
      [{ inStock: true }, [game]],
      [{ inStock: false }, [dlc]],
      [{ search: 'ÜBER' }, [dlc]],
      [{ search: game }, [game]],
      [{ search: "100%_'" }, []],
      [{ ids: [game, 'nothing'] }, [game]],
      [{ ids: [dlc, game], inStock: true, platform: 'Steam' }, [game]],
    ]
    for (const [query, expected] of filters)
      expect([query, await idsOf(query)]).toEqual([query, expected])
    const { updatedAt } = (await list({ ids: [game] })).results[0] ?? {}
    expect(await idsOf({ updatedSince: updatedAt })).toEqual([game])
  })

  it('show the same product the same way, whatever selected it and wherever the page starts', async () => {
    const seller = await shop.seller()
    const ids: string[] = []
    for (let i = 0; i < 9; i += 1)
      ids.push(
        await shop.product({
          name: `Game ${i}`,
          region: i % 2 === 0 ? 'Europe' : 'Global',
          description: 'é'.repeat(i * 7),
          screenshots: i % 3 === 0 ? [] : [`https://cdn.example/${i}.png`],
        }),
      )
    // Changed from last to first, so that the order of rows differs from the order of results.
    for (const id of ids.toReversed()) await shop.offer(seller, id, 100 + ids.indexOf(id), 1)
    const alone = new Map<string, unknown>()
    for (const id of ids) {
      const { body } = await test.run('getProduct', partnerCaller(partner), { params: { id } })
      const { priceTiers: _onlyAlone, ...product } = body
      alone.set(id, product)
    }
    const { nextCursor } = await list({ limit: 3 })
    const chosen: [ProductQuery, number][] = [
      [{}, 9],
      [{ limit: 4, page: 2 }, 4],
      [{ limit: 5, cursor: nextCursor ?? '' }, 5],
      [{ ids }, 9],
      [{ ids: ids.slice(3, 6), limit: 2 }, 2],
      [{ region: 'Europe' }, 5],
      [{ search: 'game', page: 2, limit: 5 }, 4],
      [{ inStock: true }, 9],
    ]
    for (const [query, count] of chosen) {
      const { results } = await list(query)
      expect([query, results]).toEqual([query, results.map(({ id }) => alone.get(id))])
      expect([query, results.length]).toEqual([query, count])
    }
  })

  it('leave out removed products unless they are requested', async () => {
    const id = await shop.product()
    await patch(id, { removed: true })
    expect(await idsOf({})).toEqual([])
    expect((await list({ includeRemoved: true })).results).toMatchObject([{ id, removed: true }])
    await expect(
      test.run('getProduct', partnerCaller(partner), { params: { id } }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('updatedAt', () => {
  it('moves for visible changes, and for nothing else', async () => {
    const id = await shop.product({ name: 'A' })
    const seller = await shop.seller()
    const offer = await shop.offer(seller, id, 1000, 150)
    const stamp = () => test.store.catalogue.row(id)?.updatedAt ?? 0
    const moves = async (change: () => Promise<unknown>) => {
      const before = stamp()
      await change()
      return stamp() > before
    }
    const withdraw = (count: number) => () =>
      test.run('withdrawKeys', sellerCaller(seller), { params: { id: offer.id }, body: { count } })
    const price = (value: number) => () =>
      test.run('changeOffer', sellerCaller(seller), {
        params: { id: offer.id },
        body: { price: cents(value) },
      })

    for (const body of [
      { genres: ['RPG'] },
      { languages: ['en'] },
      { developer: 'D' },
      { publisher: 'P' },
      { name: 'A' },
    ]) {
      expect([body, await moves(() => patch(id, body))]).toEqual([body, false])
    }
    const visible: BodyOf<'changeProduct'>[] = [
      { name: 'B' },
      { region: 'Europe' },
      { description: 'text' },
      { activationDetails: 'text' },
      { removed: true },
      { removed: false },
      { activation: { excludedCountries: ['DE'], allowedCountryCount: null } },
      { coverImage: 'https://cdn.example/a.png' },
      { screenshots: ['https://cdn.example/b.png'] },
      { supplyUnknown: true },
      { supplyUnknown: false },
    ]
    for (const body of visible)
      expect([body, await moves(() => patch(id, body))]).toEqual([body, true])
    expect(await moves(withdraw(51))).toBe(false)
    expect(await moves(withdraw(1))).toBe(true)
    expect(await moves(price(1001))).toBe(true)
    expect(await moves(price(1001))).toBe(false)
  })

  it('moves for price and inStock while supply is unknown and qty is null', async () => {
    const id = await shop.product()
    const seller = await shop.seller()
    const offer = await shop.offer(seller, id, 1000, 3)
    await patch(id, { supplyUnknown: true })
    const read = async () => (await list({ ids: [id] })).results[0]
    const before = await read()
    expect(before).toMatchObject({ qty: null, inStock: true })
    await test.run('withdrawKeys', sellerCaller(seller), {
      params: { id: offer.id },
      body: { count: 2 },
    })
    expect(await read()).toEqual(before)
    await test.run('withdrawKeys', sellerCaller(seller), { params: { id: offer.id }, body: {} })
    expect(await read()).toMatchObject({ qty: null, inStock: false })
    expect((await read())?.updatedAt).not.toBe(before?.updatedAt)
  })

  it('moves for a price and for the first key while supply is unknown', async () => {
    const id = await shop.product()
    const seller = await shop.seller()
    const offer = await shop.offer(seller, id, 1000)
    await patch(id, { supplyUnknown: true })
    const stamp = async () => (await list({ ids: [id] })).results[0]?.updatedAt
    const before = await stamp()
    await shop.upload(seller, offer.id, shop.keys(1))
    const stocked = await stamp()
    expect(stocked).not.toBe(before)
    await test.run('changeOffer', sellerCaller(seller), {
      params: { id: offer.id },
      body: { price: cents(1001) },
    })
    expect(await stamp()).not.toBe(stocked)
  })

  it('of a change sorts after every cursor issued earlier, even when the clock stalls or moves back', async () => {
    const [first, second] = [await shop.product(), await shop.product()]
    const { nextCursor } = await list()
    test.clock.move(-60_000)
    await patch(first, { name: 'changed' })
    expect((await list({ cursor: nextCursor ?? '' })).results).toMatchObject([{ id: first }])
    expect(await idsOf({})).toEqual([second, first])
  })
})

describe('a sync by cursor', () => {
  it('never misses a product or a change, and repeats only what changed, while others write', async () => {
    const seller = await shop.seller()
    const products: string[] = []
    for (let i = 0; i < 25; i += 1) products.push(await shop.product())
    const step = fc.oneof(
      fc.record({ write: fc.constant('rename' as const), product: fc.nat(24) }),
      fc.record({ write: fc.constant('price' as const), product: fc.nat(24) }),
      fc.record({ write: fc.constant('remove' as const), product: fc.nat(24) }),
      fc.record({ write: fc.constant('none' as const), product: fc.constant(0) }),
    )
    let round = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        async (steps, limit) => {
          round += 1
          const mirror = new Map<string, { name: string; removed: boolean; updatedAt: string }>()
          const changed = new Map<string, number>()
          const seen = new Map<string, number>()
          let cursor: string | undefined
          const readPage = async () => {
            const page = await list({
              limit,
              includeRemoved: true,
              ...(cursor === undefined ? {} : { cursor }),
            })
            for (const { id, name, removed, updatedAt } of page.results) {
              mirror.set(id, { name, removed, updatedAt })
              seen.set(id, (seen.get(id) ?? 0) + 1)
            }
            cursor = page.nextCursor ?? cursor
            return page.hasMore
          }
          for (const [index, { write, product }] of steps.entries()) {
            const id = products[product] ?? ''
            if (write === 'rename') await patch(id, { name: `name ${round} ${index}` })
            if (write === 'remove')
              await patch(id, { removed: test.store.catalogue.row(id)?.removed === 0 })
            if (write === 'price' && test.store.catalogue.row(id)?.removed === 0)
              await shop.offer(seller, id, 100 + round + index, 1)
            if (write !== 'none') changed.set(id, (changed.get(id) ?? 0) + 2)
            await readPage()
          }
          while (await readPage());
          for (const id of products) {
            const row = test.store.catalogue.row(id)
            const now = {
              name: row?.name,
              removed: row?.removed === 1,
              updatedAt: new Date(row?.updatedAt ?? 0).toISOString(),
            }
            expect(mirror.get(id)).toEqual(now)
            expect(seen.get(id) ?? 0).toBeLessThanOrEqual(1 + (changed.get(id) ?? 0))
          }
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('meta', () => {
  it('counts the products in the catalogue', async () => {
    await shop.product({ platform: 'Xbox' })
    await shop.product()
    const gone = await shop.product()
    await patch(gone, { removed: true })
    expect((await test.run('getMeta', partnerCaller(partner))).body).toEqual({
      platforms: [
        { value: 'Steam', count: 1 },
        { value: 'Xbox', count: 1 },
      ],
      regions: [{ value: 'Global', count: 2 }],
      productTypes: [{ value: 'game', count: 2 }],
      deliveryTypes: [{ value: 'key', count: 2 }],
    })
  })
})

describe('pictures stored by the service', () => {
  it('get the address at which the service is reached', async () => {
    const id = await shop.product()
    const before = test.store.catalogue.find(id)
    if (!before) throw new Error('the product is there')
    const text = 'says "coverImage":"/x"'
    test.store.catalogue.update({
      ...before,
      description: text,
      coverImage: '/pictures/1.svg',
      screenshots: ['/a', 'https://cdn.example/b'],
    })
    const { body } = await test.run('getProduct', partnerCaller(partner), { params: { id } })
    expect(body).toMatchObject({
      description: text,
      coverImage: 'http://127.0.0.1:4600/pictures/1.svg',
      screenshots: ['http://127.0.0.1:4600/a', 'https://cdn.example/b'],
    })
  })
})

describe('the dashboard', () => {
  it('shows a new product on pages that were read before', async () => {
    for (let i = 0; i < 3; i += 1) expect((await list()).total).toBe(0)
    const id = await shop.product()
    expect((await list()).results).toMatchObject([{ id }])
  })

  it('rejects an id that is taken, and changes to a product that does not exist', async () => {
    const id = await shop.product({ id: 'prd_mine' })
    expect(id).toBe('prd_mine')
    expect(await shop.product()).toMatch(/^prd_/)
    await expect(shop.product({ id })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'id', message: 'is taken' }],
    })
    await expect(patch('prd_none', { name: 'A' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('prices the offers of a product again when its type or its delivery changes', async () => {
    const commission = { keys: 10, accounts_and_gifts: 20, special_subscriptions: 30 }
    const id = await shop.product()
    await shop.offer(await shop.seller({ commission }), id, 1000, 1)
    const price = async () => (await list({ ids: [id] })).results[0]?.price
    expect(await price()).toBe(1100)
    await patch(id, { deliveryType: 'gift' })
    expect(await price()).toBe(1200)
    await patch(id, { productType: 'subscription' })
    expect(await price()).toBe(1300)
    await patch(id, { productType: 'game', deliveryType: 'key' })
    expect(await price()).toBe(1100)
  })
})

describe('a restore', () => {
  it('shows the saved products, and ends the cursors issued before it', async () => {
    const id = await shop.product({ name: 'Saved' })
    await test.run('createSnapshot', dashboard, { body: { name: 'one' } })
    await patch(id, { name: 'Changed' })
    for (let i = 0; i < 2; i += 1)
      expect((await list()).results).toMatchObject([{ name: 'Changed' }])
    const { nextCursor } = await list()
    await test.run('restoreSnapshot', dashboard, { params: { name: 'one' } })
    expect((await list()).results).toMatchObject([{ name: 'Saved' }])
    await expect(list({ cursor: nextCursor ?? '' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [
        { field: 'cursor', message: 'this cursor belongs to an earlier state; start a full sync' },
      ],
    })
  })
})
