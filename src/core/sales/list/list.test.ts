import type { Database } from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
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
