import type { Database } from 'better-sqlite3'
import { later, longAgo, msSince } from '../clock.ts'
import type { AccountScope } from '../lifecycle/lifecycle.ts'
import type { BatchesContext } from './context.ts'
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

type Parts = { db: Database; files: AccountScope; many?: number }

/**
 * Caches an account's counts of sold and disputed keys by batch and recounts when sales, disputes or
 * imports change. `many`: number of sales and disputes from which an account counts as large.
 */
export function createCountCache(
  { changes, clock, report }: Pick<BatchesContext, 'changes' | 'clock' | 'report'>,
  { db, files: { accountId, signal, spawn, each }, many = MANY }: Parts,
) {
  let counting: Promise<Counted> | null = null
  let last: Counted | null = null
  let isStale = true
  let notBefore = longAgo

  async function rest(): Promise<void> {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    signal.throwIfAborted()
  }

  async function recount(): Promise<Counted> {
    isStale = false
    const began = clock.monotonic()
    const before = last
    try {
      last = await countBatches(db, rest)
      notBefore = later(clock.monotonic(), msSince(clock, began) / SHARE)
      if (before !== null && before.rows >= many && !areEqual(before, last))
        changes.notify('imports', accountId, COUNTED)
      return last
    } catch (error) {
      isStale = true
      throw error
    } finally {
      counting = null
    }
  }
  const count = (): Promise<Counted> => (counting ??= spawn(recount()))

  const reportFailed = (error: unknown): void => {
    if (!signal.aborted) report('batches', error)
  }

  each(changes.listen(signal), (change) => {
    const { topic, id } = change
    if ((topic !== 'sales' && topic !== 'disputes' && topic !== 'imports') || id === COUNTED) return
    if (change.accountId !== null && change.accountId !== accountId) return
    // A new message in a dispute changes no count, but a new status does, so only this dispute is
    // recounted.
    if (topic === 'disputes' && id !== null && last !== null && counting === null)
      recountDispute(db, last, id)
    else isStale = true
  })

  return {
    /** Current counts of a small account; the latest available counts of a large one. */
    async read(): Promise<Counted> {
      if (!isStale && last !== null) return last
      if (last === null || last.rows < many) return count()
      if (clock.monotonic() >= notBefore) count().catch(reportFailed)
      return last
    },
  }
}
export type CountCache = ReturnType<typeof createCountCache>
