import type { Database } from 'better-sqlite3'
import type { ListedOffer, OfferRow } from '../../../contract/offers/offers.ts'
import { soldByDay } from '../../sales/sales.ts'
import type { PriceLimits } from '../bulk/planning/rules.ts'

const WEEK = 7
const noSales = Array.from({ length: WEEK }, () => 0)

/** Adds locally known data to rows: their price limits, and their sales of seven days. */
export function listedOffers(
  db: Database,
  rows: readonly OfferRow[],
  now: number,
  limitsOf: (row: OfferRow) => PriceLimits | null,
): ListedOffer[] {
  const sold = soldByDay(
    db,
    rows.map(({ offerId }) => offerId),
    now,
    WEEK,
  )
  return rows.map((row) => {
    const limits = limitsOf(row)
    return {
      ...row,
      floorCents: limits?.floorCents ?? null,
      ceilingCents: limits?.ceilingCents ?? null,
      soldDays: sold === null ? null : (sold.get(row.offerId) ?? noSales),
    }
  })
}
