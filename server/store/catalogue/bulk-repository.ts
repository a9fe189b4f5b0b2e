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
  const settle = database.prepare(`
    UPDATE products SET low_price = supply.low_price, qty = supply.qty
    FROM (
      SELECT product_id, min(customer_price) AS low_price, min(sum(stock), 99) AS qty FROM offers
      WHERE sellable = 1 AND stock > 0 GROUP BY product_id
    ) AS supply
    WHERE products.id = supply.product_id
      AND (products.low_price, products.qty) IS NOT (supply.low_price, supply.qty)`)
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
    settleSupply: () => void settle.run(),
    *createIndexes() {
      for (const sql of deferred.splice(0)) {
        yield
        database.exec(sql)
      }
    },
  }
}
