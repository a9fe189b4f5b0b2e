import type { Database } from 'better-sqlite3'
import { prepared } from '../../mirror/mirror.ts'
import { ALL_ROWS, ridsOf, type RowQuery } from './list.ts'

/** The index of an offer among all matching offers, in order; null if it isn't one of them. */
export function positionOfOffer(db: Database, wanted: RowQuery, offerId: string): number | null {
  const rid = prepared(db, 'SELECT rid FROM offers WHERE offer_id = :offerId')
    .pluck()
    .get({ offerId }) as number | undefined
  const index = rid === undefined ? -1 : ridsOf(db, wanted, ALL_ROWS).indexOf(rid)
  return index < 0 ? null : index
}
