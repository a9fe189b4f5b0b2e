import type { Database } from 'better-sqlite3'
import type { CoreContext } from '../context.ts'
import { areEqual, countBatches, recountDispute } from './counting.ts'
import type { Counted } from './counting.ts'

/**
 * From this many sales and disputes on, callers get the last count while a recount runs in the
 * background.
 */
const MANY = 5000
/** Upper limit for the share of time spent on recounting. */
const SHARE = 0.05
/** The id of the change that reports a new count; it must not trigger another count. */
const COUNTED = 'counts'

type Parts = Pick<CoreContext, 'changes' | 'clock' | 'report'> & {
  accounts: Pick<CoreContext['accounts'], 'onRelease'>
}
type Kept = {
  counting: Promise<Counted> | null
  last: Counted | null
  stale: boolean
  notBefore: number
}

/**
 * Caches the counts of sold and disputed keys by batch and recounts when sales, disputes or imports
 * change. `many`: number of sales and disputes from which an account counts as large.
 */
export function createCountCache(
  context: Parts,
  dbOf: (accountId: string) => Database,
  signal: AbortSignal,
  many = MANY,
) {
  const kept = new Map<string, Kept>()
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(resolve)
    })
  const keptOf = (accountId: string): Kept => {
    const found = kept.get(accountId) ?? { counting: null, last: null, stale: true, notBefore: 0 }
    kept.set(accountId, found)
    return found
  }
  function count(accountId: string, each: Kept): Promise<Counted> {
    if (each.counting !== null) return each.counting
    each.stale = false
    const began = context.clock.now()
    const before = each.last
    const counting = countBatches(dbOf(accountId), rest)
      .then(
        (counted) => {
          each.last = counted
          each.notBefore = context.clock.now() + (context.clock.now() - began) / SHARE
          if (before !== null && before.rows >= many && !areEqual(before, counted))
            context.changes.notify('imports', accountId, COUNTED)
          return counted
        },
        (error: unknown) => {
          each.stale = true
          throw error
        },
      )
      .finally(() => {
        each.counting = null
      })
    each.counting = counting
    return counting
  }

  void (async () => {
    for await (const { topic, accountId, id } of context.changes.listen(signal)) {
      if ((topic !== 'sales' && topic !== 'disputes' && topic !== 'imports') || id === COUNTED)
        continue
      for (const [account, each] of kept) {
        if (accountId !== null && account !== accountId) continue
        // A new message in a dispute changes no count, but a new status does, so only this dispute
        // is recounted.
        if (topic === 'disputes' && id !== null && each.last !== null && each.counting === null)
          recountDispute(dbOf(account), each.last, id)
        else each.stale = true
      }
    }
  })().catch((error: unknown) => context.report('batches', error))
  context.accounts.onRelease((accountId) => void kept.delete(accountId))

  return {
    /** Current counts of a small account; the latest available counts of a large one. */
    async of(accountId: string): Promise<Counted> {
      const each = keptOf(accountId)
      if (!each.stale && each.last !== null) return each.last
      if (each.last === null || each.last.rows < many) return count(accountId, each)
      if (context.clock.now() >= each.notBefore)
        count(accountId, each).catch((error: unknown) => context.report('batches', error))
      return each.last
    },
  }
}
