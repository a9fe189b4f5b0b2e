import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../context.ts'
import type { Simulation } from '../ports/market.ts'
import { createTestService, dashboard, type TestService } from '../testing/fixture.ts'
import { createShop, type TestShop } from '../testing/shop.ts'

const now = '2026-03-01T12:00:00.000Z'

let test: TestService
let shop: TestShop
let opensDisputes: boolean

const simulation: Simulation = {
  strategyOf: (seed, place) => (seed === 'monday' && place === 1 ? 'premium' : 'matcher'),
  start() {},
  plan() {},
  execute() {},
  createTestDispute: () => (opensDisputes ? 'dsp_1' : null),
}

beforeEach(() => {
  opensDisputes = true
  test = createTestService({ durable: false, simulateMarket: () => simulation })
  shop = createShop(test)
})
afterEach(() => test.close())

describe('accounts on the dashboard', () => {
  it('shows a partner with its limits, balances and addresses', async () => {
    const id = await shop.partner({ email: 'buyer@shop.example' }, 0)
    await shop.topUp(id, 'live', 500)
    await shop.topUp(id, 'test', 70)
    const params = { id }
    const partner = {
      id,
      name: 'Partner',
      email: 'buyer@shop.example',
      status: 'active',
      perOrderLimit: 250_000,
      dailyLimit: 1_000_000,
      ipAllowlist: [],
      priceFactor: 1,
      createdAt: now,
    }
    const balances = { live: 500, test: 70 }
    expect((await test.run('getPartner', dashboard, { params })).body).toEqual({
      ...partner,
      balances,
    })
    const body = { name: 'Renamed', dailyLimit: null }
    expect((await test.run('changePartner', dashboard, { params, body })).body).toEqual({
      ...partner,
      name: 'Renamed',
      dailyLimit: null,
      balances,
    })
    expect((await test.run('listPartners', dashboard)).body).toMatchObject({
      total: 1,
      results: [{ ...partner, name: 'Renamed', dailyLimit: null }],
    })
  })

  it('lists sellers page by page, and shows one with its commission', async () => {
    const ids = [await shop.seller({ name: 'One' }), await shop.seller({ name: 'Two' })]
    const list = async (page: number) =>
      (await test.run('listSellers', dashboard, { query: { page, limit: 1 } })).body
    const pages = [await list(1), await list(2)]
    expect(pages).toMatchObject([
      { page: 1, total: 2, totalPages: 2 },
      { page: 2, total: 2, totalPages: 2 },
    ])
    expect(pages.flatMap(({ results }) => results.map(({ id }) => id)).toSorted()).toEqual(
      ids.toSorted(),
    )
    const params = { id: ids[0] ?? '' }
    expect((await test.run('getSellerAccount', dashboard, { params })).body).toEqual({
      id: ids[0],
      name: 'One',
      status: 'active',
      commission: { keys: 10, accounts_and_gifts: 15, special_subscriptions: 20 },
      createdAt: now,
    })
  })

  it('shows when a key expires and was revoked, and each of its scopes once', async () => {
    const expiresAt = '2026-04-01T00:00:00.000Z'
    const partner = { id: await shop.partner({}, 0) }
    const scopes = ['orders:read', 'orders:read', 'catalog:read'] as const
    const made = await test.run('createPartnerKey', dashboard, {
      params: partner,
      body: { mode: 'test', scopes: [...scopes], expiresAt },
    })
    expect(made).toMatchObject({
      status: 201,
      body: { mode: 'test', scopes: ['orders:read', 'catalog:read'], expiresAt, createdAt: now },
    })
    const keys = async () =>
      (await test.run('listPartnerKeys', dashboard, { params: partner })).body.results
    expect(await keys()).toEqual([
      {
        id: made.body.id,
        prefix: 'svc_test_',
        lastFour: made.body.key.slice(-4),
        mode: 'test',
        scopes: ['orders:read', 'catalog:read'],
        createdAt: now,
        expiresAt,
        lastUsedAt: null,
        revokedAt: null,
      },
    ])
    test.clock.move(1000)
    const params = { ...partner, keyId: made.body.id }
    await test.run('revokePartnerKey', dashboard, { params })
    expect(await keys()).toMatchObject([{ revokedAt: '2026-03-01T12:00:01.000Z' }])
  })

  it('issues, lists and revokes the key of a seller', async () => {
    const seller = { id: await shop.seller() }
    const { body } = await test.run('createSellerKey', dashboard, {
      params: seller,
      body: { expiresAt: null },
    })
    expect(body).toMatchObject({ expiresAt: null, createdAt: now })
    const params = { ...seller, keyId: body.id }
    expect((await test.run('revokeSellerKey', dashboard, { params })).status).toBe(204)
    expect((await test.run('listSellerKeys', dashboard, { params: seller })).body.results).toEqual([
      {
        id: body.id,
        prefix: 'svcs_',
        lastFour: body.key.slice(-4),
        createdAt: now,
        expiresAt: null,
        lastUsedAt: null,
        revokedAt: now,
      },
    ])
  })
})

it('lists ledger entries with their order, and e-mails page by page', async () => {
  const id = await shop.partner({ email: 'buyer@shop.example' })
  const product = await shop.product()
  await shop.offer(await shop.seller(), product, 1000, 1)
  const order = await shop.order(id, shop.request(product))
  await test.settled()
  const params = { id }
  const entries = (
    await test.run('listPartnerLedger', dashboard, { params, query: { mode: 'live' } })
  ).body
  expect(entries).toMatchObject({ total: 2 })
  expect(entries.results).toEqual([
    {
      id: expect.any(String),
      type: 'order_debit',
      amount: -1100,
      balanceAfter: 1_000_000 - 1100,
      orderId: order.id,
      createdAt: now,
      mode: 'live',
    },
    {
      id: expect.any(String),
      type: 'top_up',
      amount: 1_000_000,
      balanceAfter: 1_000_000,
      orderId: null,
      createdAt: now,
      mode: 'live',
    },
  ])
  const query = { page: 2, limit: 1 }
  const emails = (await test.run('listPartnerEmails', dashboard, { params, query })).body
  expect(emails).toMatchObject({ page: 2, total: 2, totalPages: 2 })
  expect(emails.results).toEqual([
    {
      to: 'buyer@shop.example',
      subject: expect.stringContaining('10,000.00'),
      text: expect.any(String),
      at: now,
    },
  ])
})

describe('the clock', () => {
  const advance = (body: { ms?: number; to?: string }) =>
    test.run('advanceClock', dashboard, { body: body as { ms: number } })

  it('raises the offset by exactly the given milliseconds, and reaches exactly the given time', async () => {
    expect((await advance({ ms: 5000 })).body.offsetMs).toBe(5000)
    test.clock.move(300)
    expect((await advance({ ms: 5000 })).body.offsetMs).toBe(10_000)
    const to = '2026-03-02T00:00:00.000Z'
    expect((await advance({ to })).body.now).toBe(to)
  })

  it.each([
    [{ ms: 0 }, 'ms', 'must be later than now'],
    [{ to: now }, 'to', 'must be later than now'],
    [{ ms: 3660 * DAY + 1 }, 'ms', 'must be at most ten years ahead'],
    [{ to: '2037-01-01T00:00:00.000Z' }, 'to', 'must be at most ten years ahead'],
  ])('rejects %j', async (body, field, message) => {
    await expect(advance(body)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field, message }],
    })
  })

  it('moves by up to ten years', async () => {
    expect((await advance({ ms: 3660 * DAY })).status).toBe(200)
  })
})

describe('the market', () => {
  const start = (seed: string, sellers: number) =>
    test.run('startMarket', dashboard, { body: { seed, intensity: 2, sellers, customers: 9 } })
  const market = async () => (await test.run('getMarket', dashboard)).body
  const zero = {
    priceChanges: 0,
    newOffers: 0,
    restocks: 0,
    visits: 0,
    orders: 0,
    sales: 0,
    claims: 0,
    messages: 0,
    escalations: 0,
    settlements: 0,
  }

  it('is empty before its first run', async () => {
    expect(await market()).toEqual({
      running: false,
      seed: null,
      intensity: 0,
      sellers: 0,
      customers: 0,
      since: null,
      nextDueAt: null,
      counts: zero,
      competitors: [],
      shops: [],
    })
  })

  it('shows its run with the sellers that act, their strategies, and the shops', async () => {
    const sellers = [await shop.seller({ name: 'One' }), await shop.seller({ name: 'Two' })]
    const idle = await shop.seller()
    const partner = await shop.partner({ name: 'Corner Shop' }, 0)
    for (const accountId of [...sellers, idle])
      test.store.market.addActor({ kind: 'seller', accountId, newcomer: false })
    test.store.market.addActor({ kind: 'shop', accountId: partner, newcomer: true })
    const run = {
      running: true,
      seed: 'monday',
      intensity: 2,
      sellers: 2,
      customers: 9,
      since: now,
      nextDueAt: '2026-03-01T13:00:00.000Z',
      counts: zero,
      competitors: [
        { sellerId: sellers[0], name: 'One', strategy: 'matcher' },
        { sellerId: sellers[1], name: 'Two', strategy: 'premium' },
      ],
      shops: [{ partnerId: partner, name: 'Corner Shop' }],
    }
    expect((await start('monday', 2)).body).toEqual(run)
    expect((await test.run('stopMarket', dashboard)).body).toEqual({
      ...run,
      running: false,
      nextDueAt: null,
    })
  })

  it('opens a test dispute about a delivered key once, within the claim window', async () => {
    const [partner, product] = [await shop.partner(), await shop.product()]
    await shop.offer(await shop.seller(), product, 1000, 1)
    const { id: orderId } = await shop.order(partner, shop.request(product), 'live', 5)
    const [key] = await shop.keysOf(partner, orderId)
    const keyId = key?.id ?? ''
    const complain = (body = { orderId, keyId }) => test.run('complain', dashboard, { body })
    expect((await complain()).body).toEqual({ disputeId: 'dsp_1' })
    for (const unknown of [
      { orderId: 'ord_none', keyId },
      { orderId, keyId: 'key_none' },
    ])
      await expect(complain(unknown)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: 'This order has no such key.',
      })
    opensDisputes = false
    await expect(complain()).rejects.toMatchObject({ code: 'CLAIM_WINDOW_CLOSED' })
    await test.run('createClaim', dashboard, { body: { orderId, keyId, message: 'Used.' } })
    await expect(complain()).rejects.toMatchObject({ code: 'CLAIM_EXISTS' })
  })
})

describe('faults', () => {
  const put = (path: string | undefined, method?: string) =>
    test.run('putFaults', dashboard, {
      body: [{ supplierDown: true }, { match: { path, method }, status: 500 } as never],
    })

  it('name the ones that match no operation, and change nothing', async () => {
    await expect(put('/v1/nothing')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: '[1].match.path', message: 'matches no operation' }],
    })
    expect((await test.run('getFaults', dashboard)).body).toEqual([])
  })

  it('may match every path', async () => {
    expect((await put(undefined, 'GET')).status).toBe(200)
    expect((await test.run('getFaults', dashboard)).body).toHaveLength(2)
  })
})

describe('snapshots', () => {
  it('are listed with time and size, and deleted', async () => {
    const { body } = await test.run('createSnapshot', dashboard, { body: { name: 'one' } })
    expect(body).toEqual({ name: 'one', createdAt: expect.any(String), bytes: expect.any(Number) })
    expect((await test.run('listSnapshots', dashboard)).body.results).toEqual([body])
    const params = { name: 'one' }
    expect((await test.run('deleteSnapshot', dashboard, { params })).status).toBe(204)
    expect((await test.run('listSnapshots', dashboard)).body.results).toEqual([])
  })

  it.each(['deleteSnapshot', 'restoreSnapshot'] as const)(
    'reject names that no snapshot has in %s',
    async (operation) => {
      const params = { name: '../keydesk' }
      await expect(test.run(operation, dashboard, { params })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ field: 'name' }],
      })
    },
  )
})
