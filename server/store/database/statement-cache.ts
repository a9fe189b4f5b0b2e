import type { Database, Statement } from 'better-sqlite3'

export type Values = Record<string, string | number>

/** A function that prepares each SQL text once, for queries that are built from a filter. */
export function createStatementCache(
  database: Database,
): (sql: string) => Statement<[Values], unknown> {
  const statements = new Map<string, Statement<[Values], unknown>>()
  return (sql) => {
    let statement = statements.get(sql)
    if (!statement) {
      statement = database.prepare<[Values], unknown>(sql)
      statements.set(sql, statement)
    }
    return statement
  }
}
