import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../../server/api/money.ts'
import type { OfferCost, OfferTermsRecord } from '../../../contract/offers/offers.ts'
import { failure } from '../../failure.ts'
import { noteTermsChanged } from '../store.ts'

/** Data about an offer that is stored only on this computer. */
type Terms = Omit<OfferTermsRecord, 'offerId'>
/** A change of terms. Omitted values stay. */
export type TermsChange = { [Name in keyof Terms]?: Terms[Name] | undefined }

const columns: Readonly<Record<keyof Terms, string>> = {
  costCents: 'cost_cents',
  lowAt: 'low_at',
  ownFloorCents: 'floor_cents',
  ownCeilingCents: 'ceiling_cents',
}
const names = Object.keys(columns) as (keyof Terms)[]

/** What a unit of an offer cost, in cents; null if not entered. */
export const readCost = (db: Database, offerId: string): Cents | null =>
  (db
    .prepare('SELECT cost_cents FROM offer_terms WHERE offer_id = :offerId')
    .pluck()
    .get({ offerId }) as Cents | null | undefined) ?? null

/**
 * The costs of a window of these offers, in their order, and the number of all of them with a cost.
 * Unknown ids are left out.
 */
export function listCosts(
  db: Database,
  offerIds: readonly string[],
  { offset, limit }: { offset: number; limit: number },
): { total: number; entered: number; rows: OfferCost[] } {
  const ids = JSON.stringify(offerIds)
  const chosen = 'json_each(:ids) AS chosen JOIN offers AS o ON o.offer_id = chosen.value'
  const { total, entered } = db
    .prepare(`SELECT count(*) AS total, count(o.cost_cents) AS entered FROM ${chosen}`)
    .get({ ids }) as { total: number; entered: number }
  const rows = db
    .prepare(
      `SELECT o.offer_id AS offerId, o.name, o.platform, o.region,
          o.delivery_type AS deliveryType, o.cost_cents AS costCents
        FROM ${chosen} ORDER BY chosen.key LIMIT :limit OFFSET :offset`,
    )
    .all({ ids, limit, offset }) as OfferCost[]
  return { total, entered, rows }
}

/**
 * Writes terms to the journal and copies them into the mirror. Unknown offers are skipped.
 *
 * @returns The replaced terms of each changed offer.
 * @throws Failure `INVALID_INPUT` if a floor would be above the ceiling; nothing is written then.
 */
export function writeTerms(
  db: Database,
  changes: Iterable<{ offerId: string; change: TermsChange }>,
  at: number,
): OfferTermsRecord[] {
  const stored = names.map((name) => columns[name])
  const known = db.prepare(
    `SELECT ${names.map((name) => `${columns[name]} AS ${name}`).join(', ')}
      FROM offers WHERE offer_id = :offerId`,
  )
  const keep = db.prepare(`
    INSERT INTO offer_terms (offer_id, ${stored.join(', ')}, written_at)
    VALUES (:offerId, ${names.map((name) => `:${name}`).join(', ')}, :at)
    ON CONFLICT (offer_id) DO UPDATE
    SET ${stored.map((column) => `${column} = excluded.${column}`).join(', ')},
      written_at = excluded.written_at`)
  const copy = db.prepare(
    `UPDATE offers SET ${names.map((name) => `${columns[name]} = :${name}`).join(', ')}
      WHERE offer_id = :offerId`,
  )
  return db.transaction(() => {
    const before: OfferTermsRecord[] = []
    for (const { offerId, change } of changes) {
      const now = known.get({ offerId }) as Terms | undefined
      if (now === undefined) continue
      const wanted = { ...now }
      for (const name of names)
        if (change[name] !== undefined) Object.assign(wanted, { [name]: change[name] })
      if (names.every((name) => wanted[name] === now[name])) continue
      demandOrder(wanted)
      keep.run({ offerId, ...wanted, at })
      copy.run({ offerId, ...wanted })
      noteTermsChanged(db, offerId)
      before.push({ offerId, ...now })
    }
    return before
  })()
}

function demandOrder({ ownFloorCents: floor, ownCeilingCents: ceiling }: Terms): void {
  if (floor === null || ceiling === null || floor <= ceiling) return
  throw failure(
    'INVALID_INPUT',
    'The floor is above the ceiling.',
    'Enter a ceiling that is at least the floor.',
    { effect: 'Nothing was saved.' },
  )
}
