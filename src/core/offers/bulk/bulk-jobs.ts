import type { BulkKind } from '../../../contract/offers/offer-bulk.ts'
import type { OffersContext } from '../context.ts'
import { createPace } from './pace.ts'
import type { Pace } from './pace.ts'
import type { BulkStore, StoredBulk } from './store.ts'

type Parts = {
  context: OffersContext
  storeOf: (accountId: string) => BulkStore
  /** How long lines take at the service's limit, in milliseconds; null without a limit. */
  durationOf: (accountId: string, kind: BulkKind, lines: number) => number | null
  act: (accountId: string, bulkId: string, what: 'pause' | 'resume' | 'cancel') => unknown
}

const JOB_TITLES: Readonly<Record<BulkKind, string>> = {
  price: 'Prices',
  status: 'Offers',
  withdraw: 'Withdraw',
  close: 'Close offers',
  create: 'New offers',
}

/**
 * Shows bulk changes in the list of running work, with the time left.
 *
 * @returns Shows the current state of a bulk change. `waits`: for the service or the vault.
 */
export function createBulkJobs({ context, storeOf, durationOf, act }: Parts) {
  const paces = new Map<string, Pace>()
  return function showJob(accountId: string, bulk: StoredBulk, waits: boolean): void {
    const jobId = `offers:${bulk.bulkId}`
    if (bulk.state !== 'running' && bulk.state !== 'paused')
      return void (paces.delete(jobId), context.jobs.end(jobId))
    const counts = storeOf(accountId).counts(bulk.number)
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const left = counts.waiting + counts.sending
    const pace = paces.get(jobId) ?? createPace()
    paces.set(jobId, pace)
    if (bulk.state !== 'running' || waits) pace.reset()
    const atLimit = durationOf(accountId, bulk.kind, left)
    const leftMs =
      bulk.state === 'running' ? pace.leftMs(context.clock.monotonic(), left, atLimit) : null
    context.jobs.set(
      {
        id: jobId,
        kind: 'offer-changes',
        accountId,
        title: JOB_TITLES[bulk.kind],
        state: bulk.state === 'paused' ? 'paused' : waits ? 'waiting' : 'running',
        done: total - left,
        total,
        leftMs,
      },
      {
        pause: () => void act(accountId, bulk.bulkId, 'pause'),
        resume: () => void act(accountId, bulk.bulkId, 'resume'),
        cancel: () => void act(accountId, bulk.bulkId, 'cancel'),
      },
    )
  }
}
