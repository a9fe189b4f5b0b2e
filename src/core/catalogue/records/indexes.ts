import type { Database } from 'better-sqlite3'
import { databaseNameOf } from '../../mirror/mirror.ts'
import { LATE_INDEXES } from '../schema.ts'

/** Minimum number of products at which creating indexes at the end pays off. */
export const LATE_INDEX_MINIMUM = 20_000

const LISTING_CACHE_KIB = 16 * 1024
const CACHE_KIB = 8 * 1024
const LISTING_CHECKPOINT_PAGES = 8000
const CHECKPOINT_PAGES = 1000

/** Pages of the word index to merge at a time, which takes a few milliseconds. */
const MERGED_AT_ONCE = 200

const missing = (db: Database): string[] => {
  const present = new Set(
    db
      .prepare<[], string>(
        `SELECT name FROM ${databaseNameOf(db, 'products')}.sqlite_schema WHERE type = 'index'`,
      )
      .pluck()
      .all(),
  )
  return Object.keys(LATE_INDEXES).filter((name) => !present.has(name))
}

/** Gives a full listing a larger write-ahead log until {@link finishListing}. */
export function startListing(db: Database): void {
  db.pragma(`cache_size = -${LISTING_CACHE_KIB}`)
  db.pragma(`wal_autocheckpoint = ${LISTING_CHECKPOINT_PAGES}`)
}

/**
 * Before the first page of a large first listing (`total`, null if not reported), drops indexes
 * that only reads need, until {@link finishListing}. Every query still works, but long lists are
 * slower. A mirror that already holds products doesn't change.
 */
export function dropLateIndexes(db: Database, total: number | null): void {
  if (
    total === null ||
    total < LATE_INDEX_MINIMUM ||
    db.prepare('SELECT 1 FROM products LIMIT 1').get() !== undefined
  )
    return
  db.transaction(() => {
    for (const name of Object.keys(LATE_INDEXES)) db.exec(`DROP INDEX IF EXISTS ${name}`)
  }).immediate()
}

/**
 * Merges the word index and creates missing indexes one at a time, so that other work can run in
 * between. If it is canceled or killed, the next run finishes it. Does nothing if no index is
 * missing.
 */
export async function finishListing(db: Database, signal: AbortSignal): Promise<void> {
  const names = missing(db)
  if (names.length > 0 && !(await mergeWords(db, signal))) return
  for (const name of names) {
    await turn()
    if (signal.aborted) return
    db.exec(
      `CREATE INDEX IF NOT EXISTS ${databaseNameOf(db, 'products')}.${name}` +
        ` ON products ${LATE_INDEXES[name] ?? ''} WHERE removed = 0`,
    )
  }
  db.pragma(`cache_size = -${CACHE_KIB}`)
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  db.pragma('shrink_memory')
}

/** Returns false if it was canceled. */
async function mergeWords(db: Database, signal: AbortSignal): Promise<boolean> {
  const merge = db.prepare(
    "INSERT INTO product_index (product_index, rank) VALUES ('merge', :pages)",
  )
  // A negative number starts merging everything into one segment. The number of changes shows
  // whether FTS5 had anything left to merge.
  for (let pages = -MERGED_AT_ONCE; ; pages = MERGED_AT_ONCE) {
    await turn()
    if (signal.aborted) return false
    const before = changesOf(db)
    merge.run({ pages })
    if (changesOf(db) - before < 2) return true
  }
}

const changesOf = (db: Database): number =>
  db.prepare('SELECT total_changes()').pluck().get() as number
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })
