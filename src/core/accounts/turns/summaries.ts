import type { Database } from 'better-sqlite3'

/** A value of every account that stays known while the account's files are closed. */
export type Summary<Value> = (accountId: string) => Value

type Parts = {
  database: Database
  /** Whether the account's files are closed until its next turn. */
  isAsleep: (accountId: string) => boolean
  /** Whether the account has files: it has worked or been used before. */
  hasFiles: (accountId: string) => boolean
}

/**
 * Values of accounts that the console shows or adds up for all of them, such as the counts of the
 * status bar. While an account's files are open, they are read. When the files are closed, they are
 * stored, and deleted again before the files change: after a kill, an account without stored values
 * is read.
 */
export function createSummaries({ database, isAsleep, hasFiles }: Parts) {
  const readers = new Map<string, (accountId: string) => unknown>()
  const known = new Map(
    database
      .prepare<[], [string, string]>('SELECT account_id, summary FROM account_summary')
      .raw()
      .all()
      .map(([accountId, text]) => [accountId, JSON.parse(text) as Record<string, unknown>]),
  )
  const put = database.prepare<{ accountId: string; summary: string }>(
    'INSERT OR REPLACE INTO account_summary VALUES (:accountId, :summary)',
  )
  const drop = database.prepare<{ accountId: string }>(
    'DELETE FROM account_summary WHERE account_id = :accountId',
  )
  return {
    /**
     * Declares a value by its name. Values are stored as JSON.
     *
     * @param empty the value of an account that has no files yet
     */
    declare<Value>(name: string, empty: Value, read: (accountId: string) => Value): Summary<Value> {
      readers.set(name, read)
      return (accountId) => {
        if (!isAsleep(accountId)) return read(accountId)
        const stored = known.get(accountId)
        if (stored !== undefined && name in stored) return stored[name] as Value
        return hasFiles(accountId) ? read(accountId) : empty
      }
    },
    /** Stores the values of an account whose files close next. */
    keep(accountId: string): void {
      const text = JSON.stringify(
        Object.fromEntries([...readers].map(([name, read]) => [name, read(accountId)])),
      )
      put.run({ accountId, summary: text })
      known.set(accountId, JSON.parse(text) as Record<string, unknown>)
    },
    /** Deletes the stored values of an account whose files can change from now on. */
    forget(accountId: string): void {
      if (known.delete(accountId)) drop.run({ accountId })
    },
  }
}
