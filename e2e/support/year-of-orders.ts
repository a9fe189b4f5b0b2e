import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'

const DAY_MS = 24 * 3600 * 1000

/**
 * Adds a year of orders to the only account's mirror while the console runs, as if they had been
 * synced over the year. One in twenty failed and was credited back.
 */
export function addYearOfOrders(dataDir: string, count: number): void {
  const file = readdirSync(join(dataDir, 'mirrors')).find((name) => name.endsWith('.db'))
  const db = new SqliteDatabase(join(dataDir, 'mirrors', file ?? ''))
  const order = db.prepare(`INSERT INTO orders (order_id, external_id, status, mode, total_cents,
      refunded_cents, created_at, completed_at, tells_first_download, units, delivered_units, title, search, read_at)
    VALUES (:orderId, :externalId, :status, 'live', :total, :refunded, :at, :at, 1, 2, :delivered,
      :title, :search, :at)`)
  const line =
    db.prepare(`INSERT INTO order_lines (order_id, line, product_id, name, delivery_type, qty,
      unit_cents, status, delivered_qty)
    VALUES (:orderId, 1, :productId, :title, 'key', 2, :unit, :lineStatus, :delivered)`)
  const began = Date.now() - 365 * DAY_MS
  db.transaction(() => {
    for (let at = 0; at < count; at += 1) {
      const failed = at % 20 === 0
      const unit = 100 + ((at * 37) % 9000)
      const row = {
        orderId: `ord_year_${at}`,
        externalId: `YR-${at}`,
        status: failed ? 'failed' : 'completed',
        lineStatus: failed ? 'failed' : 'completed',
        unit,
        total: unit * 2,
        refunded: failed ? unit * 2 : 0,
        delivered: failed ? 0 : 2,
        at: began + Math.floor((at / count) * 364 * DAY_MS),
        title: `Product ${at % 500}`,
        productId: `prd_${at % 500}`,
        search: `ord_year_${at}\nyr-${at}\nproduct ${at % 500}`,
      }
      const { lineStatus: _line, unit: _unit, productId: _product, ...ofOrder } = row
      order.run(ofOrder)
      line.run({
        orderId: row.orderId,
        productId: row.productId,
        title: row.title,
        unit: row.unit,
        lineStatus: row.lineStatus,
        delivered: row.delivered,
      })
    }
  })()
  db.close()
}
