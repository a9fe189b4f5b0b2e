import type { Database } from 'better-sqlite3'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { saleSortColumns } from '../../../contract/sales.ts'
import { batchesSchema } from '../../batches/schema.ts'
import { catalogueSchema } from '../../catalogue/catalogue.ts'
import { disputesSchemas } from '../../disputes/disputes.ts'
import { importsSchemas } from '../../key-import/key-import.ts'
import { createMirrors } from '../../mirror/files/mirrors.ts'
import type { MirrorFiles } from '../../mirror/files/mirrors.ts'
import { offersSchemas } from '../../offers/offers.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { salesSchema } from '../sales.ts'
import { saleStore } from '../store.ts'
import { saleFacts } from '../sync/facts.ts'
import { salesCsv } from './csv.ts'
import { positionOfSale } from './list.ts'
import type { SaleQuery } from './list.ts'

const folder = temporaryFolder()
let mirrors: MirrorFiles
let db: Database
beforeAll(() => {
  mirrors = createMirrors(folder.path, [
    catalogueSchema,
    ...importsSchemas,
    salesSchema,
    ...disputesSchemas,
    batchesSchema,
    ...offersSchemas,
  ])
  db = mirrors.database('11111111-1111-4111-8111-111111111111')
})
afterAll(() => {
  mirrors.close()
  folder.remove()
})

const SALES = 1200
const idOf = (number: number): string => `sal_${String(number).padStart(5, '0')}`
const put = (number: number, status: 'pending' | 'released' = 'pending'): void =>
  void saleStore(db).put(
    saleFacts({
      id: idOf(number),
      name: 'Ironwharf',
      status,
      price: cents(100 + (number % 7)),
      soldAt: new Date(Date.UTC(2026, 0, 5) + number * 60_000).toISOString(),
    }),
    null,
    1,
    1,
    1,
  )

test.each([
  { column: 'sold', direction: 'desc' },
  { column: 'sold', direction: 'asc' },
  { column: 'status', direction: 'asc' },
  { column: 'price', direction: 'desc' },
] as const)(
  'exports each sale once by $column, $direction, while sales arrive and change',
  async (sort) => {
    db.exec('DELETE FROM sales')
    for (let number = 0; number < SALES; number += 1) put(number)
    const all: Omit<SaleQuery, 'offset' | 'limit'> = {
      view: 'all',
      query: '',
      from: null,
      to: null,
      offerId: null,
      productId: null,
      sort,
    }
    const exporting = salesCsv(db, all, 'csv')
    // The first window is written now.
    for (let number = 0; number < 300; number += 1) put(number, 'released')
    for (let number = SALES; number < SALES + 5; number += 1) put(number)
    const { parts, sales } = await exporting
    const ids = parts.join('').match(/sal_\d{5}/g) ?? []
    expect(sales).toBe(SALES)
    expect(ids.toSorted()).toEqual(Array.from({ length: SALES }, (_, number) => idOf(number)))
  },
)

const MANY = 25_000
/** Many sales, two in each minute, some of an unknown time, price or end. */
function putMany(): void {
  db.exec(`
    DELETE FROM sales;
    WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < ${MANY - 1})
    INSERT INTO sales (sale_id, name, name_key, price_cents, customer_cents, status, held, sold_at,
        release_at, released_at, seen_at, pass)
      SELECT printf('sal_%05d', n), 'Ironwharf', 'ironwharf ' || n % 7, iif(n % 40 = 0, NULL, n % 97),
        n % 89, iif(n % 3 = 0, 'released', 'pending'), 0, iif(n % 50 = 0, NULL, n / 2 * 60000),
        iif(n % 60 = 0, NULL, n * 7919 % ${MANY}), iif(n % 30 = 0, n, NULL), 1, 1 FROM number`)
}

/** The order of a list of sales, as its SQL states it. */
const ordered = {
  sold: 'sold_at',
  name: 'name_key',
  price: 'price_cents',
  customer: 'customer_cents',
  status: 'status',
  release: 'coalesce(released_at, release_at)',
} as const

test.each(
  saleSortColumns.flatMap((column) => [[column, 'asc'] as const, [column, 'desc'] as const]),
)(
  'finds a long list of sales by %s, %s, in pieces, each once, while sales arrive',
  async (column, direction) => {
    putMany()
    const all: Omit<SaleQuery, 'offset' | 'limit'> = {
      view: 'all',
      query: '',
      from: null,
      to: null,
      offerId: null,
      productId: null,
      sort: { column, direction },
    }
    const inOrder = db
      .prepare(
        `SELECT sale_id FROM sales
          ORDER BY ${ordered[column]} ${direction === 'asc' ? 'ASC NULLS LAST' : 'DESC'},
            ${column === 'sold' ? '' : 'sold_at DESC,'} sale_id`,
      )
      .pluck()
      .all() as string[]
    const statement = Object.getPrototypeOf(db.prepare('SELECT 1')) as { all: () => unknown[] }
    const reads = vi.spyOn(statement, 'all')
    const exporting = salesCsv(db, all, 'csv')
    const finding = positionOfSale(db, all, inOrder[MANY - 1] ?? '')
    for (let number = MANY; number < MANY + 5; number += 1) put(number)
    const { parts } = await exporting
    const position = await finding
    const most = Math.max(...reads.mock.results.map(({ value }) => (value as unknown[]).length))
    reads.mockRestore()
    expect(parts.join('').match(/sal_\d{5}/g)).toEqual(inOrder)
    expect(position).toBe(MANY - 1)
    expect(most).toBeLessThanOrEqual(10_000)
  },
)
