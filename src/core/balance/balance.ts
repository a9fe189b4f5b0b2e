import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { AnswerBody } from '../../../server/api/handlers.ts'
import type { Contract } from '../../contract/index.ts'
import type { CoreContext } from '../context.ts'
import { failure } from '../failure.ts'
import { watchSellers } from '../polling/polling.ts'
import { balanceStore } from './store.ts'
import type { BalanceStore, Reading, Release } from './store.ts'

export { balanceSchemas } from './schema.ts'

type Inputs = InferContractRouterInputs<Contract['balance']>
type Outputs = InferContractRouterOutputs<Contract['balance']>

/** The most readings in one answer: more than any chart has points. */
const MOST_READINGS = 1000

/**
 * Seller accounts: what is pending and available, released when, and how that went on this desk.
 */
export function createBalance(context: CoreContext) {
  const storeOf = (accountId: string): BalanceStore => {
    if (context.accounts.get(accountId).role !== 'seller')
      throw failure(
        'NOT_FOUND',
        'This is the balance of a seller; a partner’s stands in the status bar.',
        'Choose a seller account.',
      )
    return balanceStore(context.mirrors.database(accountId))
  }
  const watch = watchSellers(context, 'balance', async (accountId, line, signal) => {
    const answer = await line.call('getSellerBalance', {}, { priority: 'watch', signal })
    signal.throwIfAborted()
    const changed = storeOf(accountId).put(
      readingOf(answer, context.clock.now()),
      answer.currency ?? null,
      releasesOf(answer),
    )
    if (changed) context.changes.notify('balance', accountId)
    return changed
  })
  context.accounts.describe(({ id, role }) =>
    role === 'seller' ? { lastSyncAt: storeOf(id).readAt() } : {},
  )
  const look = (accountId: string): BalanceStore => {
    const store = storeOf(accountId)
    context.attention.markViewed(accountId, 'balance')
    return store
  }

  return {
    now: ({ accountId }: Inputs['now']): Outputs['now'] => look(accountId).now(),
    history({ accountId, from, to }: Inputs['history']): Outputs['history'] {
      const { readings, keptSince } = look(accountId).history(from, to)
      return { readings: thinned(readings), keptSince }
    },
    syncNow: watch.syncNow,
    close: watch.close,
  }
}
export type Balance = ReturnType<typeof createBalance>

/** Nothing of the answer is certain (Decision 33). */
const readingOf = (answer: AnswerBody<'getSellerBalance'>, at: number): Reading => ({
  at,
  pendingCents: answer.pending ?? null,
  availableCents: answer.available ?? null,
})

/** Days that aren't told with their amount are left out. */
const releasesOf = (answer: AnswerBody<'getSellerBalance'>): Release[] =>
  (answer.upcomingReleases ?? [])
    .flatMap(({ date, amount, sales }) =>
      date === undefined || amount === undefined
        ? []
        : [{ date, cents: amount, sales: sales ?? null }],
    )
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))

/** Every so many readings and always the last one. */
function thinned(readings: Reading[]): Reading[] {
  if (readings.length <= MOST_READINGS) return readings
  const every = Math.ceil(readings.length / (MOST_READINGS - 1))
  return readings.filter((_, at) => at % every === 0 || at === readings.length - 1)
}
