import { reachCrashPoint } from '../crash-points.ts'
import type { Store } from '../ports/store.ts'

/** Work in one transaction at most; more would keep other requests waiting. */
const MOST = 64

export interface GroupCommit {
  /**
   * Runs `work` in a transaction that it shares with whatever else arrives in the same turn of the
   * event loop, and gives its result once that is durable. When it throws, nothing of it happened,
   * and nothing befalls the others.
   */
  run<T>(work: () => T): Promise<T>
}

/**
 * One wait for the disk for many requests, instead of one each: a durable commit costs more than
 * all an order writes.
 */
export function createGroupCommit(store: Store): GroupCommit {
  const queue: { perform: () => () => void; fail: (reason: unknown) => void }[] = []

  function flush(): void {
    const group = queue.splice(0, MOST)
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
