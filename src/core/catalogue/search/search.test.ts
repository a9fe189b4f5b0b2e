import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { wordsOf } from '../../mirror/mirror.ts'
import type { ProductFacts } from '../records/product-facts.ts'
import { positionOfProduct, searchProducts } from './search.ts'
import type { Sort } from './search.ts'
import {
  filterOf,
  generatedProducts,
  openMirror,
  productFacts,
  putProducts,
} from '../testing/products.ts'

const products = generatedProducts(1500)
let db: Database

beforeAll(() => {
  db = openMirror()
  putProducts(db, products)
})

const find = (
  query: string,
  more: Parameters<typeof filterOf>[0] = {},
  sort: Sort | null = null,
  window = { offset: 0, limit: 500 },
) => searchProducts(db, filterOf({ query, ...more }), sort, window)
const allIds = (query: string): string[] => {
  const ids: string[] = []
  for (let offset = 0; ; offset += 500) {
    const { rows, total } = find(query, {}, null, { offset, limit: 500 })
    ids.push(...rows.map((row) => row.product_id))
    if (rows.length === 0) {
      expect(ids.length).toBe(total)
      expect(new Set(ids).size).toBe(total)
      return ids
    }
  }
}
const names = (query: string): string[] => find(query).rows.map((row) => row.name)

const anyProduct = fc.constantFrom(...products)
const labelledWords = (product: ProductFacts): string[] =>
  wordsOf(`${product.name} ${product.platform} ${product.region}`)

test('finds every product by the prefixes of any two of its words, in any order', () => {
  fc.assert(
    fc.property(
      anyProduct,
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 12 }),
      (product, i, j, m, n) => {
        const words = labelledWords(product)
        const [first, second] = [words[i % words.length] ?? '', words[j % words.length] ?? '']
        expect(allIds(`${first.slice(0, m)}  ${second.slice(0, n)}`)).toContain(product.productId)
      },
    ),
    { numRuns: 150 },
  )
})

test('one typing mistake in a long word still finds the product, unless the typed text matches something', () => {
  const mistake = fc.record({
    kind: fc.constantFrom('drop', 'swap', 'replace', 'insert'),
    at: fc.nat(),
    letter: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
  })
  let guessed = 0
  fc.assert(
    fc.property(anyProduct, fc.nat(), fc.nat(), mistake, (product, i, j, { kind, at, letter }) => {
      const words = labelledWords(product)
      const long = words.filter((word) => word.length >= 5)
      fc.pre(long.length > 0)
      const word = long[i % long.length] ?? ''
      const p = at % (word.length - 1)
      const typed = {
        drop: word.slice(0, p) + word.slice(p + 1),
        swap: word.slice(0, p) + word.charAt(p + 1) + word.charAt(p) + word.slice(p + 2),
        replace: word.slice(0, p) + letter + word.slice(p + 1),
        insert: word.slice(0, p) + letter + word.slice(p),
      }[kind]
      const query = `${typed} ${words[j % words.length] ?? ''}`
      if (find(query).guessed !== null) guessed += 1
      else
        fc.pre(
          find(query).total === 0 ||
            find(query).rows.some((row) => row.product_id === product.productId),
        )
      expect(allIds(query)).toContain(product.productId)
    }),
    { numRuns: 200 },
  )
  expect(guessed).toBeGreaterThan(50)
})

test('ranks the name, names that start so, complete words, prefixes; shorter names first', () => {
  const small = openMirror()
  putProducts(
    small,
    [
      'Tides of Hollow Hills',
      'Hollow Tide – Deluxe Edition',
      'Hollow Tide',
      'Hollow Tidewater',
      'A Hollow, a Tide',
      'Tidehollow',
    ].map((name, i) => productFacts({ productId: `prd_${i}`, name })),
  )
  const found = searchProducts(small, filterOf({ query: 'hollow tide' }), null, {
    offset: 0,
    limit: 10,
  })
  expect(found.rows.map((row) => row.name)).toEqual([
    'Hollow Tide',
    'Hollow Tidewater',
    'Hollow Tide – Deluxe Edition',
    'A Hollow, a Tide',
    'Tides of Hollow Hills',
  ])
  expect(found.guessed).toBeNull()
})

test('ranks products in stock before equally good ones that are out of stock', () => {
  const small = openMirror()
  putProducts(small, [
    productFacts({ productId: 'prd_1', name: 'Hollow Tide', region: 'Europe', inStock: false }),
    productFacts({ productId: 'prd_2', name: 'Hollow Tide', region: 'Global' }),
    productFacts({ productId: 'prd_3', name: 'Hollow Tide DLC', inStock: false }),
    productFacts({ productId: 'prd_4', name: 'Hollow Tide – Deluxe Edition' }),
    productFacts({ productId: 'prd_5', name: 'Hollow Tide Unknown', inStock: null }),
  ])
  const found = searchProducts(small, filterOf({ query: 'hollow tide' }), null, {
    offset: 0,
    limit: 10,
  })
  expect(found.rows.map((row) => row.product_id)).toEqual([
    'prd_2',
    'prd_1',
    'prd_5',
    'prd_4',
    'prd_3',
  ])
})

test('reads typos and swapped letters as the nearest words, and reports it', () => {
  for (const [typed, meant] of [
    ['holow tide', 'hollow tide'],
    ['hollow tidde', 'hollow tide'],
    ['tied hollwo', 'tide hollow'],
    ['amebr circuit', 'amber circuit'],
  ] as const) {
    const found = find(typed)
    expect([typed, found.guessed]).toEqual([typed, meant])
    expect(found.rows[0]?.name.toLowerCase().includes(meant.split(' ')[0] ?? '')).toBe(true)
  }
})

test('finds platform, region, numerals and ids as words too', () => {
  const steamInEurope = names('tide steam eu')
  expect(steamInEurope.length).toBeGreaterThan(0)
  for (const row of find('tide steam eu').rows)
    expect([row.platform, row.region]).toEqual(['Steam', 'Europe'])
  expect(find('hollow us').rows.every((row) => row.region === 'United States')).toBe(true)
  expect(names('hollow tide 2')).toEqual(names('hollow tide ii'))
  expect(find('prd_20871').rows.map((row) => row.product_id)).toEqual(['prd_20871'])
  expect(find('prd_2087').total).toBe(10)
  expect(names('tide3').length).toBe(names('tide 3').length)
})

test('never reads raw text as syntax', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 30 }),
        fc.string({
          unit: fc.constantFrom(
            '"',
            '*',
            '-',
            ':',
            '(',
            ')',
            'NEAR',
            ' OR ',
            ' NOT ',
            '^',
            'tide',
            "'",
            '{',
            '+',
          ),
          maxLength: 8,
        }),
      ),
      (query) => {
        expect(find(query).total).toBeGreaterThanOrEqual(0)
      },
    ),
    { numRuns: 300 },
  )
  expect(find('"').total).toBe(0)
  expect(find('  ').total).toBe(1500)
})

test('returns a list longer than the ranked part completely, without repeats', () => {
  const large = openMirror()
  putProducts(
    large,
    generatedProducts(6000).map((product) => ({
      ...product,
      name: `${product.name} Tide`,
      nameKey: `${product.nameKey} tide`,
    })),
  )
  const ids = new Set<string>()
  let total = 0
  for (let offset = 0; offset < 6000; offset += 500) {
    const found = searchProducts(large, filterOf({ query: 'tide' }), null, { offset, limit: 500 })
    total = found.total
    for (const row of found.rows) ids.add(row.product_id)
  }
  expect([total, ids.size]).toEqual([6000, 6000])
  for (const sort of [null, { column: 'price', direction: 'asc' }] as const) {
    expect(
      searchProducts(large, filterOf({ query: 'tide', inStockOnly: true }), sort, {
        offset: 0,
        limit: 1,
      }).total,
    ).toBe(4500)
    expect(
      searchProducts(large, filterOf({ query: 'tide' }), sort, { offset: 0, limit: 1 }).total,
    ).toBe(6000)
  }
})

const COLUMNS = ['name', 'platform', 'region', 'price', 'best', 'stock', 'updated'] as const
test.each(COLUMNS)('sorted by %s both ways, unknown last, and windows fit together', (column) => {
  const valueOf = (row: ReturnType<typeof find>['rows'][number]): string | number | null =>
    ({
      name: wordsOf(row.name).join(' '),
      platform: row.platform,
      region: row.region,
      price: row.price_cents,
      best: row.best_seller_cents,
      stock: row.qty,
      updated: row.updated_at,
    })[column]
  for (const direction of ['asc', 'desc'] as const) {
    const rows = [0, 400, 800, 1200].flatMap(
      (offset) => find('', {}, { column, direction }, { offset, limit: 400 }).rows,
    )
    expect(new Set(rows.map((row) => row.product_id)).size).toBe(1500)
    const values = rows.map(valueOf)
    const known = values.filter((value) => value !== null)
    expect(values.slice(known.length).every((value) => value === null)).toBe(true)
    const sorted = known.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    expect(known).toEqual(direction === 'asc' ? sorted : sorted.toReversed())
  }
})

test.each([
  ['by name', '', null],
  ['by price', '', { column: 'price', direction: 'desc' }],
  ['of a typed text', 'edition', null],
  ['of a typed text by price', 'edition', { column: 'price', direction: 'asc' }],
] as const)('locates each product of a list %s', (_, query, sort) => {
  const filter = filterOf({ query })
  const rows = [0, 500, 1000].flatMap(
    (offset) => searchProducts(db, filter, sort, { offset, limit: 500 }).rows,
  )
  expect(rows.length).toBeGreaterThan(20)
  for (const index of [0, 1, 19, Math.min(rows.length, 500) - 1])
    expect(positionOfProduct(db, filter, sort, rows[index]?.product_id ?? '')).toEqual({ index })
  expect(positionOfProduct(db, filter, sort, 'unknown')).toEqual({ index: null })
})
