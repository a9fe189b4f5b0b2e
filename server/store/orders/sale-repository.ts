import type { Database } from 'better-sqlite3'
import type { DayOfReleases, SaleRecord, SaleRepository } from '../../domain/ports/selling/sales.ts'

type Row = Omit<SaleRecord, 'held'> & { held: 0 | 1 }

const select = `
  SELECT s.no, s.id, s.seller_id AS sellerId, f.id AS offerId, f.no AS offerNo, l.product_id AS productId, l.name,
    o.partner_id AS partnerId, o.id AS orderId, o.no AS orderNo, u.line, u.id AS keyId, s.price,
    s.customer_price AS customerPrice, s.unit_price AS unitPrice, s.status, s.held, s.sold_at AS soldAt,
    s.release_at AS releaseAt, s.released_at AS releasedAt, s.key_sha256 AS keySha256
  FROM sales s
    JOIN order_units u ON u.no = s.order_unit_no
    JOIN orders o ON o.no = u.order_no
    JOIN order_lines l ON l.order_no = u.order_no AND l.line = u.line
    JOIN offers f ON f.no = u.offer_no`

const waiting = `status = 'pending' AND held = 0`

export function createSaleRepository(database: Database): SaleRepository {
  const byNo = database.prepare<{ no: number }, Row>(`${select} WHERE s.no = @no`)
  const ofUnit = database.prepare<{ no: number }, Row>(`${select} WHERE s.order_unit_no = @no`)
  const page = database.prepare<{ sellerId: string; offset: number; limit: number }, Row>(
    `${select} WHERE s.seller_id = @sellerId ORDER BY s.sold_at DESC, s.id LIMIT @limit OFFSET @offset`,
  )
  const count = database
    .prepare<{ sellerId: string }, number>('SELECT count(*) FROM sales WHERE seller_id = @sellerId')
    .pluck()
  const upcoming = database.prepare<{ sellerId: string }, DayOfReleases>(`
    SELECT strftime('%Y-%m-%d', release_at / 1000, 'unixepoch') AS date, sum(price) AS amount, count(*) AS sales
    FROM sales WHERE seller_id = @sellerId AND ${waiting} GROUP BY date ORDER BY date`)
  const due = database.prepare<{ at: number; limit: number }, Row>(
    `${select} WHERE s.status = 'pending' AND s.held = 0 AND s.release_at <= @at ORDER BY s.release_at, s.no
      LIMIT @limit`,
  )
  const next = database
    .prepare<[], number | null>(`SELECT min(release_at) FROM sales WHERE ${waiting}`)
    .pluck()
  const release = database.prepare<{ no: number; at: number }>(
    `UPDATE sales SET status = 'released', released_at = @at WHERE no = @no AND ${waiting}`,
  )
  const cancel = database.prepare<{ no: number }>(
    `UPDATE sales SET status = 'cancelled', held = 0 WHERE no = @no AND status <> 'cancelled'`,
  )
  const hold = database.prepare<{ no: number; held: number }>(
    'UPDATE sales SET held = @held WHERE no = @no',
  )

  const record = (row: Row): SaleRecord => ({ ...row, held: row.held === 1 })
  const optional = (row: Row | undefined): SaleRecord | undefined => row && record(row)

  return {
    findByNo: (no) => optional(byNo.get({ no })),
    ofUnit: (no) => optional(ofUnit.get({ no })),
    page: (sellerId, offset, limit) => page.all({ sellerId, offset, limit }).map(record),
    count: (sellerId) => count.get({ sellerId }) ?? 0,
    upcoming: (sellerId) => upcoming.all({ sellerId }),
    due: (at, limit) => due.all({ at, limit }).map(record),
    nextReleaseAt: () => next.get() ?? null,
    release(no, at) {
      if (release.run({ no, at }).changes !== 1) throw new Error(`sale ${no} can't be released`)
    },
    cancel(no) {
      if (cancel.run({ no }).changes !== 1) throw new Error(`sale ${no} is already cancelled`)
    },
    setHeld: (no, held) => void hold.run({ no, held: held ? 1 : 0 }),
  }
}
