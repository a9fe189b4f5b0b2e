import type { Database } from 'better-sqlite3'

/**
 * The name of the database on a connection that has a table, or `main` if none does. An account's
 * own connection has its catalogue attached; the catalogue writer opens it as `main`.
 */
export function databaseNameOf(db: Database, table: string): string {
  const names = db.prepare<[], string>('SELECT name FROM pragma_database_list').pluck().all()
  return (
    names.find(
      (name) =>
        db
          .prepare<[string]>(
            `SELECT 1 FROM ${name}.sqlite_schema WHERE type = 'table' AND name = ?`,
          )
          .get(table) !== undefined,
    ) ?? 'main'
  )
}
