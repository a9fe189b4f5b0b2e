import type { Database } from 'better-sqlite3'
import { readSyncState, writeSyncState } from './sync-state.ts'

/** The partner mirror that supplies data missing from the seller API. */
export type DetailSource = { accountId: string; db: Database }
/** The same mirror, by its file. */
export type DetailSourceFile = { accountId: string; path: string }

type Details = {
  rid: number
  product_id: string
  in_stock: number | null
  qty: number | null
  excluded: string | null
  allowed_countries: number | null
  updated_at: number | null
  read_at: number
  seq: number
}

const BATCH = 1000
const DETAIL_COLUMNS =
  'rid, product_id, in_stock, qty, excluded, allowed_countries, updated_at, read_at, seq'

/**
 * Copies stock, activation and time of change of the products that the partner's pages changed
 * since the last time. Each batch and its position are one transaction. If the partner account
 * changed (or there is none: null), it first clears the details from the old one. Returns the
 * number of changed products in the seller's mirror.
 */
export async function copyDetails(
  db: Database,
  lender: DetailSource | null,
  signal: AbortSignal,
): Promise<number> {
  let changed =
    readSyncState(db).lender === (lender?.accountId ?? null)
      ? 0
      : clearDetails(db, lender?.accountId ?? null)
  if (lender === null) return changed
  const read = lender.db.prepare(`
    SELECT ${DETAIL_COLUMNS} FROM products WHERE (seq, rid) > (:seq, :rid) ORDER BY seq, rid LIMIT ${BATCH}`)
  while (!signal.aborted) {
    const { lenderSeq, lenderRid } = readSyncState(db)
    const lent = read.all({ seq: lenderSeq, rid: lenderRid }) as Details[]
    const last = lent.at(-1)
    if (last === undefined) break
    changed += db.transaction(() => {
      const count = lent.reduce((sum, row) => sum + copyProduct(db, row), 0)
      writeSyncState(db, { ...readSyncState(db), lenderSeq: last.seq, lenderRid: last.rid })
      return count
    })()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return changed
}

/** Copies the details of products that are new in the seller's mirror. Returns their number. */
export function copyNewDetails(
  db: Database,
  lender: Database,
  productIds: readonly string[],
): number {
  const lent = lender
    .prepare(
      `SELECT ${DETAIL_COLUMNS} FROM products WHERE product_id IN (SELECT value FROM json_each(:ids))`,
    )
    .all({ ids: JSON.stringify(productIds) }) as Details[]
  return db.transaction(() => lent.reduce((sum, row) => sum + copyProduct(db, row), 0))()
}

function copyProduct(db: Database, row: Details): number {
  return db
    .prepare(
      `
    UPDATE products SET in_stock = :in_stock, qty = :qty, excluded = :excluded,
      allowed_countries = :allowed_countries, updated_at = :updated_at, lent_at = :read_at
    WHERE product_id = :product_id`,
    )
    .run(row).changes
}

function clearDetails(db: Database, lender: string | null): number {
  return db.transaction(() => {
    writeSyncState(db, { ...readSyncState(db), lender, lenderSeq: 0, lenderRid: 0 })
    return db
      .prepare(
        `
      UPDATE products SET in_stock = NULL, qty = NULL, excluded = NULL, allowed_countries = NULL,
        updated_at = NULL, lent_at = NULL
      WHERE lent_at IS NOT NULL`,
      )
      .run().changes
  })()
}
