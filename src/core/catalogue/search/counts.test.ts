import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { CatalogueFilter } from '../../../contract/catalogue.ts'
import { countChoices, CountingStopped } from './counts.ts'
import type { ProductFacts } from '../records/product-facts.ts'
import { searchProducts } from './search.ts'
import { applyOwnOffers } from '../sync/own-offers.ts'
import {
  filterOf,
  generatedProducts,
  openMirror,
  productFacts,
  putProducts,
} from '../testing/products.ts'

const products = generatedProducts(600).map((product, i) =>
  i % 17 === 0 ? { ...product, inStock: null, qty: null } : product,
)
const removed = generatedProducts(620)
  .slice(600)
  .map((product) => ({ ...product, removed: true }))
const own = new Set(products.filter((_, i) => i % 6 === 0).map((product) => product.productId))
const db = openMirror()
putProducts(db, [...products, ...removed])
applyOwnOffers(
  db,
  [...own].map((productId) => ({ productId, offerId: `off_${productId}` })),
)

const activation = (product: ProductFacts): 'yes' | 'no' | 'unknown' =>
  product.excluded === null ? 'unknown' : product.excluded.includes(',DE,') ? 'no' : 'yes'

const among = (chosen: readonly string[], value: string): boolean =>
  chosen.length === 0 || chosen.includes(value)
const fits =
  (filter: CatalogueFilter) =>
  (product: ProductFacts): boolean =>
    among(filter.platforms, product.platform) &&
    among(filter.regions, product.region) &&
    among(filter.productTypes, product.productType) &&
    among(filter.deliveryTypes, product.deliveryType) &&
    (!filter.inStockOnly || product.inStock === true) &&
    (!filter.notSoldByMe || !own.has(product.productId)) &&
    (filter.country === null || filter.activates.includes(activation(product))) &&
    (filter.minCents === null || (product.priceCents ?? -1) >= filter.minCents) &&
    (filter.maxCents === null || (product.priceCents ?? Infinity) <= filter.maxCents) &&
    (filter.query === '' ||
      product.name
        .toLowerCase()
        .split(/[^a-zé’0-9]+/)
        .some((word) => word.startsWith(filter.query)))

const some = (...values: string[]) => fc.subarray(values)
const filters = fc
  .record({
    query: fc.constantFrom('', '', 'hollow', 'ti', 'amber'),
    platforms: some('Steam', 'Xbox', 'GOG'),
    regions: some('Global', 'Europe'),
    productTypes: some('game', 'dlc'),
    deliveryTypes: some('key', 'gift'),
    inStockOnly: fc.boolean(),
    notSoldByMe: fc.boolean(),
    country: fc.constantFrom(null, 'DE', 'de'),
    activates: fc.subarray<'yes' | 'unknown' | 'no'>(['yes', 'unknown', 'no']),
    minCents: fc.constantFrom(null, cents(1500)),
    maxCents: fc.constantFrom(null, cents(6000)),
  })
  .map(filterOf)

test('every filter agrees with brute force', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      const { total, rows, all } = searchProducts(db, filter, null, { offset: 0, limit: 500 })
      const expected = products
        .filter(fits(filter))
        .map((product) => product.productId)
        .toSorted()
      expect(all).toBe(600)
      expect(total).toBe(expected.length)
      if (total <= 500) expect(rows.map((row) => row.product_id).toSorted()).toEqual(expected)
    }),
    { numRuns: 150 },
  )
})

test('counts for each choice the products it would leave, given all other choices', () => {
  const counted = (values: string[]): { value: string; count: number }[] =>
    [...Map.groupBy(values, (value) => value)]
      .map(([value, of]) => ({ value, count: of.length }))
      .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  fc.assert(
    fc.property(filters, (filter) => {
      const counts = countChoices(db, filter)
      const without = (more: Partial<CatalogueFilter>): ProductFacts[] =>
        products.filter(fits({ ...filter, ...more }))
      expect(counts.platforms).toEqual(
        counted(without({ platforms: [] }).map((product) => product.platform)),
      )
      expect(counts.regions).toEqual(
        counted(without({ regions: [] }).map((product) => product.region)),
      )
      expect(counts.productTypes).toEqual(
        counted(without({ productTypes: [] }).map((product) => product.productType)),
      )
      expect(counts.deliveryTypes).toEqual(
        counted(without({ deliveryTypes: [] }).map((product) => product.deliveryType)),
      )
      expect(counts.inStock).toBe(without({ inStockOnly: true }).length)
      expect(counts.notSoldByMe).toBe(without({ notSoldByMe: true }).length)
      const activates = without({ activates: ['yes', 'unknown', 'no'] }).map(activation)
      expect(counts.activates).toEqual(
        filter.country === null
          ? null
          : Object.fromEntries(
              ['yes', 'unknown', 'no'].map((value) => [
                value,
                activates.filter((each) => each === value).length,
              ]),
            ),
      )
    }),
    { numRuns: 100 },
  )
})

test('counting stops soon after it is canceled, and gives the same counts when requested again', () => {
  const mirror = openMirror()
  putProducts(mirror, generatedProducts(4100))
  for (const filter of [
    filterOf({ query: 'hollow' }),
    filterOf({ query: 'hollow', country: 'DE' }),
    filterOf({ minCents: cents(1) }),
    filterOf({}),
  ]) {
    let asked = 0
    const whole = countChoices(mirror, filter, () => {
      asked += 1
      return true
    })
    for (let last = 1; last <= asked; last += 1) {
      let left = last
      expect(
        () => countChoices(mirror, filter, () => (left -= 1) > 0),
        `${JSON.stringify(filter)} stopped at check ${last} of ${asked}`,
      ).toThrow(CountingStopped)
    }
    expect(countChoices(mirror, filter)).toEqual(whole)
  }
  // Products with a common word are counted in parts, with a check before each.
  let asked = 0
  countChoices(mirror, filterOf({ query: 'game' }), () => {
    asked += 1
    return true
  })
  expect(asked).toBeGreaterThan(3)
  mirror.close()
})

test('counts a label that contains the separator like any other', () => {
  const mirror = openMirror()
  putProducts(mirror, [
    productFacts({ productId: 'prd_1', name: 'Odd one', platform: 'A\u001fB' }),
    productFacts({ productId: 'prd_2', name: 'Odd two', platform: 'Steam' }),
  ])
  expect(countChoices(mirror, filterOf({ query: 'odd' })).platforms).toEqual([
    { value: 'A\u001fB', count: 1 },
    { value: 'Steam', count: 1 },
  ])
  mirror.close()
})

test('keeps kind counts correct through puts, repeats, offers, withdrawals and removals @long', () => {
  const some = generatedProducts(12)
  const change = fc.record({
    i: fc.nat({ max: 11 }),
    told: fc.record({
      platform: fc.constantFrom('Steam', 'Xbox'),
      inStock: fc.boolean(),
      excluded: fc.constantFrom(null, ',', ',DE,'),
      removed: fc.boolean(),
    }),
    offerId: fc.constantFrom(undefined, null, 'off_1'),
  })
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 6 }), (pages) => {
      const mirror = openMirror()
      for (const page of pages) {
        putProducts(
          mirror,
          page.flatMap(({ i, told }) =>
            some.slice(i, i + 1).map((product) => ({ ...product, ...told })),
          ),
        )
        applyOwnOffers(
          mirror,
          page.flatMap(({ i, offerId }) =>
            offerId === undefined ? [] : [{ productId: some[i]?.productId ?? '', offerId }],
          ),
        )
      }
      const kinds = 'platform, region, product_type, delivery_type'
      const recount = mirror
        .prepare(
          `
      SELECT ${kinds}, coalesce(in_stock, 0) AS in_stock, offer_id IS NOT NULL AS own,
        coalesce(excluded, '') AS excluded, count(*) AS count
      FROM products WHERE removed = 0 GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7`,
        )
        .all()
      expect(
        mirror
          .prepare('SELECT * FROM product_facets WHERE count <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7')
          .all(),
      ).toEqual(recount)
      mirror.close()
    }),
    { numRuns: 60 },
  )
})
