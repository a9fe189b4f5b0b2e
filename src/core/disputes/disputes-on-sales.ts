import type { Database } from 'better-sqlite3'
import { prepared } from '../mirror/mirror.ts'

/**
 * A customer dispute about a sale. `fingerprint`: of the disputed key; null if the dispute doesn't
 * name it.
 */
export type Claim = {
  disputeId: string
  saleId: string
  status: string
  resolution: string | null
  openedAt: number | null
  resolvedAt: number | null
  escalatesAt: number | null
  lastAuthor: string | null
  lastAt: number | null
  fingerprint: Buffer | null
}

const COLUMNS = `dispute_id AS disputeId, sale_id AS saleId, status, resolution_type AS resolution,
  opened_at AS openedAt, resolution_at AS resolvedAt, escalates_at AS escalatesAt,
  last_author AS lastAuthor, last_at AS lastAt, key_fingerprint AS fingerprint`

/** The next disputes with a known sale after one id: one window of a walk over all disputes. */
export const soldDisputesAfter = (db: Database, after: string, limit: number): Claim[] =>
  prepared(
    db,
    `SELECT ${COLUMNS} FROM disputes WHERE dispute_id > :after AND sale_id IS NOT NULL
      ORDER BY dispute_id LIMIT :limit`,
  ).all({ after, limit }) as Claim[]

/** One dispute; undefined if it isn't on this computer or its sale isn't known. */
export const findSoldDispute = (db: Database, disputeId: string): Claim | undefined =>
  prepared(
    db,
    `SELECT ${COLUMNS} FROM disputes WHERE dispute_id = :disputeId AND sale_id IS NOT NULL`,
  ).get({ disputeId }) as Claim | undefined

/** The disputes about one sale, earliest first. */
export const disputesOfSale = (db: Database, saleId: string): Claim[] =>
  prepared(
    db,
    `SELECT ${COLUMNS} FROM disputes WHERE sale_id = :saleId ORDER BY opened_at, dispute_id`,
  ).all({ saleId }) as Claim[]

/**
 * The disputes that name a key, by the first bytes of its fingerprint, earliest first. A dispute
 * about a replacement names that key, and the sale of the key that was sold first.
 */
export function disputesOfKey(db: Database, fingerprint: Buffer): Claim[] {
  const to = Buffer.concat([fingerprint, Buffer.alloc(64, 0xff)])
  return prepared(
    db,
    `SELECT ${COLUMNS} FROM disputes WHERE key_fingerprint >= :from AND key_fingerprint <= :to
      AND sale_id IS NOT NULL ORDER BY opened_at, dispute_id`,
  ).all({ from: fingerprint, to }) as Claim[]
}

/**
 * When each replacement from the stock of an offer was requested and confirmed on this computer,
 * earliest first.
 */
export const replacementsFromStock = (
  db: Database,
  offerId: string,
): { writtenAt: number; settledAt: number }[] =>
  prepared(
    db,
    `SELECT a.written_at AS writtenAt, a.settled_at AS settledAt
      FROM dispute_actions a JOIN disputes d ON d.dispute_id = a.dispute_id
      WHERE a.kind = 'replace-stock' AND a.state = 'done' AND d.offer_id = :offerId
      ORDER BY a.settled_at`,
  ).all({ offerId }) as { writtenAt: number; settledAt: number }[]
