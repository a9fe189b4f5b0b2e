import type { Database } from 'better-sqlite3'
import type { SaleRow, saleSortColumns, saleViews } from '../../contract/sales.ts'
import { knownProducts } from '../catalogue/catalogue.ts'
import type { SaleRecord } from './store.ts'

export type SaleView = (typeof saleViews)[number]
export type SaleQuery = {
  view: SaleView; query: string; from: number | null; to: number | null; offerId: string | null
  sort: { column: (typeof saleSortColumns)[number]; direction: 'asc' | 'desc' }; offset: number; limit: number
}

/** Where a sale stands; what a dispute holds is pending too, and shown apart. */
export const standing = {
  pending: "status = 'pending' AND held = 0",
  held: "status = 'pending' AND held = 1",
  released: "status = 'released'",
  cancelled: "status = 'cancelled'",
} as const
const VIEWS: Readonly<Record<SaleView, string>> = { all: 'TRUE', ...standing }
const SORTED_BY: Readonly<Record<SaleQuery['sort']['column'], string>> = {
  sold: 'sold_at', name: 'name_key', price: 'price_cents', customer: 'customer_cents', status: 'status', release: 'coalesce(released_at, release_at)',
}

/** A window of the sales that fit, and for each view how many it would show with the other choices as they are. Unknown values sort last. */
export function listSales(db: Database, asked: SaleQuery): { total: number; rows: SaleRow[]; views: Record<SaleView, number> } {
  const parts = ['TRUE']
  const values: Record<string, string | number> = {}
  if (asked.from !== null) { parts.push('sold_at >= :from'); values['from'] = asked.from }
  if (asked.to !== null) { parts.push('sold_at < :to'); values['to'] = asked.to }
  if (asked.offerId !== null) { parts.push('offer_id = :offerId'); values['offerId'] = asked.offerId }
  for (const [at, word] of asked.query.toLowerCase().split(/\s+/).filter(Boolean).entries()) {
    parts.push(`instr(search, :word${at}) > 0`)
    values[`word${at}`] = word
  }
  const chosen = parts.join(' AND ')
  const counted = Object.entries(VIEWS).map(([view, fits]) => `count(*) FILTER (WHERE ${fits}) AS "${view}"`).join(', ')
  const views = db.prepare(`SELECT ${counted} FROM sales WHERE ${chosen}`).get(values) as Record<SaleView, number>
  const direction = asked.sort.direction === 'asc' ? 'ASC' : 'DESC'
  const order = asked.sort.column === 'sold' ? `sold_at ${direction} NULLS LAST, sale_id` : `${SORTED_BY[asked.sort.column]} ${direction} NULLS LAST, sold_at DESC, sale_id`
  const rows = db.prepare<Record<string, unknown>, SaleRecord>(`SELECT * FROM sales WHERE ${chosen} AND ${VIEWS[asked.view]} ORDER BY ${order} LIMIT :limit OFFSET :offset`)
    .all({ ...values, limit: asked.limit, offset: asked.offset })
  return { total: views[asked.view], rows: saleRows(db, rows), views }
}

/** Sales as the screen shows them; platform and region are the catalogue's. */
export function saleRows(db: Database, records: readonly SaleRecord[]): SaleRow[] {
  const products = knownProducts(db, [...new Set(records.flatMap((record) => record.product_id ?? []))])
  return records.map((record) => {
    const product = products.get(record.product_id ?? '')
    return {
      saleId: record.sale_id, offerId: record.offer_id, productId: record.product_id, name: record.name, platform: product?.platform ?? '', region: product?.region ?? '',
      orderId: record.order_id, keyId: record.key_id, priceCents: record.price_cents, customerCents: record.customer_cents, status: record.status,
      held: record.status === 'pending' && record.held === 1, disputeId: record.dispute_id, soldAt: record.sold_at, releaseAt: record.release_at,
      releasedAt: record.released_at, seenAt: record.seen_at,
    }
  })
}
