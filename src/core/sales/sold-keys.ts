import type { Database } from 'better-sqlite3'
import { prepared } from '../mirror/mirror.ts'
import { DAY_MS } from '../../../server/api/time.ts'
import { CLAIM_WINDOW_MS } from '../../../server/api/limits.ts'

/** A sale found by its sold key. `fingerprint`: the vault's fingerprint of the key's SHA-256. */
export type SoldKey = {
  saleId: string
  fingerprint: Buffer
  offerId: string | null
  productId: string | null
  status: string
  disputeId: string | null
  soldAt: number | null
}

const COLUMNS = `sale_id AS saleId, key_fingerprint AS fingerprint, offer_id AS offerId, product_id AS productId,
    status, dispute_id AS disputeId, sold_at AS soldAt`

/**
 * The sales of a key by the first bytes of its fingerprint, earliest first: a returned key can be
 * sold again.
 */
export function salesOfKey(db: Database, fingerprint: Buffer): SoldKey[] {
  const to = Buffer.concat([fingerprint, Buffer.alloc(64, 0xff)])
  return prepared(
    db,
    `SELECT ${COLUMNS} FROM sales WHERE key_fingerprint >= :from AND key_fingerprint <= :to ORDER BY sold_at`,
  ).all({ from: fingerprint, to }) as SoldKey[]
}

/**
 * The key of a sale; null if the service doesn't report it, or if the vault was locked when the
 * sale was read.
 */
export const keyOfSale = (db: Database, saleId: string): SoldKey | null =>
  (prepared(
    db,
    `SELECT ${COLUMNS} FROM sales WHERE sale_id = :saleId AND key_fingerprint IS NOT NULL`,
  ).get({ saleId }) as SoldKey | undefined) ?? null

/** The next sales with a known key after one id: one window of a walk over all sales. */
export const soldKeysAfter = (db: Database, after: string, limit: number): SoldKey[] =>
  prepared(
    db,
    `SELECT ${COLUMNS} FROM sales WHERE sale_id > :after AND key_fingerprint IS NOT NULL ORDER BY sale_id LIMIT :limit`,
  ).all({ after, limit }) as SoldKey[]

/**
 * Number of an offer's sales, in the service's time: `least` were sold after `to`, `most` after
 * `from`.
 */
export const countSoldSince = (
  db: Database,
  offerId: string,
  { from, to }: { from: number; to: number },
): { least: number; most: number } =>
  prepared(
    db,
    `SELECT count(*) AS most, coalesce(sum(sold_at > :to), 0) AS least FROM sales
      WHERE offer_id = :offerId AND sold_at >= :from AND (status <> 'cancelled' OR dispute_id IS NOT NULL)`,
  ).get({ offerId, from, to }) as { least: number; most: number }

/** Number of known sales, and of those whose key isn't known. */
export function countSoldKeys(db: Database): { sales: number; untold: number } {
  return (
    db
      .prepare<[], { sales: number; untold: number }>(
        'SELECT count(*) AS sales, count(*) - count(key_fingerprint) AS untold FROM sales',
      )
      .get() ?? { sales: 0, untold: 0 }
  )
}

/**
 * Time after its sale in which a unit can be disputed (Partner API, What the service does), in
 * milliseconds; a bit less, to leave out sales close to the limit.
 */
const DISPUTABLE_MS = CLAIM_WINDOW_MS - 0.5 * DAY_MS

/** Units of sales that can be disputed and aren't yet, newest first. */
export const disputableUnits = (db: Database, now: number): { orderId: string; keyId: string }[] =>
  db
    .prepare<{ since: number }, { orderId: string; keyId: string }>(
      `
  SELECT order_id AS orderId, key_id AS keyId FROM sales WHERE status = 'pending' AND dispute_id IS NULL
    AND order_id IS NOT NULL AND key_id IS NOT NULL AND sold_at > :since
  ORDER BY sold_at DESC LIMIT 500`,
    )
    .all({ since: now - DISPUTABLE_MS })
