import type { Database } from 'better-sqlite3'
import { vi } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { saleSortColumns } from '../../../contract/sales.ts'
import { batchesSchema } from '../../batches/schema.ts'
import { catalogueSchema } from '../../catalogue/catalogue.ts'
import { disputesSchemas } from '../../disputes/disputes.ts'
import { importsSchemas } from '../../key-import/key-import.ts'
import { createMirrors } from '../../mirror/files/mirrors.ts'
import { offersSchemas } from '../../offers/offers.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { salesCsv } from '../list/csv.ts'
import { positionOfSale } from '../list/list.ts'
import type { SaleQuery } from '../list/list.ts'
import { salesSchema } from '../sales.ts'
import { saleStore } from '../store.ts'
import { saleFacts } from '../sync/facts.ts'

/** An account's mirror with all tables that a list of sales reads. */
export function openSales(): { db: Database; close(): void } {
  const folder = temporaryFolder()
  const mirrors = createMirrors(folder.path, [
    catalogueSchema,
    ...importsSchemas,
    salesSchema,
    ...disputesSchemas,
    batchesSchema,
    ...offersSchemas,
  ])
  return {
    db: mirrors.database('11111111-1111-4111-8111-111111111111'),
    close() {
      mirrors.close()
      folder.remove()
    },
  }
}

export const idOf = (number: number): string => `sal_${String(number).padStart(5, '0')}`

export function putSale(
  db: Database,
  number: number,
  status: 'pending' | 'released' = 'pending',
): void {
  saleStore(db).put(
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
}

/** All sales, sorted so. */
export const allSales = (sort: SaleQuery['sort']): Omit<SaleQuery, 'offset' | 'limit'> => ({
  view: 'all',
  query: '',
  from: null,
  to: null,
  offerId: null,
  productId: null,
  sort,
})

export const MANY = 25_000
/** Many sales, two in each minute, some of an unknown time, price or end. */
function putMany(db: Database): void {
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

/**
 * Exports many sales and finds the last of them while others arrive. Returns the ids as exported
 * and as expected, the place of the last, and the most rows that one statement read.
 */
export async function exportMany(
  db: Database,
  column: (typeof saleSortColumns)[number],
  direction: 'asc' | 'desc',
) {
  putMany(db)
  const all = allSales({ column, direction })
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
  for (let number = MANY; number < MANY + 5; number += 1) putSale(db, number)
  const { parts } = await exporting
  const position = await finding
  const most = Math.max(...reads.mock.results.map(({ value }) => (value as unknown[]).length))
  reads.mockRestore()

  return { exported: parts.join('').match(/sal_\d{5}/g), inOrder, position, most }
}
