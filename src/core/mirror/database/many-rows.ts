import type { Database, Statement } from 'better-sqlite3'

export type ColumnValue = string | number | Uint8Array | null

/**
 * Rows per statement. With this many, the fixed cost of a statement is a small part of the cost of
 * a row.
 */
const TOGETHER = 50

/**
 * Prepares bulk writes. In `sql`, `$rows` is replaced by a `VALUES` list with `columns` values per
 * row. The returned function takes the values of all rows in one flat list, and the values that all
 * rows share by name. Call it inside a transaction.
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
