import type { Database } from 'better-sqlite3'
import type { Store } from '../../domain/ports/store.ts'

export type Transactions = Pick<Store, 'transaction' | 'savepoint' | 'afterCommit'>

/**
 * Transactions that take the write lock when they start. A call inside a running transaction joins
 * it. Effects run once the outermost transaction is durable, and are dropped when it is rolled
 * back. `onRollback` is called after each rollback.
 */
export function createTransactions(database: Database, onRollback: () => void): Transactions {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  const mark = database.prepare('SAVEPOINT part')
  const release = database.prepare('RELEASE part')
  const rollbackPart = database.prepare('ROLLBACK TO part')
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
        onRollback()
        throw error
      }
      const due = effects
      effects = []
      for (const effect of due) effect()
      return result
    },
    savepoint(work) {
      if (!database.inTransaction) throw new Error('a savepoint needs a running transaction')
      const before = effects.length
      mark.run()
      try {
        const result = work()
        release.run()
        return result
      } catch (error) {
        effects.length = before
        rollbackPart.run()
        release.run()
        onRollback()
        throw error
      }
    },
    afterCommit(effect) {
      if (database.inTransaction) effects.push(effect)
      else effect()
    },
  }
}
