import type { Database, Statement } from 'better-sqlite3'

export type ColumnValue = string | number | Uint8Array | null

/**
 * Rows that go into one statement: the statement itself, its begin and end, are then a small part
 * of what a row costs.
 */
const TOGETHER = 50

/**
 * Prepares the writing of many rows at once. `sql` is the statement with a `VALUES` list in the
 * place of `$rows`, each row of so many `columns`; it gets all values one after the other, and by
 * name what all rows have in common. Call inside a transaction.
 */
export function rowWriter(
  db: Database,
  sql: string,
  columns: number,
): (values: readonly ColumnValue[], common?: Readonly<Record<string, ColumnValue>>) => void {
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`
  const statement = (rows: number): Statement =>
    db.prepare(
      sql.replace('$rows', () => `VALUES ${Array.from({ length: rows }, () => row).join(', ')}`),
    )
  const [one, many] = [statement(1), statement(TOGETHER)]
  return (values, common = {}) => {
    for (let at = 0; at < values.length;) {
      const isMany = values.length - at >= TOGETHER * columns
      const to = at + (isMany ? TOGETHER : 1) * columns
      const given = values.slice(at, to)
      if (isMany) many.run(given, common)
      else one.run(given, common)
      at = to
    }
  }
}
