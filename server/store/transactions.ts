import type { Database } from 'better-sqlite3'

export interface Transactions {
  transaction<T>(work: () => T): T
  afterCommit(effect: () => void): void
}

/**
 * Transactions that take the write lock at once. A call inside a running transaction belongs to it; effects run
 * after the outermost one is durable, and are forgotten when it is rolled back.
 */
export function createTransactions(database: Database): Transactions {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  let effects: (() => void)[] = []

  return {
    transaction(work) {
      if (database.inTransaction) return work()
      begin.run()
      let result
      try {
        result = work()
        commit.run()
      } catch (error) {
        effects = []
        if (database.inTransaction) rollback.run()
        throw error
      }
      const due = effects
      effects = []
      for (const effect of due) effect()
      return result
    },
    afterCommit(effect) {
      if (database.inTransaction) effects.push(effect)
      else effect()
    },
  }
}
