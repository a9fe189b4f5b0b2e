import { createHash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { Cents } from '../../../../server/api/money.ts'
import { originOf } from '../../batches/batches.ts'
import { batchesSchema } from '../../batches/schema.ts'
import { batchStore } from '../../batches/store.ts'
import { catalogueSchema } from '../../catalogue/catalogue.ts'
import { disputesSchemas } from '../../disputes/disputes.ts'
import { importsSchemas, keyRecords } from '../../key-import/key-import.ts'
import { undoStore } from '../../key-import/undo-store.ts'
import { createMirrors } from '../../mirror/files/mirrors.ts'
import type { MirrorFiles } from '../../mirror/files/mirrors.ts'
import { offersSchemas } from '../../offers/offers.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { salesCsv } from '../list/csv.ts'
import { listSales } from '../list/list.ts'
import { keyOfSale, salesSchema } from '../sales.ts'
import { saleStore } from '../store.ts'
import { saleFacts } from '../sync/facts.ts'
import { profitBetween } from './profit.ts'

const DAY = Date.parse('2026-01-05T00:00:00.000Z')
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

const fingerprint = (key: number): Buffer => createHash('sha256').update(String(key)).digest()
const hour = (at: number): number => DAY + at * 3_600_000

const money = fc.integer({ min: 0, max: 100_000 }).map(cents)
const upload = fc.record({
  key: fc.nat(5),
  product: fc.constantFrom('p', 'q', 'offer o'),
  importNumber: fc.integer({ min: 1, max: 4 }),
  offer: fc.option(fc.nat(1)),
  fate: fc.constantFrom('added', 'added', 'unsure', 'duplicate', 'refused', 'excluded'),
  at: fc.option(fc.nat(20).map(hour)),
  isWithdrawn: fc.boolean(),
})
const sale = fc.record({
  key: fc.option(fc.nat(7)),
  product: fc.option(fc.constantFrom('p', 'q')),
  offerId: fc.option(fc.constantFrom('o', 'x', 'y')),
  price: fc.option(money),
  status: fc.constantFrom('pending', 'released', 'cancelled', 'added-later'),
  at: fc.nat(23),
})
const data = fc.record({
  uploads: fc.array(upload, { maxLength: 12 }),
  sales: fc.array(sale, { maxLength: 30 }),
  /** Imports that return keys of an undo. */
  returns: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }),
  /** Costs in imported files, by import: of offer `o` and of offer `x`. */
  imported: fc.array(fc.tuple(fc.option(money), fc.option(money)), { maxLength: 4 }),
  noted: fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat(1), fc.option(money)), {
    maxLength: 3,
  }),
  terms: fc.array(fc.tuple(fc.constantFrom('o', 'x'), fc.option(money)), { maxLength: 2 }),
})
type Data = typeof data extends fc.Arbitrary<infer Value> ? Value : never

function write({ uploads, returns, sales, imported, noted, terms }: Data): void {
  for (const table of [
    'sales',
    'import_uploaded_keys',
    'import_key_history',
    'import_returns',
    'import_purchases',
    'import_offers',
    'imports',
    'batch_notes',
    'offer_terms',
  ])
    db.exec(`DELETE FROM ${table}`)
  for (const [line, { key, isWithdrawn, ...more }] of uploads.entries()) {
    const record = { ...more, fingerprint: fingerprint(key).subarray(0, 16), line }
    keyRecords(db).settle({ ...record, request: 0, file: 0 })
    if (isWithdrawn) keyRecords(db).withdraw(more.product, [record.fingerprint], hour(22))
  }
  for (const number of returns) undoStore(db).markReturn(number, 9, 0)
  for (const [at, purchase] of imported.entries()) {
    const offers = ['o', 'x']
    db.prepare(
      `INSERT INTO imports (number, import_id, state, created_at, sums, problems)
        VALUES (?, ?, 'done', 1, '{}', '[]')`,
    ).run(at + 1, `imp_${at}`)
    for (const [position, offerId] of offers.entries())
      db.prepare(
        `INSERT INTO import_offers (import_number, position, offer_id, name, platform, region, product)
          VALUES (?, ?, ?, '', '', '', 'p')`,
      ).run(at + 1, position, offerId)
    db.prepare('INSERT INTO import_purchases (import_number, purchases) VALUES (?, ?)').run(
      at + 1,
      JSON.stringify(
        offers.map((offerId, of) => ({ offerId, costCents: purchase[of], suppliers: [] })),
      ),
    )
  }
  for (const [importNumber, offer, costCents] of noted)
    batchStore(db).write(importNumber, offer, { name: '', supplier: '', note: '', costCents })
  for (const [offerId, costCents] of terms)
    db.prepare(
      'INSERT OR REPLACE INTO offer_terms (offer_id, cost_cents, written_at) VALUES (?, ?, 1)',
    ).run(offerId, costCents)
  for (const [number, { key, product, offerId, price, status, at }] of sales.entries())
    saleStore(db).put(
      saleFacts({
        id: `sal_${number}`,
        name: 'Ironwharf',
        status,
        soldAt: new Date(hour(at)).toISOString(),
        ...(product === null ? {} : { productId: product }),
        ...(offerId === null ? {} : { offerId }),
        ...(price === null ? {} : { price }),
      }),
      key === null ? null : fingerprint(key),
      1,
      1,
      1,
    )
}

/** The cost of a sale, found one by one with the functions of the batches and the generated terms. */
function costOf(
  saleId: string,
  offerId: string | null,
  { terms }: Data,
): [Cents | null, string | null] {
  const sold = keyOfSale(db, saleId)
  const record = sold === null ? null : originOf(keyRecords(db), sold)
  const paid =
    record === null ? null : batchStore(db).read(record.importNumber, record.offer ?? 0).costCents
  if (paid !== null) return [paid, 'batch']
  const estimate = terms.findLast(([id]) => id === offerId)?.[1] ?? null
  return [estimate, estimate === null ? null : 'offer']
}

const everything = {
  query: '',
  from: null,
  to: null,
  offerId: null,
  productId: null,
  view: 'all',
  sort: { column: 'sold', direction: 'asc' },
  offset: 0,
  limit: 500,
} as const

test('takes a sale’s cost from its batch, otherwise from its offer, and adds profits up to the cent', async () => {
  await fc.assert(
    fc.asyncProperty(
      data,
      fc.nat(24),
      fc.nat(24),
      fc.option(fc.constantFrom('o', 'x')),
      fc.integer({ min: 1, max: 10 }),
      async (all, from, to, offerId, turn) => {
        db.transaction(write)(all)
        const expected = { cents: 0, sales: 0, estimated: 0, unknown: 0 }
        const { rows } = listSales(db, everything)
        expect(rows).toHaveLength(all.sales.length)
        for (const row of rows) {
          const [costCents, costSource] = costOf(row.saleId, row.offerId, all)
          const isCanceled = row.status === 'cancelled'
          const profitCents =
            isCanceled || costCents === null || row.priceCents === null
              ? null
              : row.priceCents - costCents
          expect(row).toMatchObject({ costCents, costSource, profitCents })
          const soldAt = row.soldAt ?? 0
          if (isCanceled || soldAt < hour(from) || soldAt >= hour(to)) continue
          if (offerId !== null && row.offerId !== offerId) continue
          if (profitCents === null) expected.unknown += 1
          else {
            expected.cents += profitCents
            expected.sales += 1
            if (costSource === 'offer') expected.estimated += 1
          }
        }
        expect(
          await profitBetween(db, { from: hour(from), to: hour(to), offerId }, { turn }),
        ).toEqual(expected)
      },
    ),
  )
})

test('exports costs and profits, negative too, and empty cells for unknown ones', async () => {
  const sold = { key: null, product: null, status: 'released', at: 1 } as const
  write({
    uploads: [],
    returns: [],
    imported: [],
    noted: [],
    terms: [['o', cents(250)]],
    sales: [
      { ...sold, offerId: 'o', price: cents(1000) },
      { ...sold, offerId: 'o', price: cents(100) },
      { ...sold, offerId: 'o', price: cents(1000), status: 'cancelled' },
      { ...sold, offerId: 'y', price: cents(1000) },
    ],
  })
  const lines = (await salesCsv(db, everything, 'csv')).parts.join('').trim().split('\r\n')
  const [titles = [], ...rows] = lines.map((line) => line.split(','))
  expect(
    rows.map((row) => ['Cost EUR', 'Profit EUR'].map((title) => row[titles.indexOf(title)])),
  ).toEqual([
    ['2.50', '7.50'],
    ['2.50', '-1.50'],
    ['2.50', ''],
    ['', ''],
  ])
})
