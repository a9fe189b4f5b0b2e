import type { Database } from 'better-sqlite3'

/** The position of the catalogue's sync. It is stored, so it survives a restart. */
export type SyncState = {
  /** Partner: the last `nextCursor` whose page is in the mirror. */
  cursor: string | null
  /** Seller: the page to read next. */
  page: number
  /** Number of full listings started. */
  round: number
  /** Whether a full listing has ever finished. */
  complete: boolean
  /** Products read in the current listing, and their total number. */
  done: number
  total: number | null
  /** Number of the last written page. Each written page has its own. */
  seq: number
  /** When the mirror last matched the service as far as possible: the end of the last pass. */
  lastAt: number | null
  /**
   * Seller: the partner account that supplies stock and activation, and the position up to which
   * its pages were copied.
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
    UPDATE catalogue_sync SET cursor = :cursor, page = :page, round = :round, complete = :complete, done = :done,
      total = :total, seq = :seq, last_at = :lastAt, lender = :lender,
      lender_seq = :lenderSeq, lender_rid = :lenderRid`,
  ).run({
    ...state,
    complete: Number(state.complete),
  })
}
