import SqliteDatabase from 'better-sqlite3'

/**
 * Whether an error says that a database file is damaged, not that it is busy, unreadable or newer.
 */
export const isDamage = (error: unknown): boolean =>
  error instanceof SqliteDatabase.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)
