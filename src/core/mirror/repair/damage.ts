import SqliteDatabase from 'better-sqlite3'

/**
 * Whether an error means a damaged database file, as opposed to one that is busy, unreadable or
 * newer.
 */
export const isDamage = (error: unknown): boolean =>
  error instanceof SqliteDatabase.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)
