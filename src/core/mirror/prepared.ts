import type { Database, Statement } from 'better-sqlite3'

/**
 * Statements kept of a connection: those of a search differ by its filters, so that there are many
 * in a long day.
 */
const MOST_KEPT = 200

const known = new WeakMap<Database, Map<string, Statement>>()

/**
 * A statement of a connection, prepared once: to prepare one takes longer than to find fifty rows
 * by it. The longest unused ones go.
 */
export function prepared(db: Database, sql: string): Statement {
  const statements = known.get(db) ?? new Map<string, Statement>()
  known.set(db, statements)
  const statement = statements.get(sql) ?? db.prepare(sql)
  statements.delete(sql)
  statements.set(sql, statement)
  const [oldest] = statements.keys()
  if (statements.size > MOST_KEPT && oldest !== undefined) statements.delete(oldest)
  return statement
}
