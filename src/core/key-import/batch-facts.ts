import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'
import { prepared } from '../mirror/mirror.ts'
import type { OfferPurchase } from './plan/purchases.ts'

/** The keys of one import on one offer. */
export type ImportedBatch = {
  importId: string
  importNumber: number
  offer: number
  offerId: string
  product: string
  offerName: string
  platform: string
  region: string
  deliveryType: string
  startedAt: number | null
  keys: number
  gone: number
}

const SELECT = `
  SELECT i.import_id AS importId, i.number AS importNumber, o.position AS offer, o.offer_id AS offerId,
    o.product, o.name AS offerName, o.platform, o.region, o.delivery_type AS deliveryType, i.started_at AS startedAt,
    coalesce((SELECT sum(added) FROM import_requests r
    WHERE r.import_number = i.number AND r.offer = o.position), 0) AS keys,
    (SELECT count(*) FROM import_key_history h WHERE h.import_number = i.number AND h.offer = o.position
      AND h.gone_at IS NOT NULL) AS gone
  FROM import_offers o JOIN imports i ON i.number = o.import_number
  WHERE NOT EXISTS (SELECT 1 FROM import_returns b WHERE b.import_number = i.number)`

/** Imports by offer, newest first. Excludes uploads that only return keys during an undo. */
export const importedBatches = (db: Database, offerId: string | null): ImportedBatch[] =>
  db
    .prepare<{ offerId: string | null }, ImportedBatch>(
      `${SELECT} AND (:offerId IS NULL OR o.offer_id = :offerId) ORDER BY i.number DESC, o.position LIMIT 2000`,
    )
    .all({ offerId })

export const importedBatch = (
  db: Database,
  importNumber: number,
  offer: number,
): ImportedBatch | null =>
  db
    .prepare<{ importNumber: number; offer: number }, ImportedBatch>(
      `${SELECT} AND i.number = :importNumber AND o.position = :offer`,
    )
    .get({ importNumber, offer }) ?? null

/**
 * Keys of imports that arrived on an offer or were withdrawn since a reading of its stock.
 * `arrived`: of requests sent after `to`, and of those settled after `from`.
 */
export function movedKeys(
  db: Database,
  offerId: string,
  { from, to }: { from: number; to: number },
): { arrived: { least: number; most: number }; withdrawn: number } {
  const offer = 'JOIN import_offers o ON o.import_number = m.import_number AND o.position = m.offer'
  return {
    arrived: db
      .prepare<{ offerId: string; from: number; to: number }, { least: number; most: number }>(
        `SELECT coalesce(sum(m.added), 0) AS most,
          coalesce(sum(CASE WHEN m.sent_at > :to THEN m.added END), 0) AS least
          FROM import_requests m ${offer}
          WHERE o.offer_id = :offerId AND m.state = 'settled' AND m.settled_at >= :from`,
      )
      .get({ offerId, from, to }) ?? { least: 0, most: 0 },
    withdrawn:
      db
        .prepare<{ offerId: string; from: number }, number>(
          `SELECT count(*) FROM import_key_history m ${offer}
            WHERE o.offer_id = :offerId AND m.gone_at >= :from`,
        )
        .pluck()
        .get({ offerId, from }) ?? 0,
  }
}

/** The service's result for one request of an import; null if it has none. */
export const importedRequest = (
  db: Database,
  importNumber: number,
  request: number,
): { keys: number; added: number; duplicates: number } | null =>
  (prepared(
    db,
    `SELECT keys, added, duplicates FROM import_requests
      WHERE import_number = :importNumber AND position = :request AND state IN ('settled', 'refused')`,
  ).get({ importNumber, request }) as
    | { keys: number; added: number; duplicates: number }
    | undefined) ?? null

/** What an import's keys on an offer cost, as its files contain it; null if they don't. */
export function importedPurchase(
  db: Database,
  importNumber: number,
  offer: number,
): Pick<OfferPurchase, 'costCents' | 'suppliers'> | null {
  const stored = db
    .prepare<{ importNumber: number; offer: number }, { offerId: string; purchases: string }>(
      `SELECT o.offer_id AS offerId, p.purchases FROM import_purchases p JOIN import_offers o
        ON o.import_number = p.import_number
        WHERE o.import_number = :importNumber AND o.position = :offer`,
    )
    .get({ importNumber, offer })
  if (stored === undefined) return null
  // Trusts the JSON because this feature stored it itself.
  const all = JSON.parse(stored.purchases) as OfferPurchase[]
  return all.find(({ offerId }) => offerId === stored.offerId) ?? null
}

/** The costs per key in an import's files, by the offer's number in the import. */
export function importedCosts(db: Database, importNumber: number): Map<number, Cents> {
  const purchases = db
    .prepare<{ importNumber: number }, string>(
      'SELECT purchases FROM import_purchases WHERE import_number = :importNumber',
    )
    .pluck()
    .get({ importNumber })
  if (purchases === undefined) return new Map()
  // Trusts the JSON because this feature stored it itself.
  const paid = new Map(
    (JSON.parse(purchases) as OfferPurchase[]).map(({ offerId, costCents }) => [
      offerId,
      costCents,
    ]),
  )
  const offers = db
    .prepare<{ importNumber: number }, { offer: number; offerId: string }>(
      `SELECT position AS offer, offer_id AS offerId FROM import_offers
        WHERE import_number = :importNumber`,
    )
    .all({ importNumber })
  return new Map(
    offers.flatMap(({ offer, offerId }) => {
      const costCents = paid.get(offerId) ?? null
      return costCents === null ? [] : [[offer, costCents] as const]
    }),
  )
}

/** The number of an import of this account; null if the account has no import with this id. */
export const importNumberOf = (db: Database, importId: string): number | null =>
  db
    .prepare<{ importId: string }, number>('SELECT number FROM imports WHERE import_id = :importId')
    .pluck()
    .get({ importId }) ?? null

/** The names of an import's files by their numbers. */
export const importFileNames = (db: Database, importNumber: number): Map<number, string> =>
  new Map(
    db
      .prepare<{ importNumber: number }, { position: number; name: string }>(
        'SELECT position, name FROM import_files WHERE import_number = :importNumber',
      )
      .all({ importNumber })
      .map(({ position, name }) => [position, name]),
  )
