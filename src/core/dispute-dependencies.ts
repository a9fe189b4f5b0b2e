import type { Balance } from './balance/balance.ts'
import type { Batches } from './batches/batches.ts'
import { createDisputes, disputesSchemas } from './disputes/disputes.ts'
import type { DisputeDependencies, DisputesContext } from './disputes/disputes.ts'
import { Failure, failure, nullIfNotFound } from './failure.ts'
import { defineFeature } from './lifecycle/lifecycle.ts'
import type { Offers } from './offers/offers.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Dashboard } from './sandbox/sandbox.ts'

type Needs = {
  outbox: Outbox
  offers: Offers
  balance: Balance
  batches: Batches
  dashboard: Dashboard
}

/**
 * The dependencies of disputes on other features: offers, balance, batches, and the sandbox's
 * customers.
 */
function createDisputeDependencies(
  context: Pick<DisputesContext, 'accounts' | 'report'>,
  { offers, balance, batches, dashboard }: Needs,
): DisputeDependencies {
  return {
    offer(accountId, offerId) {
      try {
        const { status, stock, priceCents } = offers.offer({ accountId, offerId })
        return { offerId, status, stock, priceCents }
      } catch (error) {
        return nullIfNotFound(error)
      }
    },
    offersChanged: (accountId) =>
      void offers
        .syncNow(accountId)
        .catch((error: unknown) => context.report('offers after a dispute', error)),
    balance: (accountId) => balance.now({ accountId }).reading,
    origin: batches.ofSold,
    batchesOfSold: batches.batchesOfSold,
    uploadedKeyHint: batches.hintOf,
    vaultKeyHint: offers.withdrawals.holding,
    batch: batches.summary,
    disputedBatches: batches.claimed,
    async createTestDisputes(accountId, units, claims) {
      if (!dashboard.serves(context.accounts.get(accountId).baseUrl))
        throw failure(
          'NOT_A_SANDBOX',
          'Test disputes can only be created in this computer’s sandbox.',
          'Switch to the demo seller.',
          { effect: 'Nothing was changed.' },
        )
      let made = 0
      for (const { orderId, keyId } of units) {
        if (made === claims) break
        try {
          await dashboard.call('complain', { body: { orderId, keyId } })
          made += 1
        } catch (error) {
          // This key already has a claim or can no longer be claimed: try the next one.
          if (
            !(error instanceof Failure) ||
            error.problem.status === null ||
            error.problem.status >= 500
          )
            throw error
        }
      }
      return made
    },
  }
}

export const disputesFeature = defineFeature({
  name: 'disputes',
  schemas: disputesSchemas,
  start: (context: DisputesContext, needs: Needs, scope) =>
    createDisputes(
      context,
      { outbox: needs.outbox, dependencies: createDisputeDependencies(context, needs) },
      scope,
    ),
  duty: (disputes, { id, role }) =>
    role === 'seller' && disputes.hasOpenReplies(id) ? 'soon' : null,
  facts: (disputes, { id, role }) => (role === 'seller' ? disputes.facts(id) : {}),
})
