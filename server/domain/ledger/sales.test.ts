import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../context.ts'
import { dashboard, sellerCaller, type TestService } from '../testing/fixture.ts'
import { openShop, type TestShop } from '../testing/shop.ts'

let test: TestService, shop: TestShop, partner: string, seller: string, product: string
beforeEach(async () => void ({ test, shop, partner, seller, product } = await openShop()))
afterEach(() => test.close())

const sales = async (query: { page?: number; limit?: number } = {}, of = seller) =>
  (await test.run('listSales', sellerCaller(of), { query })).body
const balance = async (of = seller) => (await test.run('getSellerBalance', sellerCaller(of))).body
const advance = (ms: number) => test.run('advanceClock', dashboard, { body: { ms } })
const buy = (qty = 1) => shop.order(partner, shop.request(product, qty), 'live', 5)

describe('a sale (Decision 30)', () => {
  it('shows offer, order, unit, prices, times and the SHA-256 of the trimmed key', async () => {
    const offer = await shop.offer(seller, product, 1000)
    await shop.upload(seller, offer.id, ['  KEY-OF-MINE '])
    const order = await buy()
    const [unit] = await shop.keysOf(partner, order.id)
    expect((await sales()).results).toEqual([
      {
        id: expect.stringMatching(/^sal_/),
        offerId: offer.id,
        productId: product,
        name: expect.stringMatching(/^Game/),
        orderId: order.id,
        keyId: unit?.id,
        price: 1e3,
        customerPrice: 1100,
        status: 'pending',
        releasedAt: null,
        soldAt: '2026-03-01T12:00:00.000Z',
        releaseAt: '2026-03-08T12:00:00.000Z',
        keySha256: createHash('sha256').update('KEY-OF-MINE').digest('hex'),
      },
    ])
  })

  it('is visible to its seller only; lists are paged, newest first', async () => {
    await shop.offer(seller, product, 1000, 3)
    for (let i = 0; i < 3; i += 1) {
      await buy()
      await advance(1000)
    }
    const all = await sales()
    expect(all.results.map(({ soldAt }) => soldAt)).toEqual(
      all.results
        .map(({ soldAt }) => soldAt)
        .toSorted()
        .toReversed(),
    )
    expect(await sales({ page: 2, limit: 2 })).toMatchObject({
      total: 3,
      totalPages: 2,
      hasMore: false,
      results: [{ id: all.results[2]?.id }],
    })
    expect((await sales({}, await shop.seller())).total).toBe(0)
  })

  it("isn't created for a test order", async () => {
    await shop.offer(seller, product, 1000, 1)
    await shop.order(partner, shop.request(product), 'test', 5)
    expect(await sales()).toMatchObject({ total: 0 })
    expect(await balance()).toMatchObject({
      currency: 'EUR',
      pending: 0,
      available: 0,
      upcomingReleases: [],
    })
  })
})

describe('a release', () => {
  it('happens exactly 7 days after delivery and moves the price from pending to available', async () => {
    await shop.offer(seller, product, 1000, 2)
    await buy(2)
    expect(await balance()).toMatchObject({
      pending: 2000,
      available: 0,
      upcomingReleases: [{ date: '2026-03-08', amount: 2000, sales: 2 }],
    })
    await advance(7 * DAY - 1)
    expect((await sales()).results.map(({ status }) => status)).toEqual(['pending', 'pending'])
    await advance(1)
    expect(await balance()).toMatchObject({ pending: 0, available: 2000, upcomingReleases: [] })
    expect((await sales()).results).toMatchObject([
      { status: 'released', releasedAt: '2026-03-08T12:00:00.000Z' },
      { status: 'released' },
    ])
    expect(await shop.ledger()).toMatchObject({ ok: true, sums: { live: 0, test: 0 } })
  })

  it('uses its own due time when the clock jumps far ahead', async () => {
    await shop.offer(seller, product, 1000, 2)
    await buy()
    await advance(2 * DAY)
    await buy()
    expect((await balance()).upcomingReleases).toEqual([
      { date: '2026-03-08', amount: 1000, sales: 1 },
      { date: '2026-03-10', amount: 1000, sales: 1 },
    ])
    await advance(30 * DAY)
    expect((await sales()).results.map(({ releasedAt }) => releasedAt)).toEqual([
      '2026-03-10T12:00:00.000Z',
      '2026-03-08T12:00:00.000Z',
    ])
  })
})

describe('the release of a sale in dispute (Decision 30)', () => {
  const claim = async () => {
    const { orderId, keyId } = (await sales()).results[0] ?? { orderId: '', keyId: '' }
    const body = { orderId, keyId, message: 'Used.' }
    return (await test.run('createClaim', dashboard, { body })).body.disputeId
  }
  const reject = (id: string) => test.run('rejectDispute', dashboard, { params: { id }, body: {} })
  const released = async () => (await sales()).results[0]?.releasedAt ?? null
  beforeEach(async () => {
    await shop.offer(seller, product, 1000, 1)
    await buy()
  })

  it.each([
    ['exactly when it is due', 7 * DAY, '2026-03-08T12:00:00.000Z'],
    ['when it was due before', 9 * DAY, '2026-03-10T12:00:00.000Z'],
  ])('follows the resolution immediately %s', async (_when, resolvedAfter, releasedAt) => {
    const id = await claim()
    await advance(resolvedAfter)
    expect(await released()).toBeNull()
    expect(await balance()).toMatchObject({ pending: 1000, available: 0 })
    await reject(id)
    expect(await released()).toBe(releasedAt)
    expect(await balance()).toMatchObject({ pending: 0, available: 1000 })
    expect(Array.from(test.store.ledger.entriesAfter(0)).at(-1)).toMatchObject({
      type: 'earning_release',
      at: Date.parse(releasedAt),
    })
  })

  it('keeps its date when the dispute is resolved before', async () => {
    await reject(await claim())
    await advance(7 * DAY - 1)
    expect(await released()).toBeNull()
    await advance(1)
    expect(await released()).toBe('2026-03-08T12:00:00.000Z')
  })

  it('happens once when the claim arrives after it', async () => {
    await advance(7 * DAY)
    await reject(await claim())
    await advance(7 * DAY)
    expect(await released()).toBe('2026-03-08T12:00:00.000Z')
    expect(await balance()).toMatchObject({ pending: 0, available: 1000 })
  })
})
