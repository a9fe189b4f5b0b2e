import { afterAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { cents } from '../../api/money.ts'
import { productPage, productWithTiers } from '../../api/schemas/product.ts'
import { dashboardToken, fieldsOf, startHarness } from '../testing/harness.ts'

const world = await startHarness()
const partner = await world.partner()
const seller = await world.seller()
afterAll(() => world.close())

type Page = z.output<typeof productPage.strict>
const get = (query: string, key = partner.key) => world.as(key, `/v1/products${query}`)
const page = async (query: string): Promise<Page> =>
  productPage.strict.parse((await get(query)).json)
const ids = async (query: string) => (await page(query)).results.map(({ id }) => id)
/** A product without its price tiers, which have their own tests. */
const one = async (id: string, key = partner.key) => {
  const answer = await world.as(key, `/v1/products/${encodeURIComponent(id)}`)
  const { priceTiers: _tiers, ...product } = productWithTiers.strict.parse(answer.json)
  return product
}
const change = (id: string, body: object) => world.dashboard.changeProduct({ params: { id }, body })
/** A separate platform for each test, so that its filter excludes other tests' products. */
const shelf = () => world.fresh('Shelf')

describe('a product', () => {
  it('has every field of the document, as created, with price and stock of its offers', async () => {
    const given = {
      ...({
        id: 'prd-all',
        name: 'Größe Ünïcode 💣',
        platform: 'Steam',
        region: 'RoW',
        productType: 'dlc',
        deliveryType: 'link',
      } as const),
      activation: {
        excludedCountries: ['US', 'JP'],
        allowedCountryCount: 180,
      },
      description: 'A',
      activationDetails: 'B',
      languages: ['English'],
      genres: ['RPG'],
      developer: 'D',
      publisher: 'P',
      releaseDate: '2020-02-29',
      ageRating: '18',
      coverImage: 'https://cdn.example/c.png',
      screenshots: ['https://cdn.example/s.png'],
      systemRequirements: [
        {
          system: 'Windows',
          requirement: ['4 GB'],
        },
      ],
      url: 'https://shop.example/p',
    }
    await world.dashboard.createProduct({ body: given })
    expect(await one('prd-all')).toEqual({
      ...given,
      price: 0,
      currency: 'EUR',
      inStock: false,
      qty: 0,
      removed: false,
      updatedAt: new Date(world.now()).toISOString(),
    })
    await world.offer(seller, 'prd-all', 1000, 2)
    expect(await one('prd-all')).toMatchObject({ price: 1100, inStock: true, qty: 2 })
  })

  it('has null for unknown fields, and empty lists', async () => {
    expect(await one(await world.product())).toMatchObject({
      activation: null,
      description: null,
      activationDetails: null,
      languages: [],
      genres: [],
      developer: null,
      publisher: null,
      releaseDate: null,
      ageRating: null,
      coverImage: null,
      screenshots: [],
      systemRequirements: [],
      url: null,
    })
  })

  it("costs the lowest customer price times the partner's factor, rounded half up", async () => {
    const id = await world.product()
    await world.offer(seller, id, 1000, 1)
    await world.offer(await world.seller(), id, 999, 1)
    for (const [priceFactor, price] of [
      [1, 1099],
      [1.005, 1104],
      [0.1, 110],
      [0.0045, 5],
      [0.00045, 0],
      [3, 3297],
    ] as const) {
      const other = await world.partner({ priceFactor }, { balance: 0 })
      expect((await one(id, other.key)).price).toBe(price)
    }
  })

  it("is priced with the partner's initial factor, which is above 0 and can't be changed", async () => {
    const { id } = await world.partner({ priceFactor: 1.5 }, { balance: 0 })
    const answer = await world.ask(`/dashboard/partners/${id}`, {
      method: 'PATCH',
      body: { priceFactor: 2 },
      headers: { authorization: `Bearer ${dashboardToken}` },
    })
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['priceFactor']])
    expect((await world.dashboard.getPartner({ params: { id } })).body.priceFactor).toBe(1.5)
    for (const priceFactor of [0, -1, '1', null]) {
      const made = await world.ask('/dashboard/partners', {
        method: 'POST',
        body: { name: 'P', priceFactor },
        headers: { authorization: `Bearer ${dashboardToken}` },
      })
      expect([made.status, fieldsOf(made)]).toEqual([400, ['priceFactor']])
    }
  })

  it('keeps its last price without supply; paused and empty offers and inactive sellers are no supply', async () => {
    const id = await world.product()
    const offer = await world.offer(seller, id, 1000, 1)
    const other = await world.seller()
    await world.offer(other, id, 2000, 1)
    expect(await one(id)).toMatchObject({ price: 1100, qty: 2 })
    await seller.client.changeOffer({ params: { id: offer }, body: { status: 'paused' } })
    expect(await one(id)).toMatchObject({ price: 2200, qty: 1 })
    await world.dashboard.changeSeller({ params: { id: other.id }, body: { status: 'suspended' } })
    expect(await one(id)).toMatchObject({ price: 2200, qty: 0, inStock: false })
    await seller.client.changeOffer({
      params: { id: offer },
      body: { status: 'active', price: cents(500) },
    })
    expect(await one(id)).toMatchObject({ price: 550, qty: 1, inStock: true })
  })

  it('reports at most 99 units, and null if the supply is unknown', async () => {
    const id = await world.product()
    const offer = await world.offer(seller, id, 1000, 99)
    expect((await one(id)).qty).toBe(99)
    await seller.client.uploadKeys({ params: { id: offer }, body: { keys: [world.fresh('KEY')] } })
    expect((await one(id)).qty).toBe(99)
    await change(id, { supplyUnknown: true })
    expect(await one(id)).toMatchObject({ qty: null, inStock: true })
  })

  it('is NOT_FOUND if it is unknown or removed', async () => {
    const id = await world.product()
    await change(id, { removed: true })
    for (const each of [id, 'nobody', '%20', "'%20OR%201=1"])
      expect(await world.as(partner.key, `/v1/products/${each}`)).toMatchObject({
        status: 404,
        code: 'NOT_FOUND',
      })
    await change(id, { removed: false })
    expect((await one(id)).removed).toBe(false)
  })
})

describe('updatedAt', () => {
  it('changes only for the fields the document names', async () => {
    const id = await world.product()
    const offer = await world.offer(seller, id, 1000, 120)
    const moved = async (work: () => Promise<unknown>) => {
      world.clock.move(1000)
      const before = (await one(id)).updatedAt
      await work()
      return (await one(id)).updatedAt !== before
    }
    const patches: [object, boolean][] = [
      [{ name: 'B' }, true],
      [{ region: 'Europe' }, true],
      [{ description: 'd' }, true],
      [{ activationDetails: 'a' }, true],
      [{ coverImage: 'https://cdn.example/1' }, true],
      [{ screenshots: ['https://cdn.example/2'] }, true],
      [{ activation: { excludedCountries: [], allowedCountryCount: null } }, true],
      [{ removed: false }, false],
      [{ name: 'B' }, false],
      [{ genres: ['x'] }, false],
      [{ languages: ['x'] }, false],
      [{ developer: 'x' }, false],
      [{ publisher: 'x' }, false],
      [{ ageRating: '18' }, false],
      [{ url: 'https://a.example/' }, false],
      [{ systemRequirements: [{ system: 'x', requirement: [] }] }, false],
      [{ releaseDate: '2020-01-01' }, false],
    ]
    for (const [body, expected] of patches)
      expect([body, await moved(() => change(id, body))]).toEqual([body, expected])
    const withdraw = (count: number) => () =>
      seller.client.withdrawKeys({ params: { id: offer }, body: { count } })
    expect(await moved(withdraw(21))).toBe(false)
    expect(await moved(withdraw(1))).toBe(true)
    expect(
      await moved(() =>
        seller.client.changeOffer({ params: { id: offer }, body: { price: cents(1000) } }),
      ),
    ).toBe(false)
    expect(
      await moved(() =>
        seller.client.changeOffer({ params: { id: offer }, body: { price: cents(1001) } }),
      ),
    ).toBe(true)
    expect(await moved(() => world.dashboard.getPartner({ params: { id: partner.id } }))).toBe(
      false,
    )
    const test = await world.keyOf(partner.id, 'test')
    expect(await moved(() => world.order(test.key, world.request(id)))).toBe(false)
    expect(await moved(() => world.order(partner.key, world.request(id)))).toBe(true)
    await world.settled()
    const rival = await world.seller()
    expect(await moved(() => world.offer(rival, id, 1, 0))).toBe(false)
    expect(await moved(() => world.offer(rival, id, 1, 0))).toBe(false)
  })
})

it('says how to write the + of an offset', async () => {
  const { details } = await get('?updatedSince=2026-01-01T00:00:00+01:00')
  expect(details).toEqual([{ field: 'updatedSince', message: expect.stringContaining('%2B') }])
  expect((await get('?updatedSince=2026-01-01T00:00:00%2B01:00')).status).toBe(200)
})

describe('the product list', () => {
  it('is ordered by updatedAt, then by id, even if many products have the same time', async () => {
    const platform = shelf()
    const made: string[] = []
    for (const id of ['c', 'a', 'b'])
      made.push(await world.product({ platform, id: `${platform}-${id}` }))
    const { results } = await page(`?platform=${platform}`)
    expect(results.map(({ id }) => id)).toEqual(
      [...results]
        .sort((a, b) => a.updatedAt.localeCompare(b.updatedAt) || (a.id < b.id ? -1 : 1))
        .map(({ id }) => id),
    )
    expect(results).toHaveLength(made.length)
    await change(made[0] ?? '', { name: 'last now' })
    expect((await ids(`?platform=${platform}`)).at(-1)).toBe(made[0])
  })

  it('has totals on numbered pages; page and limit default to 1 and 50', async () => {
    const platform = shelf()
    for (let i = 0; i < 5; i += 1) await world.product({ platform })
    expect(await page(`?platform=${platform}`)).toMatchObject({
      page: 1,
      limit: 50,
      total: 5,
      totalPages: 1,
      hasMore: false,
    })
    expect(await page(`?platform=${platform}&page=2&limit=2`)).toMatchObject({
      page: 2,
      limit: 2,
      total: 5,
      totalPages: 3,
      hasMore: true,
    })
    expect(await page(`?platform=${platform}&page=3&limit=2`)).toMatchObject({
      hasMore: false,
      results: [{}],
    })
    expect(await page(`?platform=${platform}&page=999999999999999&limit=100`)).toMatchObject({
      total: 5,
      hasMore: false,
      results: [],
      nextCursor: null,
    })
    expect(await page(`?platform=${platform}-none`)).toMatchObject({
      total: 0,
      totalPages: 0,
      hasMore: false,
      nextCursor: null,
      results: [],
    })
  })

  it.each([
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['page=', 'page'],
    ['page=1e2', 'page'],
    ['page=%201', 'page'],
    ['page=1&page=2', 'page'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['inStock=yes', 'inStock'],
    ['inStock=1', 'inStock'],
    ['inStock=TRUE', 'inStock'],
    ['includeRemoved=', 'includeRemoved'],
    ['productType=Game', 'productType'],
    ['productType=toy', 'productType'],
    ['deliveryType=keys', 'deliveryType'],
    ['search=a', 'search'],
    ['search=', 'search'],
    ['search=%F0%9F%92%A3', 'search'],
    ['cursor=', 'cursor'],
    ['cursor=abc', 'cursor'],
    ['updatedSince=2026-01-01', 'updatedSince'],
    ['updatedSince=2026-01-01T00:00:00', 'updatedSince'],
    ['updatedSince=2026-02-30T00:00:00Z', 'updatedSince'],
    ['updatedSince=2026-01-01T00:00:00+00:00', 'updatedSince'],
    ['updatedSince=1767225600', 'updatedSince'],
    ['ids=a,,b', 'ids'],
    ['ids=a&ids=', 'ids'],
    [`ids=${Array.from({ length: 101 }, (_, i) => i).join()}`, 'ids'],
    ['platform=a&platform=b', 'platform'],
  ])('rejects ?%s and names the field', async (query, field) => {
    const answer = await get(`?${query}`)
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
    expect(fieldsOf(answer)).toEqual([field])
  })

  it('names every bad parameter once, and ignores unknown ones', async () => {
    const answer = await get('?page=0&limit=0&inStock=maybe&colour=red&search=x')
    expect(fieldsOf(answer)).toEqual(['inStock', 'limit', 'page', 'search'])
    expect((await get('?colour=red&colour=blue&__proto__=x&limit=1')).status).toBe(200)
  })

  it.each([
    'limit=1',
    'limit=100',
    'page=1',
    'search=ab',
    'search=%20%20',
    `ids=${Array.from({ length: 100 }, (_, each) => each).join()}`,
    'updatedSince=2026-01-01T00:00:00Z',
    'inStock=true',
    'productType=game-point',
  ])('accepts ?%s', async (query) => {
    expect((await get(`?${query}`)).status).toBe(200)
  })

  it('filters by each parameter and by all of them together', async () => {
    const platform = shelf()
    const here = `?platform=${platform}`
    const a = await world.product({
      platform,
      name: 'Alpha',
      region: 'Europe',
      productType: 'dlc',
      deliveryType: 'gift',
    })
    const b = await world.product({ platform, name: 'Beta', region: 'Germany' })
    await world.offer(seller, b, 100, 1)
    const cases: [string, string[]][] = [
      ['', [a, b]],
      ['&region=Europe', [a]],
      ['&region=europe', []],
      ['&productType=dlc', [a]],
      ['&productType=software', []],
      ['&deliveryType=gift', [a]],
      ['&deliveryType=account', []],
      ['&inStock=true', [b]],
      ['&inStock=false', [a]],
      [`&ids=${a}`, [a]],
      [`&ids=${b},${a},none`, [a, b]],
      [`&ids=${a},${a}`, [a]],
      [`&ids=${b}&ids=${a}`, [a, b]],
      ['&search=alph', [a]],
      [
        `&ids=${a},${b}&inStock=true&region=Germany&productType=game&deliveryType=key&search=ETA`,
        [b],
      ],
    ]
    for (const [query, expected] of cases)
      expect([query, await ids(here + query)]).toEqual([query, expected])
    await change(a, { removed: true })
    expect(await ids(here)).toEqual([b])
    expect(await ids(`${here}&includeRemoved=false`)).toEqual([b])
    expect(
      (await page(`${here}&includeRemoved=true`)).results.map(({ id, removed }) => [id, removed]),
    ).toEqual([
      [b, false],
      [a, true],
    ])
    expect(await ids(`${here}&ids=${a}`)).toEqual([])
  })

  it('finds any part of a name in any case and script, or a complete id', async () => {
    const platform = shelf()
    const found = async (search: string) =>
      (await page(`?platform=${platform}&search=${encodeURIComponent(search)}`)).results.map(
        ({ name }) => name,
      )
    for (const name of [
      'Über Straße',
      'ΟΔΟΣΑ 2',
      'Crème Brûlée',
      '100% Orange_Juice',
      'МИР танков',
      'Ⅷ Deluxe',
      'ゼルダ',
    ])
      await world.product({ platform, name })
    const cases: [string, string[]][] = [
      ['über', ['Über Straße']],
      ['U\u0308BER', ['Über Straße']],
      ['R S', ['Über Straße']],
      ['STRASSE', ['Über Straße']],
      ['STRAẞE', ['Über Straße']],
      ['ΟΔΟΣ', ['ΟΔΟΣΑ 2']],
      ['οδος', ['ΟΔΟΣΑ 2']],
      ['οδοσα', ['ΟΔΟΣΑ 2']],
      ['BRÛL', ['Crème Brûlée']],
      ['0% O', ['100% Orange_Juice']],
      ['%%', []],
      ['e__u', []],
      ['e_j', ['100% Orange_Juice']],
      ['мир Т', ['МИР танков']],
      ['ルダ', ['ゼルダ']],
    ]
    for (const [search, names] of cases)
      expect([search, await found(search)]).toEqual([search, names])
    const id = await world.product({ platform, id: `${platform}-Exact`, name: 'Nothing like it' })
    expect(await found(id)).toEqual(['Nothing like it'])
    expect(await found(id.slice(0, -1))).toEqual([])
    expect(await found(id.toLowerCase())).toEqual([])
  })

  it('with updatedSince returns changes at or after that time, given with any offset', async () => {
    const platform = shelf()
    const id = await world.product({ platform })
    const at = Date.parse((await one(id)).updatedAt)
    const since = async (text: string) =>
      (await ids(`?platform=${platform}&updatedSince=${encodeURIComponent(text)}`)).length
    const shifted = new Date(at + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30')
    const negative = new Date(at - 8 * 3_600_000).toISOString().replace('Z', '-08:00')
    for (const text of [new Date(at).toISOString(), shifted, negative, shifted.replace('T', 't')])
      expect([text, await since(text)]).toEqual([text, 1])
    expect(await since(new Date(at + 1).toISOString())).toBe(0)
    expect(await since(new Date(at).toISOString().replace('Z', '1Z'))).toBe(0)
  })
})

it('GET /meta counts the products that can be browsed, by value', async () => {
  const platform = shelf()
  const a = await world.product({
    platform,
    region: platform,
    productType: 'game-point',
    deliveryType: 'account',
  })
  await world.product({ platform, region: platform })
  const meta = async () => (await world.as(partner.key, '/v1/meta')).json
  const both = {
    platforms: expect.arrayContaining([{ value: platform, count: 2 }]),
    regions: expect.arrayContaining([{ value: platform, count: 2 }]),
  }
  expect(await meta()).toMatchObject({
    ...both,
    productTypes: expect.arrayContaining([{ value: 'game-point', count: 1 }]),
    deliveryTypes: expect.arrayContaining([{ value: 'account', count: 1 }]),
  })
  expect(Object.keys(Object(await meta())).toSorted()).toEqual([
    'deliveryTypes',
    'platforms',
    'productTypes',
    'regions',
  ])
  await change(a, { removed: true })
  expect(await meta()).toMatchObject({
    platforms: expect.arrayContaining([{ value: platform, count: 1 }]),
  })
  expect(JSON.stringify(await meta())).not.toContain('game-point')
})
