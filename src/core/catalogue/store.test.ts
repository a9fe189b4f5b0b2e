import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import { sortKey } from '../mirror/mirror.ts'
import type { ProductFacts } from './records/product-facts.ts'
import { productWriter } from './store.ts'
import { openMirror } from './testing/products.ts'

const few = <Value>(...values: readonly Value[]) => fc.constantFrom(...values)

/** Few products of few kinds, so that they repeat often, changed and unchanged. */
const facts: fc.Arbitrary<ProductFacts> = fc
  .record({
    productId: few('prd_1', 'prd_2', 'prd_3', 'prd_4', 'prd_5'),
    name: few('Tide II', 'Tide', 'Wharf’s End™', ''),
    platform: few('Steam', 'GOG'),
    region: few('Global', 'Europe'),
    productType: few('game', 'dlc'),
    deliveryType: few('key'),
    priceCents: few(cents(100), cents(250), null),
    bestSellerCents: few(null, cents(90)),
    inStock: few(true, false, null),
    qty: few(null, 0, 7),
    excluded: few(null, ',', ',BY,CN,'),
    allowedCountries: few(null, 12),
    commissionClass: few(null, 'keys'),
    commissionPercent: few(null, 10),
    updatedAt: few(1000, 2000, null),
    removed: fc.boolean(),
    texts: few(null, '{}', '{"description":"Größe"}'),
  })
  .map((told) => ({ ...told, nameKey: sortKey(told.name) }))

const batches = fc.array(fc.array(facts, { maxLength: 12 }), { minLength: 1, maxLength: 4 })
function empty(): Database {
  const db = openMirror()
  db.exec("INSERT INTO own_offers VALUES ('prd_2', 'off_1')")
  return db
}

/** All contents of a mirror, and its search results. */
const contents = (db: Database): unknown => [
  ...[
    'products ORDER BY rid',
    'product_texts ORDER BY rid',
    'product_history ORDER BY rid, at',
    'product_words ORDER BY word',
  ].map((table) => db.prepare(`SELECT * FROM ${table}`).raw().all()),
  db.prepare('SELECT * FROM product_facets WHERE count > 0').raw().all(),
  ...['tide', '2', 'wharfs', 'steam', 'eu*', 'dlc'].map((word) =>
    db
      .prepare('SELECT rowid FROM product_index WHERE product_index MATCH ? ORDER BY rowid')
      .pluck()
      .all(word),
  ),
]

test('pages written together give the same result as their products one by one', () => {
  const [together, apart] = [empty(), empty()]
  fc.assert(
    fc.property(batches, (told) => {
      // Each round starts with an empty mirror.
      for (const db of [together, apart]) db.exec('BEGIN')
      try {
        told.forEach((page, index) => {
          const seen = {
            at: 10 * (index + 1),
            round: index + 1,
            page: index % 2 === 0 ? null : index,
            seq: index,
          }
          const all = productWriter(together).put(page, seen)
          const each = page.map((product) => productWriter(apart).put([product], seen))
          expect(all).toEqual({
            changed: each.some(({ changed }) => changed),
            added: each.flatMap(({ added }) => added),
          })
        })
        expect(contents(together)).toEqual(contents(apart))
      } finally {
        for (const db of [together, apart]) db.exec('ROLLBACK')
      }
    }),
    { numRuns: 40 },
  )
  for (const db of [together, apart]) db.close()
})
