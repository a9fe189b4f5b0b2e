import type { Database } from 'better-sqlite3'
import type { Store } from '../../domain/ports/store.ts'

export type Transactions = Pick<Store, 'transaction' | 'savepoint' | 'afterCommit'>

/** How a transaction begins and ends. `savepoint`: inside one that is rolled back later. */
const statements = {
  outermost: { begin: 'BEGIN IMMEDIATE', commit: 'COMMIT', rollback: 'ROLLBACK' },
  savepoint: { begin: 'SAVEPOINT work', commit: 'RELEASE work', rollback: 'ROLLBACK TO work' },
} as const

export type TransactionKind = keyof typeof statements

/**
 * Transactions that take the write lock when they start. A call inside a running transaction joins
 * it. Effects run once the outermost transaction is durable, and are dropped when it is rolled
 * back. `onRollback` is called after each rollback.
 */
export function createTransactions(
  database: Database,
  onRollback: () => void,
  kind: TransactionKind,
): Transactions {
  const begin = database.prepare(statements[kind].begin)
  const commit = database.prepare(statements[kind].commit)
  const rollback = database.prepare(statements[kind].rollback)
  const mark = database.prepare('SAVEPOINT part')
  const release = database.prepare('RELEASE part')
  const rollbackPart = database.prepare('ROLLBACK TO part')
  let effects: (() => void)[] = []
  let running = false

  return {
    transaction(work) {
      if (running) return work()
      begin.run()
      running = true
      let result
      try {
        result = work()
        commit.run()
      } catch (error) {
        effects = []
        if (database.inTransaction) rollback.run()
        onRollback()
        throw error
      } finally {
        running = false
      }
      const due = effects
      effects = []
      for (const effect of due) effect()
      return result
    },
    savepoint(work) {
      if (!running) throw new Error('a savepoint needs a running transaction')
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
      if (running) effects.push(effect)
      else effect()
    },
  }
}
