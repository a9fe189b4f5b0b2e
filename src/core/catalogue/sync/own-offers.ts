import type { Database } from 'better-sqlite3'
import { prepared } from '../../mirror/mirror.ts'
import type { FeatureSchema } from '../../mirror/schema.ts'

/** A product and its own offer. Null if there no longer is one. */
export type OwnOffer = { productId: string; offerId: string | null }

/**
 * Changes of own offers that the catalogue writer hasn't applied. They are noted in the mirror, in
 * the transaction that changes the offer, and deleted when the catalogue database shows them.
 */
export const ownOffersSchema: FeatureSchema = {
  feature: 'own-offers',
  steps: [
    `CREATE TABLE own_offer_notes (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, product_id TEXT NOT NULL UNIQUE, offer_id TEXT
    ) STRICT;`,
  ],
}

const watched = new WeakMap<Database, () => void>()

/** `task` runs after each note on this connection, possibly before its transaction commits. */
export const watchOwnOffers = (db: Database, task: () => void): void => void watched.set(db, task)

/**
 * Notes which products have an own offer; `null` clears it. Call inside the transaction that
 * changes the offer.
 */
export function noteOwnOffers(db: Database, offers: readonly OwnOffer[]): void {
  const note = prepared(
    db,
    'INSERT OR REPLACE INTO own_offer_notes (product_id, offer_id) VALUES (:productId, :offerId)',
  )
  for (const offer of offers) note.run(offer)
  watched.get(db)?.()
}

/** Maximum number of notes per command. */
const MAX_NOTES = 1000

/** The oldest notes, and the number of the last of them. */
export function ownOfferNotes(db: Database): { offers: OwnOffer[]; last: number } {
  const rows = prepared(
    db,
    `SELECT seq, product_id AS productId, offer_id AS offerId FROM own_offer_notes ORDER BY seq LIMIT ${MAX_NOTES}`,
  ).all() as (OwnOffer & { seq: number })[]
  return {
    offers: rows.map(({ productId, offerId }) => ({ productId, offerId })),
    last: rows.at(-1)?.seq ?? 0,
  }
}

/**
 * Deletes the notes up to a number. If a product was noted again since then, its new note stays.
 */
export const forgetOwnOfferNotes = (db: Database, last: number): void =>
  void prepared(db, 'DELETE FROM own_offer_notes WHERE seq <= ?').run(last)

/** Catalogue records with the notes that the catalogue database doesn't show. */
export function withNotes<Row extends { product_id: string; offer_id: string | null }>(
  db: Database,
  rows: readonly Row[],
): Row[] {
  const noted = new Map(
    prepared(
      db,
      'SELECT product_id, offer_id FROM own_offer_notes WHERE product_id IN (SELECT value FROM json_each(?))',
    )
      .raw()
      .all(JSON.stringify(rows.map((row) => row.product_id))) as [string, string | null][],
  )
  return rows.map((row) =>
    noted.has(row.product_id) ? { ...row, offer_id: noted.get(row.product_id) ?? null } : row,
  )
}

/** Shows own offers in the catalogue. Call inside a transaction of its writer. */
export function applyOwnOffers(db: Database, offers: readonly OwnOffer[]): void {
  const keep = prepared(
    db,
    `INSERT INTO own_offers (product_id, offer_id) VALUES (:productId, :offerId)
    ON CONFLICT (product_id) DO UPDATE SET offer_id = excluded.offer_id`,
  )
  const drop = prepared(db, 'DELETE FROM own_offers WHERE product_id = :productId')
  const show = prepared(
    db,
    'UPDATE products SET offer_id = :offerId WHERE product_id = :productId AND offer_id IS NOT :offerId',
  )
  for (const { productId, offerId } of offers) {
    if (offerId === null) drop.run({ productId })
    else keep.run({ productId, offerId })
    show.run({ productId, offerId })
  }
}
