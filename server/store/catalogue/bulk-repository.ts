import type { Database } from 'better-sqlite3'
import type { BulkRepository } from '../../domain/ports/bulk.ts'
import { insertProduct, parameters } from './product-columns.ts'

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
  const insert = database.prepare<ReturnType<typeof parameters>>(insertProduct)
  const settle = database.prepare(`
    UPDATE products SET low_price = supply.low_price, qty = supply.qty
    FROM (
      SELECT product_id, min(customer_price) AS low_price, min(sum(stock), 99) AS qty FROM offers
      WHERE sellable = 1 AND stock > 0 GROUP BY product_id
    ) AS supply
    WHERE products.id = supply.product_id`)
  const indexes = database.prepare<[], { name: string; sql: string }>(deferrable)
  let deferred: string[] = []

  return {
    isEmpty: () => isEmpty.get() === 1,
    deferIndexes() {
      const present = indexes.all()
      for (const { name } of present) database.exec(`DROP INDEX "${name}"`)
      deferred = present.map(({ sql }) => sql)
    },
    insertProducts(products) {
      for (const product of products) insert.run(parameters(product))
    },
    settleSupply: () => void settle.run(),
    *createIndexes() {
      for (const sql of deferred.splice(0)) {
        yield
        database.exec(sql)
      }
    },
  }
}
