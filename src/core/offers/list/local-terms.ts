import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../../server/api/money.ts'
import { noteOffersChanged } from '../store.ts'

/**
 * Data about an offer that is stored only on this computer. Null: not entered; for `lowAt` the
 * setting applies.
 */
export type OfferTerms = { costCents: Cents | null; lowAt: number | null }
/** A change of terms. Omitted values stay. */
export type TermsChange = {
  costCents?: Cents | null | undefined
  lowAt?: number | null | undefined
}

/** What a unit of an offer cost, in cents; null if not entered. */
export const readCost = (db: Database, offerId: string): Cents | null =>
  (db
    .prepare('SELECT cost_cents FROM offer_terms WHERE offer_id = :offerId')
    .pluck()
    .get({ offerId }) as Cents | null | undefined) ?? null

/**
 * Writes terms to the journal and copies them into the mirror. Returns the number of changed
 * offers. Unknown offers are skipped.
 */
export function writeTerms(
  db: Database,
  offerIds: readonly string[],
  { costCents, lowAt }: TermsChange,
  at: number,
): number {
  const known = db.prepare(
    'SELECT cost_cents AS costCents, low_at AS lowAt FROM offers WHERE offer_id = :offerId',
  )
  const keep = db.prepare(`
    INSERT INTO offer_terms (offer_id, cost_cents, low_at, written_at) VALUES (:offerId, :costCents, :lowAt, :at)
    ON CONFLICT (offer_id) DO UPDATE
    SET cost_cents = excluded.cost_cents, low_at = excluded.low_at, written_at = excluded.written_at`)
  const copy = db.prepare(
    'UPDATE offers SET cost_cents = :costCents, low_at = :lowAt WHERE offer_id = :offerId',
  )
  return db.transaction(() =>
    offerIds.reduce((changed, offerId) => {
      const now = known.get({ offerId }) as OfferTerms | undefined
      if (now === undefined) return changed
      const wanted = {
        costCents: costCents === undefined ? now.costCents : costCents,
        lowAt: lowAt === undefined ? now.lowAt : lowAt,
      }
      if (wanted.costCents === now.costCents && wanted.lowAt === now.lowAt) return changed
      keep.run({ offerId, ...wanted, at })
      copy.run({ offerId, ...wanted })
      noteOffersChanged(db)
      return changed + 1
    }, 0),
  )()
}
