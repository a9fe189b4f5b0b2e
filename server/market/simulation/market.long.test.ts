import { afterEach, describe, expect, it } from 'vitest'
import { marketStrategies } from '../../api/dashboard/market.ts'
import {
  dashboard,
  partnerCaller,
  sellerCaller,
  type TestService,
} from '../../domain/testing/fixture.ts'
import { createShop } from '../../domain/testing/shop.ts'
import {
  advance,
  DAY,
  HOUR,
  marketOf,
  openMarketFixture,
  startMarket,
} from './testing/market-fixture.ts'

const open: TestService[] = []
afterEach(async () => {
  for (const test of open.splice(0)) await test.close()
})

async function opened(options?: Parameters<typeof openMarketFixture>[0]): Promise<TestService> {
  const test = await openMarketFixture(options)
  open.push(test)
  return test
}
const demoSeller = ({ store }: TestService): string => store.settings.get('demo_seller') ?? ''
const demoPartner = ({ store }: TestService): string => store.settings.get('demo_partner') ?? ''
const pricesOf = ({ store }: TestService, sellerId: string) =>
  store.offers
    .ofSeller(sellerId)
    .map(({ id, price, status, pricedAt }) => ({ id, price, status, pricedAt }))
const demoDisputes = (test: TestService) =>
  test.store.disputes.page({ sellerId: demoSeller(test) }, 0, 1000)

describe('after ten busy days', () => {
  it(
    "the books balance, no key was sold twice, every offer counts correctly, and other accounts' data is unchanged",
    { timeout: 120_000 },
    async () => {
      const test = await opened()
      const { store } = test
      const own = pricesOf(test, demoSeller(test))
      const keys = store.accounts.keysOf(demoPartner(test)).length
      await startMarket(test, { intensity: 2 })
      await advance(test, 10 * DAY)

      const { counts, shops, running } = await marketOf(test)
      expect(running).toBe(true)
      expect(
        Math.min(
          counts.priceChanges,
          counts.restocks,
          counts.orders,
          counts.claims,
          counts.messages,
        ),
      ).toBeGreaterThan(5)
      expect((await test.run('verifyLedger', dashboard)).body).toMatchObject({
        ok: true,
        sums: { live: 0, test: 0 },
      })

      const values = shops.flatMap(({ partnerId }) =>
        store.orders
          .page({ partnerId, mode: 'live' }, 0, 100_000)
          .flatMap(({ no }) =>
            store.orders.delivered(no).map(({ productId, value }) => `${productId} ${value}`),
          ),
      )
      expect(values.length).toBeGreaterThanOrEqual(counts.sales)
      expect(new Set(values).size).toBe(values.length)
      for (let no = 1; no <= store.market.lastOfferNo(); no += 1) {
        const { stock, reserved } = store.offers.findByNo(no) ?? { stock: -1, reserved: -1 }
        expect([store.stock.oldest(no, 10_000).length, reserved], `offer ${no}`).toEqual([
          stock,
          reserved === 0 ? 0 : expect.any(Number),
        ])
      }

      expect(pricesOf(test, demoSeller(test))).toEqual(own)
      expect(store.accounts.keysOf(demoPartner(test))).toHaveLength(keys)
      for (const mode of ['live', 'test'] as const) {
        expect(
          (await test.run('getBalance', partnerCaller(demoPartner(test), mode))).body.balance,
          mode,
        ).toBe(100_000)
      }
      expect(store.sales.count(demoSeller(test))).toBeGreaterThan(120)
    },
  )
})

describe('the market', () => {
  it("assigns strategies by the seed and reports each seller's strategy", async () => {
    const test = await opened()
    const { competitors, shops, sellers, customers } = await startMarket(test, { sellers: 10 })
    expect([competitors.length, shops.length, sellers, customers]).toEqual([10, 6, 10, 400])
    expect(new Set(competitors.map(({ strategy }) => strategy))).toEqual(new Set(marketStrategies))
    expect(new Set(competitors.map(({ name }) => name)).size).toBe(10)
    const { competitors: others } = await startMarket(test, { sellers: 10, seed: 'friday' })
    expect(others.map(({ sellerId }) => sellerId)).toEqual(
      competitors.map(({ sellerId }) => sellerId),
    )
    expect(others.map(({ strategy }) => strategy)).not.toEqual(
      competitors.map(({ strategy }) => strategy),
    )
  })

  it('stops on request, and restarts with new counts', async () => {
    const test = await opened()
    await startMarket(test)
    await advance(test, 12 * HOUR)
    await test.run('stopMarket', dashboard)
    const stopped = await marketOf(test)
    const prices = stopped.competitors.map(({ sellerId }) => pricesOf(test, sellerId))
    await advance(test, DAY)
    expect(await marketOf(test)).toEqual({ ...stopped, running: false, nextDueAt: null })
    expect(stopped.competitors.map(({ sellerId }) => pricesOf(test, sellerId))).toEqual(prices)
    expect((await startMarket(test)).counts.visits).toBe(0)
    await advance(test, 12 * HOUR)
    expect((await marketOf(test)).counts.visits).toBeGreaterThan(0)
  })

  it('continues in another size with the same seed, and restarts with another seed', async () => {
    const test = await opened()
    const { since } = await startMarket(test)
    await advance(test, 12 * HOUR)
    const before = (await marketOf(test)).counts
    expect(await startMarket(test, { intensity: 2, customers: 50 })).toMatchObject({
      since,
      counts: before,
      intensity: 2,
      customers: 50,
      sellers: 8,
    })
    const anew = await startMarket(test, { seed: 'other' })
    expect(anew.since).not.toBe(since)
    expect(anew.counts.visits).toBe(0)
  })

  it.each([
    [{ intensity: 0 }, [0, 0]],
    [{ customers: 0 }, [1, 0]],
    [{ sellers: 0 }, [0, 1]],
  ])('with %j has the matching amount of activity', async (size, [changes, orders]) => {
    const test = await opened()
    await startMarket(test, size)
    await advance(test, DAY)
    const { counts } = await marketOf(test)
    expect([Math.sign(counts.priceChanges), Math.sign(counts.orders)]).toEqual([changes, orders])
  })

  it("follows the service's normal rules: supplier outages, a suspended seller, suspended shops", async () => {
    const test = await opened()
    const { competitors, shops } = await startMarket(test, { intensity: 4 })
    const [first] = competitors
    await test.run('changeSeller', dashboard, {
      params: { id: first?.sellerId ?? '' },
      body: { status: 'suspended' },
    })
    const kept = pricesOf(test, first?.sellerId ?? '')
    await test.run('putFaults', dashboard, { body: [{ supplierDown: true }] })
    await advance(test, 6 * HOUR)
    expect((await marketOf(test)).counts).toMatchObject({ orders: 0, sales: 0 })
    await test.run('clearFaults', dashboard)
    for (const { partnerId } of shops)
      await test.run('changePartner', dashboard, {
        params: { id: partnerId },
        body: { status: 'suspended' },
      })
    await advance(test, 6 * HOUR)
    expect((await marketOf(test)).counts.orders).toBe(0)
    for (const { partnerId } of shops)
      await test.run('changePartner', dashboard, {
        params: { id: partnerId },
        body: { status: 'active' },
      })
    await advance(test, 6 * HOUR)
    const { counts } = await marketOf(test)
    expect(Math.min(counts.orders, counts.priceChanges, counts.visits)).toBeGreaterThan(0)
    expect(pricesOf(test, first?.sellerId ?? '')).toEqual(kept)
  })

  it('adds competitors for one’s own seller to an empty service, and customers who buy from it', async () => {
    const test = await opened({
      world: { seed: 'empty', products: 0 },
      randomName: 'own seller',
    })
    const shop = createShop(test)
    const seller = await shop.seller()
    for (let made = 0; made < 12; made += 1)
      await shop.offer(seller, await shop.product(), 1000 + made * 150, 40)
    const prices = pricesOf(test, seller)
    const { competitors, sellers } = await startMarket(test)
    expect(sellers).toBe(6)
    expect(
      competitors.flatMap(({ sellerId }) => test.store.offers.ofSeller(sellerId)).length,
    ).toBeGreaterThan(15)
    const late = await shop.product()
    await shop.offer(seller, late, 2500, 10)
    await advance(test, 4 * DAY)
    expect(test.store.sales.count(seller)).toBeGreaterThan(3)
    expect(test.store.offers.ofProduct(late).length).toBeGreaterThan(1)
    expect(pricesOf(test, seller).slice(0, 12)).toEqual(prices)
  })
})

describe('customers', () => {
  it(
    'complain in several languages with screenshots and escalate; support closes unfounded claims',
    { timeout: 120_000 },
    async () => {
      const test = await opened()
      const known = new Set(demoDisputes(test).map(({ id }) => id))
      await startMarket(test, { intensity: 8, sellers: 0 })
      await advance(test, 9 * DAY)
      const claimed = demoDisputes(test)
        .filter(({ id }) => !known.has(id))
        .map((dispute) => ({ ...dispute, messages: test.store.disputes.messages(dispute.no) }))
      expect(claimed.length).toBeGreaterThan(8)
      expect(new Set(claimed.map(({ reason }) => reason)).size).toBeGreaterThan(6)
      const pictures = claimed.flatMap(({ messages }) =>
        messages.flatMap(({ attachments }) => attachments),
      )
      expect(pictures.length).toBeGreaterThan(2)
      for (const { contentType, value } of pictures) {
        expect(contentType).toBe('image/png')
        expect([...Buffer.from(value, 'base64').subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
      }
      const authors = claimed.map(({ messages }) => messages.map(({ author }) => author).join(' '))
      expect(authors.some((each) => each.startsWith('customer customer'))).toBe(true)
      expect(authors.some((each) => each.includes('support'))).toBe(true)
      expect(
        claimed.every(
          ({ status, openedAt }) =>
            status !== 'open' || test.service.clock.now() - openedAt < 3 * DAY,
        ),
      ).toBe(true)
      expect(claimed.some(({ resolution }) => resolution === 'rejected')).toBe(true)
      for (const { reason } of claimed) expect(reason).not.toMatch(/[{}]/)
    },
  )

  it('answer the seller a few times, and stop once the dispute is resolved', async () => {
    const test = await opened()
    const caller = sellerCaller(demoSeller(test))
    const known = new Set(demoDisputes(test).map(({ id }) => id))
    await startMarket(test, { intensity: 8, sellers: 0 })
    while (demoDisputes(test).every(({ id }) => known.has(id))) await advance(test, 3 * HOUR)
    const id = demoDisputes(test).find((dispute) => !known.has(dispute.id))?.id ?? ''
    const messages = async () =>
      (await test.run('getDispute', caller, { params: { id } })).body.messages.map(
        ({ author }) => author,
      )
    for (const count of [1, 2, 3]) {
      await test.run('answerDispute', caller, {
        params: { id },
        body: { body: 'Could you try again?' },
      })
      await advance(test, 8 * HOUR)
      expect(await messages(), `answer ${count}`).toHaveLength(1 + 2 * count)
      expect((await messages()).at(-1)).toBe('customer')
    }
    await test.run('refundDispute', caller, { params: { id } })
    await advance(test, 2 * DAY)
    expect(await messages()).toHaveLength(7)
  })
})
