import { afterAll, beforeAll, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'
import { startSellerOffers } from '../testing/seller-offers.ts'
import type { SellerOffers } from '../testing/seller-offers.ts'

let world: SellerOffers
let offers: SellerOffers['offers']
beforeAll(async () => {
  world = await startSellerOffers(300)
  offers = world.offers
}, 120_000)
afterAll(() => world.close())

const active = (): OfferRow[] => world.rows().filter((row) => row.status === 'active')

test('stores costs and low-stock thresholds locally, applies them, and keeps them when the mirror is rebuilt', () => {
  const row = active().find((each) => each.stock > 6) as OfferRow
  expect(
    offers.setTerms({
      accountId: 'seller',
      offerIds: [row.offerId, 'off_none'],
      costCents: cents(row.priceCents - 5),
      lowAt: row.stock,
    }),
  ).toEqual({
    changed: 1,
    before: [
      {
        offerId: row.offerId,
        costCents: null,
        lowAt: null,
        ownFloorCents: null,
        ownCeilingCents: null,
      },
    ],
  })
  expect(offers.costOf('seller', row.offerId)).toBe(row.priceCents - 5)
  expect(offers.list({ accountId: 'seller', view: 'low-stock', query: row.offerId }).total).toBe(1)
  offers.setTerms({ accountId: 'seller', offerIds: [row.offerId], lowAt: null })
  expect(offers.list({ accountId: 'seller', view: 'low-stock', query: row.offerId }).total).toBe(0)
  expect(offers.offer({ accountId: 'seller', offerId: row.offerId })).toMatchObject({
    costCents: row.priceCents - 5,
    lowAt: null,
  })
})

test('lists the costs of chosen offers in their order, with the number that have one', () => {
  const unknown = active().filter(({ costCents }) => costCents === null)
  const [one, two, three] = unknown as [OfferRow, OfferRow, OfferRow]
  const offerIds = [three.offerId, 'off_none', one.offerId, two.offerId]
  offers.setTerms({ accountId: 'seller', offerIds: [one.offerId], costCents: cents(120) })
  const { name, platform, region, deliveryType } = one
  expect(offers.costs({ accountId: 'seller', offerIds, window: { offset: 1, limit: 1 } })).toEqual({
    total: 3,
    entered: 1,
    rows: [{ offerId: one.offerId, name, platform, region, deliveryType, costCents: 120 }],
  })
  const { rows } = offers.costs({ accountId: 'seller', offerIds })
  expect(rows.map((row) => row.offerId)).toEqual([three.offerId, one.offerId, two.offerId])
  offers.setTerms({ accountId: 'seller', offerIds: [one.offerId], costCents: null })
})

test('stores a floor and a ceiling of each offer, restores them, and rejects a floor above the ceiling', () => {
  const [one, two] = active() as [OfferRow, OfferRow]
  const offerIds = [one.offerId, two.offerId]
  const limitsOf = ({ offerId }: OfferRow) => {
    const { ownFloorCents, ownCeilingCents } = offers.offer({ accountId: 'seller', offerId })
    return [ownFloorCents, ownCeilingCents]
  }
  offers.setTerms({ accountId: 'seller', offerIds: [one.offerId], ownFloorCents: cents(150) })
  const { before } = offers.setTerms({
    accountId: 'seller',
    offerIds,
    ownFloorCents: cents(200),
    ownCeilingCents: cents(900),
  })
  expect([limitsOf(one), limitsOf(two)]).toEqual([
    [200, 900],
    [200, 900],
  ])
  expect(() =>
    offers.setTerms({ accountId: 'seller', offerIds, ownFloorCents: cents(901) }),
  ).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code: 'INVALID_INPUT' }) }),
  )
  offers.restoreTerms({ accountId: 'seller', terms: before })
  expect([limitsOf(one), limitsOf(two)]).toEqual([
    [150, null],
    [null, null],
  ])
  offers.setTerms({ accountId: 'seller', offerIds, ownFloorCents: null })
})

test('stops a bulk change at the cost', async () => {
  const row = active().find((each) => each.costCents !== null) as OfferRow
  const { rows: lines } = await offers.bulks.preview({
    accountId: 'seller',
    chosen: { offerIds: [row.offerId] },
    change: { kind: 'price', how: { by: 'amount', cents: cents(-50) }, keepFloor: true },
  })
  expect(lines[0]).toMatchObject({ note: 'stops-at-floor', after: { priceCents: row.costCents } })
})

test('saves views by name', () => {
  const look = {
    filter: { view: 'low-stock', platforms: ['Steam'] },
    sort: { column: 'stock', direction: 'asc' },
  } as const
  const { viewId } = offers.savedViews.save({
    accountId: 'seller',
    name: 'Refill',
    look: { ...look, filter: { ...look.filter, platforms: ['Steam'] } },
  })
  offers.savedViews.save({ accountId: 'seller', name: 'Other', look: {} })
  expect(() => offers.savedViews.rename({ accountId: 'seller', viewId, name: 'other' })).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code: 'CONFLICT' }) }),
  )
  expect(
    offers.savedViews.rename({ accountId: 'seller', viewId, name: 'Refill soon' }),
  ).toMatchObject({
    name: 'Refill soon',
    look: { filter: { view: 'low-stock', platforms: ['Steam'], query: '' } },
  })
  offers.savedViews.remove({ accountId: 'seller', viewId })
  expect(offers.savedViews.list({ accountId: 'seller' }).map(({ name }) => name)).toEqual(['Other'])
})

test('exports the table as text that no spreadsheet evaluates', async () => {
  const { text, rows: count } = await offers.table({ accountId: 'seller', form: 'csv' })
  const lines = text.trimEnd().split('\r\n')
  expect(lines.length).toBe(count + 1)
  expect(lines[0]).toBe(
    'Offer id,Product id,Product,Platform,Region,Delivery,Status,Price EUR,Customer EUR,' +
      'Cost EUR,Profit EUR,Floor EUR,Ceiling EUR,Cheapest,Best customer EUR,Stock,Sold,Changed (UTC),Seen (UTC)',
  )
})
