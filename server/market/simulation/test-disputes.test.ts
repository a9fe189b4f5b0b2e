import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dashboard, sellerCaller, type TestService } from '../../domain/testing/fixture.ts'
import { createShop } from '../../domain/testing/shop.ts'
import { advance, DAY, HOUR, marketOf, openMarketFixture } from './testing/market-fixture.ts'

const MINUTE = 60_000

let test: TestService
let seller: string
let id: string

/** A test dispute about a unit of a seller outside the market. */
beforeEach(async () => {
  test = await openMarketFixture()
  const shop = createShop(test)
  seller = await shop.seller()
  const [partner, product] = [await shop.partner(), await shop.product()]
  await shop.offer(seller, product, 1000, 1)
  const { id: orderId } = await shop.order(partner, shop.request(product), 'live', 5)
  const [key] = await shop.keysOf(partner, orderId)
  const body = { orderId, keyId: key?.id ?? '' }
  id = (await test.run('complain', dashboard, { body })).body.disputeId
})
afterEach(() => test.close())

const read = async () =>
  (await test.run('getDispute', sellerCaller(seller), { params: { id } })).body
const authors = async () => (await read()).messages.map(({ author }) => author)
const answer = () =>
  test.run('answerDispute', sellerCaller(seller), { params: { id }, body: { body: 'We check.' } })

describe('a test dispute', () => {
  it('gets its customer’s reply within a minute of each answer, also after days of silence @long', async () => {
    await answer()
    await advance(test, MINUTE)
    expect(await authors()).toEqual(['customer', 'seller', 'customer'])
    await advance(test, 20 * HOUR)
    await answer()
    await advance(test, MINUTE)
    expect(await authors()).toEqual(['customer', 'seller', 'customer', 'seller', 'customer'])
  })

  it('is taken over by support within a minute of an escalation', async () => {
    await advance(test, HOUR)
    await test.run('escalateDispute', dashboard, { params: { id }, body: {} })
    await advance(test, MINUTE)
    expect(await authors()).toEqual(['customer', 'support'])
  })

  it('escalates by itself when its customer’s patience ends, and support takes it over', async () => {
    await advance(test, 5 * DAY)
    expect((await read()).status).not.toBe('open')
    expect(await authors()).toContain('support')
  })

  it('is not checked while nothing can happen', async () => {
    await advance(test, 2 * MINUTE)
    const { nextDueAt } = await marketOf(test)
    expect(Date.parse(nextDueAt ?? '') - test.service.clock.now()).toBeGreaterThan(MINUTE)
  })
})
