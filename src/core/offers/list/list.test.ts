import DatabaseConstructor from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { offerViews } from '../../../contract/offers/offer-filter.ts'
import { offerSortColumns } from '../../../contract/offers/offers.ts'
import { catalogueSchema } from '../../catalogue/catalogue.ts'
import { leadOf } from '../sync/facts.ts'
import type { OfferFacts } from '../sync/facts.ts'
import { salesSchema, soldByDay } from '../../sales/sales.ts'
import { listOffers } from './list.ts'
import { positionOfOffer } from './position.ts'
import { offersSchemas } from '../offers.ts'
import { offerStore } from '../store.ts'

const NAMES = ['Hollow Tide', 'Amber Circuit', 'Iron Wharf 3', 'Velvet Syndicate', 'Quiet Engines']
const made: OfferFacts[] = Array.from({ length: 400 }, (_, i) => ({
  offerId: `off_${i}`,
  productId: i % 50 === 49 ? null : `prd_${i}`,
  name: `${NAMES[i % 5] ?? ''} ${Math.floor(i / 5)}`,
  platform: ['Steam', 'Xbox', 'GOG'][i % 3] ?? '',
  region: ['Global', 'Europe'][i % 2] ?? '',
  productType: 'game',
  deliveryType: 'key',
  priceCents: cents(100 + ((i * 7919) % 5000)),
  customerCents: cents(110 + ((i * 7919) % 5000)),
  commission: null,
  status: i % 9 === 0 ? 'paused' : 'active',
  stock: i % 7 === 0 ? 0 : i % 40,
  sold: i % 8 === 0 ? null : i % 13,
  isCheapest: i % 11 === 0 ? null : i % 3 === 0,
  lowestCustomerCents: i % 5 === 0 ? null : cents(60 + ((i * 7919) % 5000)),
  updatedAt: i,
}))
const db = new DatabaseConstructor(':memory:')
for (const schema of [catalogueSchema, ...offersSchemas, salesSchema])
  for (const step of schema.steps) db.exec(step)
db.transaction(() =>
  made.forEach((facts, i) =>
    offerStore(db).put(facts, { askedAt: 1000, seenAt: 1000 + (i % 17), serviceAhead: 0 }, 1),
  ),
)()

/**
 * Every third offer sold as many units this week as its number says; all of them also have older
 * and cancelled sales.
 */
const now = Date.UTC(2026, 2, 4)
const soldIn = (i: number): number => (i % 3 === 0 ? i % 7 : 0)
const sell = db.prepare(
  `INSERT INTO sales (sale_id, offer_id, name, name_key, status, held, sold_at, seen_at, pass)
    VALUES (:id, :offer, '', '', :status, 0, :at, 0, 1)`,
)
db.transaction(() =>
  made.forEach(({ offerId: offer }, i) => {
    for (let unit = 0; unit < soldIn(i); unit += 1)
      sell.run({ id: `sal_${i}_${unit}`, offer, status: 'pending', at: now - unit * 86_400_000 })
    sell.run({ id: `sal_${i}_old`, offer, status: 'released', at: now - 8 * 86_400_000 })
    sell.run({ id: `sal_${i}_cancelled`, offer, status: 'cancelled', at: now - 1000 })
  }),
)()

const lowStock = 5
const views: Record<(typeof offerViews)[number], (offer: OfferFacts) => boolean> = {
  all: () => true,
  'not-cheapest': (offer) =>
    offer.status !== 'paused' && offer.stock > 0 && offer.isCheapest === false,
  'low-stock': (offer) => offer.status !== 'paused' && offer.stock > 0 && offer.stock <= lowStock,
  empty: (offer) => offer.status !== 'paused' && offer.stock === 0,
  paused: (offer) => offer.status === 'paused',
}

test('matches a brute-force search in views, filters and counts', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...offerViews),
      fc.subarray(['Steam', 'Xbox', 'GOG']),
      fc.subarray(['Global', 'Europe']),
      fc.constantFrom('', 'hollow', 'cir', 'off_7'),
      (view, platforms, regions, query) => {
        const chosen = made.filter(
          (offer) =>
            (platforms.length === 0 || platforms.includes(offer.platform)) &&
            (regions.length === 0 || regions.includes(offer.region)) &&
            (query === '' ||
              offer.offerId === query ||
              offer.name
                .toLowerCase()
                .split(' ')
                .some((word) => word.startsWith(query))),
        )
        const found = listOffers(db, {
          view,
          query,
          platforms,
          regions,
          sort: { column: 'name', direction: 'asc' },
          offset: 0,
          limit: 500,
          lowStock,
          now,
        })
        expect(found.rows.map((row) => row.offerId).toSorted()).toEqual(
          chosen
            .filter(views[view])
            .map((offer) => offer.offerId)
            .toSorted(),
        )
        expect(found.views).toEqual(
          Object.fromEntries(offerViews.map((each) => [each, chosen.filter(views[each]).length])),
        )
        expect(found.total).toBe(found.views[view])
        expect([found.platforms, found.regions]).toEqual([
          ['GOG', 'Steam', 'Xbox'],
          ['Europe', 'Global'],
        ])
      },
    ),
    { numRuns: 120 },
  )
})

test.each(offerSortColumns)(
  'sorts by %s both ways with unknown values last, in windows that fit together',
  (column) => {
    for (const direction of ['asc', 'desc'] as const) {
      const rows = [0, 150, 300].flatMap(
        (offset) =>
          listOffers(db, {
            view: 'all',
            query: '',
            platforms: [],
            regions: [],
            sort: { column, direction },
            offset,
            limit: 150,
            lowStock,
            now,
          }).rows,
      )
      expect(new Set(rows.map((row) => row.offerId)).size).toBe(400)
      const values = rows.map(
        (row) =>
          ({
            name: row.name.toLowerCase(),
            price: row.priceCents,
            customer: row.customerCents,
            lead: leadOf(row),
            stock: row.stock,
            sold: row.sold,
            week: soldIn(Number(row.offerId.slice(4))),
            seen: row.seenAt,
            profit: row.costCents === null ? null : row.priceCents - row.costCents,
          })[column],
      )
      const known = values.filter((value) => value !== null)
      expect(values.slice(known.length).every((value) => value === null)).toBe(true)
      const sorted = known.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
      expect(known).toEqual(direction === 'asc' ? sorted : sorted.toReversed())
    }
  },
)

test('returns the same windows from an index and from the cached order, for any filter and order', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...offerViews),
      fc.subarray(['Steam', 'Xbox', 'GOG']),
      fc.constantFrom('', 'hollow'),
      fc.constantFrom(...offerSortColumns),
      fc.constantFrom('asc', 'desc'),
      (view, platforms, query, column, direction) => {
        const ids = (offset: number, limit: number): string[] =>
          listOffers(db, {
            view,
            query,
            platforms,
            regions: [],
            sort: { column, direction },
            offset,
            limit,
            lowStock,
            now,
          }).rows.map((row) => row.offerId)
        expect([0, 70, 140, 210, 280, 350].flatMap((offset) => ids(offset, 70))).toEqual(
          ids(0, 1000),
        )
      },
    ),
    { numRuns: 100 },
  )
})

test('computes the lead: 0 while leading, negative while behind, unknown without stock or price', () => {
  const offer = {
    status: 'active',
    stock: 1,
    isCheapest: false,
    lowestCustomerCents: cents(1000),
    customerCents: cents(1045),
  }
  expect(leadOf(offer)).toBe(-45)
  expect(leadOf({ ...offer, isCheapest: true })).toBe(0)
  expect(leadOf({ ...offer, status: 'paused' })).toBeNull()
  expect(leadOf({ ...offer, stock: 0 })).toBeNull()
  expect(leadOf({ ...offer, lowestCustomerCents: null })).toBeNull()
})

test('counts units sold per day once all sales are read, without cancelled and older sales', () => {
  expect(soldByDay(db, ['off_3'], now, 7)).toBeNull()
  db.exec('UPDATE sales_sync SET complete = 1')
  // The time of day doesn't matter.
  for (const later of [0, 1, 3_600_000, 86_399_999])
    expect(soldByDay(db, ['off_3', 'off_4', 'off_6'], now + later, 7)).toEqual(
      new Map([
        ['off_3', [0, 0, 0, 0, 1, 1, 1]],
        ['off_6', [0, 1, 1, 1, 1, 1, 1]],
      ]),
    )
})

test.each(offerSortColumns)('names the index of an offer in the list by %s', (column) => {
  for (const direction of ['asc', 'desc'] as const)
    for (const view of ['all', 'empty'] as const) {
      const asked = {
        view,
        query: '',
        platforms: ['Steam'],
        regions: [],
        sort: { column, direction },
        lowStock,
        now,
      }
      const { rows } = listOffers(db, { ...asked, offset: 0, limit: 500 })
      expect(rows.map(({ offerId }) => positionOfOffer(db, asked, offerId))).toEqual(
        rows.map((_, index) => index),
      )
      expect(positionOfOffer(db, asked, 'off_1')).toBeNull()
      expect(positionOfOffer(db, asked, 'unknown')).toBeNull()
    }
})
