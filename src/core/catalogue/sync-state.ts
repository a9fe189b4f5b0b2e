import type { Database } from 'better-sqlite3'

/** Where the catalogue's sync stands; it survives the process. */
export type SyncState = {
  /** Partner: the last `nextCursor` whose page is in the mirror. */
  cursor: string | null
  /** Seller: the page to read next. */
  page: number
  /** Full listings begun. */
  round: number
  /** Whether one full listing was ever finished. */
  complete: boolean
  /** Products read in the listing that runs, and how many there are. */
  done: number
  total: number | null
  /** Number of the last page written: each written page has its own. */
  seq: number
  /** When the mirror last agreed with the service as far as it can: the end of the last round. */
  lastAt: number | null
  /**
   * Seller: the partner account that lends stock and activation, and how far its pages were taken
   * over.
   */
  lender: string | null
  lenderSeq: number
  lenderRid: number
}

type Row = {
  cursor: string | null
  page: number
  round: number
  complete: number
  done: number
  total: number | null
  seq: number
  last_at: number | null
  lender: string | null
  lender_seq: number
  lender_rid: number
}

export function readSyncState(db: Database): SyncState {
  const row = db.prepare('SELECT * FROM catalogue_sync').get() as Row
  return {
    cursor: row.cursor,
    page: row.page,
    round: row.round,
    complete: row.complete === 1,
    done: row.done,
    total: row.total,
    seq: row.seq,
    lastAt: row.last_at,
    lender: row.lender,
    lenderSeq: row.lender_seq,
    lenderRid: row.lender_rid,
  }
}

/** Call inside the transaction that writes the page. */
export function writeSyncState(db: Database, state: SyncState): void {
  db.prepare(
    `
    UPDATE catalogue_sync SET cursor = :cursor, page = :page, round = :round, complete = :complete, done = :done, total = :total, seq = :seq,
      last_at = :lastAt, lender = :lender, lender_seq = :lenderSeq, lender_rid = :lenderRid`,
  ).run({
    ...state,
    complete: Number(state.complete),
  })
}
