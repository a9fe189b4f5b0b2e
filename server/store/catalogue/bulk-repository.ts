import type { Database } from 'better-sqlite3'
import type { BulkRepository } from '../../domain/ports/bulk.ts'
import { createRowInserter } from '../database/row-inserter.ts'
import { insertColumns, parameters } from './product-columns.ts'

/**
 * The indexes that are faster to create once at the end than to maintain row by row. `units_seen`
 * rejects values that are seeded twice.
 */
const deferrable = `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL
  AND tbl_name IN ('products', 'offers', 'units') AND name <> 'units_seen'`

/** The rows of one piece of `moveTimes`: a few milliseconds of work. */
const MOVED_ROWS = 2000

/** Every time of the accounts and the catalogue, in milliseconds. */
const times: Readonly<Record<string, readonly string[]>> = {
  partners: ['created_at'],
  sellers: ['created_at'],
  products: ['created_at', 'updated_at'],
  offers: ['priced_at', 'created_at', 'updated_at'],
  units: ['uploaded_at'],
}

/** The indexes of a table that contain one of these columns. */
const indexesOf = `
  SELECT DISTINCT sqlite_schema.name, sql FROM sqlite_schema, pragma_index_info(sqlite_schema.name) AS part
  WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = :table
    AND part.name IN (SELECT value FROM json_each(:columns))`

const releaseDate = "date(release_date, :days || ' days')"

/** Indexes of times are created again, because that is faster than changing their entries. */
function* moveTimes(database: Database, ms: number, days: number): Generator<void> {
  const indexes = database.prepare<[object], { name: string; sql: string }>(indexesOf)
  for (const [table, columns] of Object.entries(times)) {
    const changes = columns.map((column): [string, string] => [column, `${column} + :ms`])
    if (table === 'products' && days !== 0)
      changes.push(
        ['details', `json_set(details, '$.releaseDate', ${releaseDate})`],
        ['release_date', releaseDate],
      )
    const moved = JSON.stringify(changes.map(([column]) => column))
    const dropped = indexes.all({ table, columns: moved })
    for (const { name } of dropped) database.exec(`DROP INDEX "${name}"`)
    const last = database.prepare<[], number>(`SELECT coalesce(max(no), 0) FROM ${table}`).pluck()
    const move = database.prepare(
      `UPDATE ${table} SET ${changes.map(([column, value]) => `${column} = ${value}`).join(', ')}
      WHERE no > :after AND no <= :after + ${MOVED_ROWS}`,
    )
    const end = last.get() ?? 0
    for (let after = 0; after < end; after += MOVED_ROWS) {
      move.run({ after, ms, days })
      yield
    }
    for (const { sql } of dropped) {
      database.exec(sql)
      yield
    }
  }
}

export function createBulkRepository(database: Database): BulkRepository {
  const isEmpty = database
    .prepare<[], 0 | 1>(
      `
    SELECT NOT EXISTS (SELECT 1 FROM products) AND NOT EXISTS (SELECT 1 FROM partners)
      AND NOT EXISTS (SELECT 1 FROM sellers) AND NOT EXISTS (SELECT 1 FROM settings WHERE name = 'seeded')`,
    )
    .pluck()
  const insertProducts = createRowInserter(
    database,
    `INSERT INTO products (${insertColumns.join(', ')})`,
    `(${insertColumns.map(() => '?').join(', ')})`,
  )
  const insertOffers = createRowInserter(
    database,
    `INSERT INTO offers (no, id, seller_id, product_id, price, customer_price, status, sellable, stock, reserved,
      sold, priced_at, created_at, updated_at)`,
    '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const insertUnits = createRowInserter(
    database,
    'INSERT INTO units (offer_no, fingerprint, state, content_type, value, uploaded_at)',
    "(?, ?, 'in_stock', ?, seal(?), ?)",
  )
  const settleStatement = (which: string) =>
    database.prepare(`
    UPDATE products SET low_price = supply.low_price, qty = supply.qty
    FROM (
      SELECT product_id, min(customer_price) AS low_price, min(sum(stock), 99) AS qty FROM offers
      WHERE sellable = 1 AND stock > 0 ${which} GROUP BY product_id
    ) AS supply
    WHERE products.id = supply.product_id
      AND (products.low_price, products.qty) IS NOT (supply.low_price, supply.qty)`)
  const settleAll = settleStatement('')
  const settleSome = settleStatement('AND product_id IN (SELECT value FROM json_each(:ids))')
  const indexes = database.prepare<[], { name: string; sql: string }>(deferrable)
  let deferred: string[] = []

  return {
    isEmpty: () => isEmpty.get() === 1,
    deferIndexes() {
      const present = indexes.all()
      for (const { name } of present) database.exec(`DROP INDEX "${name}"`)
      deferred = present.map(({ sql }) => sql)
    },
    insertProducts: (products) =>
      insertProducts(products.map((product) => Object.values(parameters(product)))),
    insertOffers: (offers) =>
      insertOffers(
        offers.map((offer) => [
          offer.no,
          offer.id,
          offer.sellerId,
          offer.productId,
          offer.price,
          offer.customerPrice,
          offer.status,
          offer.sellable ? 1 : 0,
          offer.stock,
          offer.reserved,
          offer.sold,
          offer.pricedAt,
          offer.createdAt,
          offer.updatedAt,
        ]),
      ),
    insertUnits: (units) =>
      insertUnits(
        units.map(({ offerNo, fingerprint, contentType, value, uploadedAt }) => [
          offerNo,
          fingerprint,
          contentType,
          value,
          uploadedAt,
        ]),
      ),
    moveTimes: (ms, days) => moveTimes(database, ms, days),
    settleSupply(productIds) {
      if (productIds === undefined) settleAll.run()
      else settleSome.run({ ids: JSON.stringify(productIds) })
    },
    *createIndexes() {
      for (const sql of deferred.splice(0)) {
        yield
        database.exec(sql)
      }
    },
  }
}
