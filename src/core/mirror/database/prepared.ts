import type { Database, Statement } from 'better-sqlite3'

/**
 * Maximum number of cached statements per connection. Search statements differ by filter, so a long
 * day produces many.
 */
const MAX_STATEMENTS = 200

const known = new WeakMap<Database, Map<string, Statement>>()

/**
 * Returns a cached prepared statement of a connection: preparing one takes longer than finding
 * fifty rows with it. The least recently used ones are evicted.
 */
export function prepared(db: Database, sql: string): Statement {
  const statements = known.get(db) ?? new Map<string, Statement>()
  known.set(db, statements)
  const statement = statements.get(sql) ?? db.prepare(sql)
  statements.delete(sql)
  statements.set(sql, statement)
  const [oldest] = statements.keys()
  if (statements.size > MAX_STATEMENTS && oldest !== undefined) statements.delete(oldest)
  return statement
}
