import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { ResponseBody } from '../../../server/api/handlers.ts'
import type { Contract } from '../../contract/index.ts'
import type { ConnectionFacts, CoreContext } from '../context.ts'
import { defineFeature } from '../lifecycle/lifecycle.ts'
import type { Scope } from '../lifecycle/lifecycle.ts'
import { pollSellers } from '../polling/polling.ts'
import { balanceSchemas } from './schema.ts'
import { balanceStore } from './store.ts'
import type { BalanceStore, Reading, Release } from './store.ts'

export { balanceSchemas } from './schema.ts'

type BalanceContext = Pick<
  CoreContext,
  | 'clock'
  | 'random'
  | 'changes'
  | 'accounts'
  | 'mirrors'
  | 'settings'
  | 'attention'
  | 'connection'
  | 'report'
>

type Inputs = InferContractRouterInputs<Contract['balance']>
type Outputs = InferContractRouterOutputs<Contract['balance']>

/** Maximum number of readings in one response: more than the points of any chart. */
const MOST_READINGS = 1000

/**
 * Balances of seller accounts: pending and available amounts, upcoming releases, and the history on
 * this computer.
 */
function createBalance(context: BalanceContext, _needs: unknown, scope: Scope) {
  const { of: storeOf, syncNow } = pollSellers<BalanceStore>(context, scope, {
    topic: 'balance',
    otherRole: [
      'This is a seller’s balance. A partner’s balance is in the status bar.',
      'Choose a seller account.',
    ],
    open: ({ accountId }) => balanceStore(context.mirrors.database(accountId)),
    async read(store, accountId, connection, signal) {
      const answer = await connection.call('getSellerBalance', {}, { priority: 'watch', signal })
      signal.throwIfAborted()
      const changed = store.put(
        readingOf(answer, context.accounts.serviceNow(accountId)),
        answer.currency ?? null,
        releasesOf(answer),
        context.clock.now(),
      )
      if (changed) context.changes.notify('balance', accountId)
      return changed
    },
  })
  const viewed = (accountId: string): BalanceStore => {
    const store = storeOf(accountId)
    context.attention.markViewed(accountId, 'balance')
    return store
  }

  return {
    now: ({ accountId }: Inputs['now']): Outputs['now'] => viewed(accountId).now(),
    history({ accountId, from, to }: Inputs['history']): Outputs['history'] {
      const { readings, keptSince } = viewed(accountId).history(from, to)
      return { readings: thinned(readings), keptSince }
    },
    syncNow,
    facts: (accountId: string): ConnectionFacts => ({
      synced: { balance: storeOf(accountId).readAt() },
    }),
  }
}
export type Balance = ReturnType<typeof createBalance>

export const balanceFeature = defineFeature({
  name: 'balance',
  schemas: balanceSchemas,
  start: createBalance,
  facts: (balance, { id, role }) => (role === 'seller' ? balance.facts(id) : {}),
})

/** Any field of the response may be missing (Decision 33). */
const readingOf = (answer: ResponseBody<'getSellerBalance'>, at: number): Reading => ({
  at,
  pendingCents: answer.pending ?? null,
  availableCents: answer.available ?? null,
})

/** Days without an amount are left out. */
const releasesOf = (answer: ResponseBody<'getSellerBalance'>): Release[] =>
  (answer.upcomingReleases ?? [])
    .flatMap(({ date, amount, sales }) =>
      date === undefined || amount === undefined
        ? []
        : [{ date, cents: amount, sales: sales ?? null }],
    )
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))

/** Takes readings at regular intervals, and always the last one. */
function thinned(readings: Reading[]): Reading[] {
  if (readings.length <= MOST_READINGS) return readings
  const every = Math.ceil(readings.length / (MOST_READINGS - 1))
  return readings.filter((_, at) => at % every === 0 || at === readings.length - 1)
}
