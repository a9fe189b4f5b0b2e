import type { Database } from 'better-sqlite3'

/** A customer's claim on a sale. `fingerprint`: of the key that it is about; null where the dispute doesn't tell it. */
export type Claim = { disputeId: string; saleId: string; status: string; resolution: string | null; openedAt: number | null; resolvedAt: number | null; escalatesAt: number | null; lastAuthor: string | null; lastAt: number | null; fingerprint: Buffer | null }

const COLUMNS = `dispute_id AS disputeId, sale_id AS saleId, status, resolution_type AS resolution, opened_at AS openedAt, resolution_at AS resolvedAt, escalates_at AS escalatesAt, last_author AS lastAuthor, last_at AS lastAt, key_fingerprint AS fingerprint`

/** All claims whose sale is told. */
export const allClaims = (db: Database): Claim[] => db.prepare<[], Claim>(`SELECT ${COLUMNS} FROM disputes WHERE sale_id IS NOT NULL ORDER BY opened_at, dispute_id`).all()

/** The claims on one sale, the earliest first. */
export const claimsOnSale = (db: Database, saleId: string): Claim[] =>
  db.prepare<{ saleId: string }, Claim>(`SELECT ${COLUMNS} FROM disputes WHERE sale_id = :saleId ORDER BY opened_at, dispute_id`).all({ saleId })
