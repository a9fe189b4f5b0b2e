import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { Withdrawal } from '../../../contract/offers/withdrawals.ts'
import { failure } from '../../failure.ts'
import type { OfferSession } from '../changes/offer-session.ts'
import { createEmitter } from '../../lifecycle/lifecycle.ts'
import type { OffersContext } from '../context.ts'
import { canRepeat, createKeyRequests } from './key-requests.ts'
import type { KeptListener } from './key-requests.ts'
import { readOffer } from '../list/offer-rows.ts'
import { createWithdrawalRun } from './withdrawal-run.ts'
import { requireWithdrawal, withdrawalStore } from './withdrawal-store.ts'
import type { WithdrawalStore } from './withdrawal-store.ts'
import { createWithdrawnKeys } from './withdrawn-keys.ts'

type Inputs = InferContractRouterInputs<Contract['offers']['withdrawals']>
type Outputs = InferContractRouterOutputs<Contract['offers']['withdrawals']>

type Parts = {
  context: OffersContext
  sessionOf: (accountId: string) => OfferSession
  inTurn: <T>(accountId: string, offerId: string, task: () => Promise<T>) => Promise<T>
}

/**
 * Withdraws keys from the service (Decision 29). The service returns them only once: each request
 * is journaled with its Idempotency-Key before it is sent, its keys are encrypted in the
 * transaction that settles it, and only then is anything shown.
 */
export function createWithdrawals({ context, sessionOf, inTurn }: Parts) {
  const kept = createEmitter<Parameters<KeptListener>>()
  const storeOf = (accountId: string): WithdrawalStore =>
    withdrawalStore(sessionOf(accountId).store.db)
  const requests = createKeyRequests({
    context,
    sessionOf,
    onKept: kept.emit,
  })
  const { withdraw, settleInterrupted } = createWithdrawalRun({
    context,
    sessionOf,
    inTurn,
    requests,
  })

  return {
    withdraw,
    ...createWithdrawnKeys(context, sessionOf),
    /**
     * Registers a listener for keys that left an offer. It runs inside the transaction that saves
     * them in the vault.
     */
    onKept: kept.listen,
    async begin({
      accountId,
      offerId,
      count,
      expectedStock,
      typed = null,
    }: Inputs['withdraw']): Promise<Withdrawal> {
      const row = readOffer(sessionOf(accountId).store.db, offerId)
      if (row !== undefined && row.stock !== expectedStock)
        throw failure(
          'CHANGED_MEANWHILE',
          `The offer now has ${row.stock} keys.`,
          'Check it, then confirm again.',
          { effect: 'No keys moved.' },
        )
      const keys = count ?? expectedStock
      if (context.accounts.get(accountId).mode === 'live' && typed?.trim() !== String(keys))
        throw failure(
          'INVALID_INPUT',
          `Type ${keys} to withdraw.`,
          'Withdrawing live keys needs the exact number of keys.',
          { effect: 'No keys moved.' },
        )
      return withdraw(accountId, context.random.id(), offerId, count)
    },
    /** Repeats withdrawals whose response is missing, with the same Idempotency-Key. */
    async settleOpen(accountId: string): Promise<void> {
      for (const open of storeOf(accountId).open()) {
        const { withdrawalId, offerId, pieceKey } = open
        const isRepeatable = pieceKey === null || canRepeat(context.clock, open)
        if (isRepeatable && context.accounts.acceptsIdempotencyKeys(accountId)) {
          await withdraw(accountId, withdrawalId, offerId, null).catch(() => {
            // The vault is locked or the service is unreachable: the next sync pass tries again.
          })
          continue
        }
        // The same Idempotency-Key returns the keys once the service takes it again.
        if (pieceKey !== null && isRepeatable) continue
        // Runs in the offer's turn, because a running withdrawal settles itself.
        await inTurn(accountId, offerId, async () => {
          if (requireWithdrawal(storeOf(accountId), withdrawalId).state === 'sending')
            settleInterrupted(accountId, withdrawalId)
        })
      }
    },
    list: ({ accountId, offerId = null }: Inputs['list']): Outputs['list'] =>
      storeOf(accountId).list(offerId).map(storeOf(accountId).view),
  }
}
export type Withdrawals = ReturnType<typeof createWithdrawals>
