import { afterAll, describe, expect, it } from 'vitest'
import { rawShop, refused, startRaw } from '../testing/raw-service.ts'

const service = await startRaw()
const shop = rawShop(service)
afterAll(() => service.stop())

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('GET /me', () => {
  it('returns the shop, its status, three commissions, and the support for Idempotency-Key', async () => {
    const { id, call } = await shop.seller({
      name: 'Own Terms',
      commission: { accounts_and_gifts: 12.5 },
    })
    expect(await call('GET', '/me')).toMatchObject({ status: 200 })
    expect((await call('GET', '/me')).body).toEqual({
      sellerId: id,
      name: 'Own Terms',
      status: 'active',
      currency: 'EUR',
      idempotency: true,
      commissions: [
        {
          class: 'keys',
          percent: 10,
        },
        {
          class: 'accounts_and_gifts',
          percent: 12.5,
        },
        {
          class: 'special_subscriptions',
          percent: 20,
        },
      ],
    })
  })

  it.each([
    ['game', 'key', 'keys', 110],
    ['game-point', 'link', 'keys', 110],
    ['game', 'account', 'accounts_and_gifts', 115],
    ['dlc', 'gift', 'accounts_and_gifts', 115],
    ['subscription', 'key', 'special_subscriptions', 120],
    ['subscription', 'account', 'special_subscriptions', 120],
  ])(
    'charges on a %s delivered as %s the commission %s',
    async (productType, deliveryType, name, customerPrice) => {
      const { call } = await shop.seller()
      const { offer } = (
        await call('POST', '/offers', {
          productId: await shop.product({ productType, deliveryType }),
          price: 100,
        })
      ).body
      expect(offer).toMatchObject({
        customerPrice,
        commission: { class: name, percent: customerPrice - 100, amount: customerPrice - 100 },
      })
    },
  )
})

describe('GET /products', () => {
  it("returns each product's lowest customer and seller price, the caller’s offers included", async () => {
    const [mine, rival] = [await shop.seller(), await shop.seller({ commission: { keys: 50 } })]
    const productId = await shop.product({ name: 'Tariff' })
    const ask = async () => (await mine.call('GET', `/products?search=${productId}`)).body.results
    const facts = {
      productId,
      name: 'Tariff',
      platform: 'Steam',
      region: 'Global',
      productType: 'game',
      deliveryType: 'key',
      commission: { class: 'keys', percent: 10 },
    }
    expect(await ask()).toEqual([{ ...facts, shopPrice: null, bestSellerPrice: null }])
    await shop.offer(mine, productId, 10)
    expect(await ask()).toEqual([{ ...facts, shopPrice: null, bestSellerPrice: null }])
    const own = await shop.offer(mine, productId, 10, ['own-1'])
    expect(await ask()).toEqual([{ ...facts, shopPrice: 11, bestSellerPrice: 10 }])
    await shop.offer(rival, productId, 9, ['rival-1'])
    expect(await ask()).toEqual([{ ...facts, shopPrice: 11, bestSellerPrice: 9 }])
    await mine.call('PATCH', `/offers/${own}`, { status: 'paused' })
    expect(await ask()).toEqual([{ ...facts, shopPrice: 13.5, bestSellerPrice: 9 }])
  })

  it('finds part of a name in any case or an exact id, and excludes removed products', async () => {
    const { call } = await shop.seller()
    const id = await shop.product({ name: 'Größe 100%_off' })
    const total = async (search: string) =>
      (await call('GET', `/products?search=${encodeURIComponent(search)}`)).body.total
    expect(await Promise.all(['GRÖSSE', 'größe', 'GRÖßE 100%', '0%_o', id].map(total))).toEqual([
      1, 1, 1, 1, 1,
    ])
    expect(
      await Promise.all(['%_', '_off%', id.slice(0, -1), id.toUpperCase()].map(total)),
    ).toEqual([1, 0, 0, 0])
    expect(refused(await call('GET', '/products?search=g'))).toEqual([
      400,
      'VALIDATION_ERROR',
      'search',
    ])
    await service.dashboard('PATCH', `/products/${id}`, { removed: true })
    expect(await total(id)).toBe(0)
  })
})

describe('an offer', () => {
  it('has every field by its name', async () => {
    const { call } = await shop.seller()
    const productId = await shop.product({ name: 'Fields', region: 'Europe' })
    const id = await shop.offer({ call }, productId, 12.35, ['f-1', 'f-2'])
    const answer = await call('GET', `/offers/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^off_/),
      productId,
      name: 'Fields',
      platform: 'Steam',
      region: 'Europe',
      productType: 'game',
      deliveryType: 'key',
      price: 12.35,
      customerPrice: 13.59,
      commission: {
        class: 'keys',
        percent: 10,
        // 1.235, rounded half up.
        amount: 1.24,
      },
      currency: 'EUR',
      status: 'active',
      stock: 2,
      sold: 0,
      isCheapest: true,
      lowestCustomerPrice: 13.59,
      createdAt: instant,
      updatedAt: instant,
    })
  })

  it('is created with 201, and updated by the same call with 200, keeping its status', async () => {
    const { call } = await shop.seller()
    const productId = await shop.product()
    const first = await call('POST', '/offers', { productId, price: 5 })
    expect([first.status, first.body]).toEqual([
      201,
      { created: true, offer: expect.objectContaining({ price: 5, status: 'active' }) },
    ])
    const { id } = first.body.offer
    await call('PATCH', `/offers/${id}`, { status: 'paused' })
    const second = await call('POST', '/offers', { productId, price: 6 })
    expect([second.status, second.body]).toEqual([
      200,
      { created: false, offer: expect.objectContaining({ id, price: 6, status: 'paused' }) },
    ])
    expect(
      (await call('POST', '/offers', { productId, price: 6, status: 'active' })).body.offer.status,
    ).toBe('active')
  })

  it('accepts only prices from 0.01 to 100000 with two decimals', async () => {
    const { call } = await shop.seller()
    const productId = await shop.product()
    for (const price of [0.01, 100_000])
      expect((await call('POST', '/offers', { productId, price })).body.offer.price).toBe(price)
    for (const price of [0, -1, 0.001, 1.005, 100_000.01, '5', null, 1e300]) {
      expect(refused(await call('POST', '/offers', { productId, price })), String(price)).toEqual([
        400,
        'VALIDATION_ERROR',
        'price',
      ])
    }
    expect(refused(await call('POST', '/offers', { status: 'sold' }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'productId',
      'price',
      'status',
    ])
  })

  it('for a removed or unknown product is 409 PRODUCT_UNAVAILABLE, created or updated', async () => {
    const { call } = await shop.seller()
    const productId = await shop.product()
    await call('POST', '/offers', { productId, price: 1 })
    await service.dashboard('PATCH', `/products/${productId}`, { removed: true })
    for (const gone of [productId, 'nothing'])
      expect(refused(await call('POST', '/offers', { productId: gone, price: 1 }))).toEqual([
        409,
        'PRODUCT_UNAVAILABLE',
      ])
  })

  it("for a removed product is unavailable and isn't cheapest until the product returns", async () => {
    const seller = await shop.seller()
    const productId = await shop.product()
    const id = await shop.offer(seller, productId, 1, ['gone-1'])
    const read = async () => (await seller.call('GET', `/offers/${id}`)).body
    for (const removed of [false, true, false]) {
      await service.dashboard('PATCH', `/products/${productId}`, { removed })
      const { isCheapest, unavailable } = await read()
      expect([isCheapest, unavailable]).toEqual([!removed, removed ? true : undefined])
    }
  })

  it('accepts price, status or both in PATCH, which returns the bare offer; neither is VALIDATION_ERROR', async () => {
    const { call } = await shop.seller()
    const id = await shop.offer({ call }, await shop.product(), 3)
    expect((await call('PATCH', `/offers/${id}`, { price: 4 })).body).toMatchObject({
      id,
      price: 4,
      status: 'active',
    })
    expect((await call('PATCH', `/offers/${id}`, { status: 'paused' })).body).toMatchObject({
      id,
      price: 4,
      status: 'paused',
    })
    expect(await call('PATCH', `/offers/${id}`, { price: 5, status: 'active' })).toMatchObject({
      status: 200,
      body: { id, price: 5, status: 'active' },
    })
    for (const body of [
      {},
      { price: null },
      { status: null },
      { status: 'deleted' },
      [],
      undefined,
    ]) {
      expect(
        refused(await call('PATCH', `/offers/${id}`, body)).slice(0, 2),
        JSON.stringify(body),
      ).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  it('of another seller is NOT_FOUND for every call', async () => {
    const [owner, other] = [await shop.seller(), await shop.seller()]
    const id = await shop.offer(owner, await shop.product(), 3, ['theirs'])
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { price: 1 }],
      ['DELETE', '', undefined],
      ['POST', '/keys', { keys: ['a'] }],
      ['POST', '/withdraw', {}],
    ] as const)
      expect(refused(await other.call(method, `/offers/${id}${path}`, body)), method).toEqual([
        404,
        'NOT_FOUND',
      ])
    expect((await owner.call('GET', `/offers/${id}`)).body).toMatchObject({ price: 3, stock: 1 })
  })

  it('is cheapest if it would be sold first: the older price wins, and never if paused or empty', async () => {
    const [first, second] = [await shop.seller(), await shop.seller()]
    const productId = await shop.product()
    const [a, b] = [
      await shop.offer(first, productId, 2, ['a-1']),
      await shop.offer(second, productId, 2, ['b-1']),
    ]
    const cheapest = async () => [
      (await first.call('GET', `/offers/${a}`)).body.isCheapest,
      (await second.call('GET', `/offers/${b}`)).body.isCheapest,
    ]
    expect(await cheapest()).toEqual([true, false])
    await shop.advance(1000)
    await first.call('PATCH', `/offers/${a}`, { price: 3 })
    await first.call('PATCH', `/offers/${a}`, { price: 2 })
    expect(await cheapest()).toEqual([false, true])
    await second.call('PATCH', `/offers/${b}`, { status: 'paused' })
    expect(await cheapest()).toEqual([true, false])
    await first.call('POST', `/offers/${a}/withdraw`)
    expect(await cheapest()).toEqual([false, false])
    expect((await first.call('GET', `/offers/${a}`)).body.lowestCustomerPrice).toBeNull()
  })
})

describe('DELETE of an offer', () => {
  it('returns 204 for an unused offer, 409 with stock, and 200 with the paused offer with sales', async () => {
    const seller = await shop.seller()
    const productId = await shop.product()
    const id = await shop.offer(seller, productId, 1, ['d-1', 'd-2', 'd-3'])
    expect(refused(await seller.call('DELETE', `/offers/${id}`))).toEqual([409, 'OFFER_HAS_STOCK'])
    await shop.buy(await shop.partner(), productId)
    expect(await seller.call('DELETE', `/offers/${id}`)).toMatchObject({
      status: 200,
      body: { id, status: 'paused', stock: 2, sold: 1 },
    })
    expect(await seller.call('DELETE', `/offers/${id}`)).toMatchObject({
      status: 200,
      body: { id, status: 'paused' },
    })
    const empty = await shop.offer(seller, await shop.product(), 1)
    const gone = await seller.call('DELETE', `/offers/${empty}`)
    expect([gone.status, gone.text, gone.headers.get('content-type')]).toEqual([204, '', null])
    for (const method of ['GET', 'DELETE'])
      expect(refused(await seller.call(method, `/offers/${empty}`))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('lists of the Seller API', () => {
  it('have the envelope page, limit, total, totalPages, hasMore, results, with 50 per page by default', async () => {
    const { call } = await shop.seller()
    for (const path of ['/products', '/offers', '/sales', '/disputes']) {
      const { body } = await call('GET', path)
      expect(Object.keys(body).toSorted(), path).toEqual([
        'hasMore',
        'limit',
        'page',
        'results',
        'total',
        'totalPages',
      ])
      expect(body).toMatchObject({ page: 1, limit: 50 })
    }
    expect((await call('GET', '/offers')).body).toEqual({
      page: 1,
      limit: 50,
      total: 0,
      totalPages: 0,
      hasMore: false,
      results: [],
    })
  })

  it('accept a limit from 1 to 100 and a page from 1, never clamped', async () => {
    const { call } = await shop.seller()
    for (const path of ['/products', '/offers', '/sales', '/disputes']) {
      for (const query of [
        'limit=0',
        'limit=101',
        'limit=ten',
        'limit=',
        'page=0',
        'page=-1',
        'page=1.5',
        'page=1&page=2',
      ]) {
        expect(refused(await call('GET', `${path}?${query}`)), path + query).toEqual([
          400,
          'VALIDATION_ERROR',
          query.split('=')[0],
        ])
      }
      expect(
        (await call('GET', `${path}?limit=100&page=99999999999999&unknown=1`)).body,
        path,
      ).toMatchObject({ limit: 100, hasMore: false, results: [] })
    }
    for (const path of ['/offers?status=gone', '/disputes?status=closed'])
      expect(refused(await call('GET', path))).toEqual([400, 'VALIDATION_ERROR', 'status'])
  })

  it('page through all offers, newest first, each once, also by status', async () => {
    const seller = await shop.seller()
    const made: string[] = []
    for (let i = 0; i < 5; i += 1) {
      made.unshift(await shop.offer(seller, await shop.product(), 1))
      await shop.advance(1)
    }
    await seller.call('PATCH', `/offers/${made[1]}`, { status: 'paused' })
    const pages = await Promise.all(
      [1, 2, 3, 4].map(
        async (page) => (await seller.call('GET', `/offers?limit=2&page=${page}`)).body,
      ),
    )
    expect(
      pages.map(({ total, totalPages, hasMore, results }) => [
        total,
        totalPages,
        hasMore,
        results.length,
      ]),
    ).toEqual([
      [5, 3, true, 2],
      [5, 3, true, 2],
      [5, 3, false, 1],
      [5, 3, false, 0],
    ])
    expect(pages.flatMap(({ results }) => results.map(({ id }: { id: string }) => id))).toEqual(
      made,
    )
    const ids = async (status: string) =>
      (await seller.call('GET', `/offers?status=${status}`)).body.results.map(
        ({ id }: { id: string }) => id,
      )
    expect(await ids('paused')).toEqual([made[1]])
    expect(await ids('active')).toEqual(made.filter((id) => id !== made[1]))
  })
})
