import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../../server/api/money.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

/** Earnings and number of sales of each offer in a period, without canceled sales. */
export function earnedByOffer(
  db: Database,
  from: number,
  to: number,
): Map<string, { cents: Cents; sales: number }> {
  const rows = db
    .prepare<{ from: number; to: number }, { offerId: string; cents: Cents; sales: number }>(
      `
    SELECT offer_id AS offerId, coalesce(sum(price_cents), 0) AS cents, count(*) AS sales FROM sales
    WHERE sold_at >= :from AND sold_at < :to AND status <> 'cancelled' AND offer_id IS NOT NULL GROUP BY offer_id`,
    )
    .all({ from, to })
  return new Map(rows.map(({ offerId, cents, sales }) => [offerId, { cents, sales }]))
}

/**
 * A query for the units each offer sold between `:from` and `:now`, as `offer_id` and `units`,
 * without canceled sales and without offers that sold nothing.
 */
export const unitsSoldByOffer = `
  SELECT offer_id, count(*) AS units FROM sales WHERE sold_at > :from AND sold_at <= :now
    AND status <> 'cancelled' AND offer_id IS NOT NULL GROUP BY offer_id`

/**
 * Units sold by each of these offers in each of the last `days` spans of 24 hours, oldest first,
 * without canceled sales and without offers that sold nothing. Null until all sales were read once.
 */
export function soldByDay(
  db: Database,
  offerIds: readonly string[],
  now: number,
  days: number,
): Map<string, number[]> | null {
  if (db.prepare<[], number>('SELECT complete FROM sales_sync').pluck().get() !== 1) return null
  const rows = db
    .prepare<
      { ids: string; from: number; now: number },
      { offerId: string; ago: number; units: number }
    >(
      `
    SELECT offer_id AS offerId, CAST((:now - sold_at) / ${DAY_MS} AS INTEGER) AS ago, count(*) AS units FROM sales
    WHERE offer_id IN (SELECT value FROM json_each(:ids)) AND sold_at > :from AND status <> 'cancelled'
      GROUP BY offer_id, ago`,
    )
    .all({ ids: JSON.stringify(offerIds), from: now - days * DAY_MS, now })
  const sold = new Map<string, number[]>()
  for (const { offerId, ago, units } of rows) {
    const own = sold.get(offerId) ?? Array.from({ length: days }, () => 0)
    own[days - 1 - Math.max(0, ago)] = units
    sold.set(offerId, own)
  }
  return sold
}
