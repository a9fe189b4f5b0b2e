import type { Database } from 'better-sqlite3'
import type { CoreContext } from '../context.ts'
import { areSame, countBatches, recountClaim } from './counting.ts'
import type { Counted } from './counting.ts'

/**
 * From so many sales and claims on nobody waits for a count: the last one is told, and counted anew
 * behind it.
 */
const MANY = 5000
/** Of the time at most this part is spent on counting anew. */
const SHARE = 0.05
/** What tells that a count came out otherwise; changes of it are no reason to count. */
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
 * Counts of sold and claimed keys by batch: kept, and counted anew when sales, claims or imports
 * change. `many`: of a large desk, in sales and claims.
 */
export function keepCounts(
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
          if (before !== null && before.rows >= many && !areSame(before, counted))
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
        // One dispute changed: what is written in it changes no count, how it stands does.
        if (topic === 'disputes' && id !== null && each.last !== null && each.counting === null)
          recountClaim(dbOf(account), each.last, id)
        else each.stale = true
      }
    }
  })().catch((error: unknown) => context.report('batches', error))
  context.accounts.onRelease((accountId) => void kept.delete(accountId))

  return {
    /** Of a small desk as they are now; of a large one as they were counted last. */
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
