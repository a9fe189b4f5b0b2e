import type { Database } from 'better-sqlite3'
import { schemaOf } from '../mirror/mirror.ts'
import { LATE_INDEXES } from './schema.ts'

/** From so many products on it pays to make indexes at the end. */
export const MANY = 20_000

const LISTING_CACHE_KIB = 16 * 1024
const CACHE_KIB = 8 * 1024
const LISTING_CHECKPOINT_PAGES = 8000
const CHECKPOINT_PAGES = 1000

/** Pages of the word index that are put together at a time: some milliseconds. */
const MERGED_AT_ONCE = 200

const missing = (db: Database): string[] => {
  const present = new Set(
    db
      .prepare<[], string>(
        `SELECT name FROM ${schemaOf(db, 'products')}.sqlite_schema WHERE type = 'index'`,
      )
      .pluck()
      .all(),
  )
  return Object.keys(LATE_INDEXES).filter((name) => !present.has(name))
}

/** Gives a full listing more room for what it writes, until {@link finishListing}. */
export function beginListing(db: Database): void {
  db.pragma(`cache_size = -${LISTING_CACHE_KIB}`)
  db.pragma(`wal_autocheckpoint = ${LISTING_CHECKPOINT_PAGES}`)
}

/**
 * Leaves out, before the first page of a first listing of very many products (`total`, null when
 * not told), what only reading needs, until {@link finishListing}. Everything is found without it
 * too, long lists more slowly. A mirror that holds products already stays as it is.
 */
export function leaveIndexes(db: Database, total: number | null): void {
  if (
    total === null ||
    total < MANY ||
    db.prepare('SELECT 1 FROM products LIMIT 1').get() !== undefined
  )
    return
  db.transaction(() => {
    for (const name of Object.keys(LATE_INDEXES)) db.exec(`DROP INDEX IF EXISTS ${name}`)
  }).immediate()
}

/**
 * Puts the parts of the word index together and makes the indexes that are missing, one at a time:
 * other work goes on in between. Called off, or killed, it is finished another time; where nothing
 * is missing it does nothing.
 */
export async function finishListing(db: Database, signal: AbortSignal): Promise<void> {
  const names = missing(db)
  if (names.length > 0 && !(await mergeWords(db, signal))) return
  for (const name of names) {
    await turn()
    if (signal.aborted) return
    db.exec(
      `CREATE INDEX IF NOT EXISTS ${schemaOf(db, 'products')}.${name} ON products ${LATE_INDEXES[name] ?? ''} WHERE removed = 0`,
    )
  }
  db.pragma(`cache_size = -${CACHE_KIB}`)
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  db.pragma('shrink_memory')
}

/** Gives false when it was called off. */
async function mergeWords(db: Database, signal: AbortSignal): Promise<boolean> {
  const merge = db.prepare(
    "INSERT INTO product_index (product_index, rank) VALUES ('merge', :pages)",
  )
  // A negative number begins to merge all into one; FTS5 tells by the number of changes whether
  // anything was left to do.
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
