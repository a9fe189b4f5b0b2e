import type { Bulk, BulkKind } from '../../../contract/offers/offer-bulk.ts'
import type { AccountScope } from '../../lifecycle/lifecycle.ts'
import type { OfferSession } from '../changes/offer-session.ts'
import type { OffersContext } from '../context.ts'
import { createBulkJobs } from './bulk-jobs.ts'
import { createRunner, viewBulk } from './runner.ts'
import type { LineActions } from './runner.ts'
import type { BulkStore, StoredBulk } from './store.ts'

/** How often the screen is updated about a running bulk change, in milliseconds. */
const UPDATE_EVERY_MS = 500

type Parts = {
  context: OffersContext
  sessionOf: (accountId: string) => OfferSession
  storeOf: (accountId: string) => BulkStore
  /** How long lines take at the service's limit, in milliseconds; null without a limit. */
  durationOf: (accountId: string, kind: BulkKind, lines: number) => number | null
  work: (accountId: string) => LineActions
  /** Notifies people when a bulk change finishes. */
  onFinished: (accountId: string, bulk: Bulk) => void
  act: (accountId: string, bulkId: string, what: 'pause' | 'resume' | 'cancel') => unknown
}

/** Sends the lines of confirmed bulk changes in the background, one bulk change at a time. */
export function createBulkWork(parts: Parts) {
  const { context, sessionOf, storeOf, work, onFinished: ended } = parts
  /** The background work of the accounts that can work. */
  const ready = new Map<string, AccountScope>()
  const running = new Set<string>()

  const due = new Set<string>()
  function notifySoon(accountId: string): void {
    if (due.has(accountId)) return
    due.add(accountId)
    context.clock.after(UPDATE_EVERY_MS, () => {
      due.delete(accountId)
      context.changes.notify('offers', accountId)
    })
  }

  const showJob = createBulkJobs(parts)

  function wake(accountId: string): void {
    const scope = ready.get(accountId)
    if (scope === undefined || scope.signal.aborted || running.has(accountId)) return
    const store = storeOf(accountId)
    const run = createRunner({
      context,
      session: sessionOf(accountId),
      store,
      work: work(accountId),
      signal: scope.signal,
      told(bulk, isEnd, waits) {
        showJob(accountId, store.find(bulk.bulkId) ?? bulk, waits)
        notifySoon(accountId)
        if (isEnd) ended(accountId, viewBulk(store, bulk))
      },
    })
    running.add(accountId)
    void scope
      .spawn(run())
      .catch((error: unknown) => void context.report('offers bulk', error))
      .finally(() => {
        running.delete(accountId)
        // Work may have been started or resumed, or the account reconnected, while the run finished.
        if (
          ready.get(accountId)?.signal.aborted === false &&
          storeOf(accountId).firstRunning() !== undefined
        )
          wake(accountId)
      })
  }

  return {
    /** Shows a bulk change and sends its lines as soon as the account can. */
    proceed(accountId: string, bulk: StoredBulk): void {
      showJob(accountId, bulk, false)
      context.changes.notify('offers', accountId)
      wake(accountId)
    },
    /** The account is ready for requests until `scope` ends: resumes unfinished bulk changes. */
    start(scope: AccountScope): void {
      const id = scope.accountId
      ready.set(id, scope)
      const store = storeOf(id)
      store.prune()
      for (const bulk of store.all())
        if (bulk.state === 'running' || bulk.state === 'paused') showJob(id, bulk, false)
      wake(id)
    },
  }
}
