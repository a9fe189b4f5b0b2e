import { reachCrashPoint } from '../crash-points.ts'
import type { Repositories } from '../ports/repositories.ts'

/** Most work in one transaction. More would keep other requests waiting. */
const MAX_GROUP = 64

export interface GroupCommit {
  /**
   * Runs `work` in a transaction shared with everything else that arrives in the same turn of the
   * event loop. Resolves with the result once it is durable. When `work` throws, its effects are
   * rolled back and the others are unaffected.
   */
  run<T>(work: () => T): Promise<T>
}

/**
 * One disk sync for many requests instead of one each, because a durable commit costs more than
 * everything an order writes.
 */
export function createGroupCommit(store: Repositories): GroupCommit {
  const queue: { perform: () => () => void; fail: (reason: unknown) => void }[] = []

  function flush(): void {
    const group = queue.splice(0, MAX_GROUP)
    if (queue.length > 0) setImmediate(flush)
    try {
      const settle = store.transaction(() => {
        const done = group.map(({ perform }) => perform())
        reachCrashPoint('orders.grouped')
        return done
      })
      reachCrashPoint('orders.committed')
      for (const answer of settle) answer()
    } catch (error) {
      for (const { fail } of group) fail(error)
    }
  }

  return {
    run: (work) =>
      new Promise((resolve, fail) => {
        const perform = () => {
          try {
            const value = store.savepoint(work)
            return () => resolve(value)
          } catch (error) {
            return () => fail(error)
          }
        }
        queue.push({ perform, fail })
        if (queue.length === 1) setImmediate(flush)
      }),
  }
}
