import type { Database } from 'better-sqlite3'

/** What each offer has earned since a moment, and by how many sales; cancelled ones left out. */
export function earnedByOffer(db: Database, from: number): Map<string, { cents: number; sales: number }> {
  const rows = db.prepare<{ from: number }, { offerId: string; cents: number; sales: number }>(`
    SELECT offer_id AS offerId, coalesce(sum(price_cents), 0) AS cents, count(*) AS sales FROM sales
    WHERE sold_at >= :from AND status <> 'cancelled' AND offer_id IS NOT NULL GROUP BY offer_id`).all({ from })
  return new Map(rows.map(({ offerId, cents, sales }) => [offerId, { cents, sales }]))
}
