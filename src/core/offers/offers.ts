import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'
import type { Contract } from '../../contract/index.ts'
import type { OfferRow } from '../../contract/offers/offers.ts'
import { createAccountScopes, defineFeature } from '../lifecycle/lifecycle.ts'
import type { Scope } from '../lifecycle/lifecycle.ts'
import { createFlights } from '../journaled-send/journaled-send.ts'
import { createPlanCache } from './bulk/planning/plan.ts'
import { createOfferBulks } from './bulk/offer-bulks.ts'
import { unsettledLines } from './bulk/sending.ts'
import { bulkStore } from './bulk/store.ts'
import type { PriceLimits } from './bulk/planning/rules.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { removeOffer } from './changes/change-offer.ts'
import { createOfferRequests } from './changes/offer-requests.ts'
import { effectOf } from './changes/patch-offer.ts'
import type { OffersContext } from './context.ts'
import { createOfferReads, findOffer } from './list/offer-reads.ts'
import { createOfferSync } from './sync/poll-loops.ts'
import type { OfferAccount } from './sync/poll-loops.ts'
import { createFreshness } from './sync/poll.ts'
import { createOfferPricing } from './changes/pricing.ts'
import { unsettledChanges } from './changes/queued-changes.ts'
import { createSavedViews } from './list/saved-views.ts'
import { offersSchemas } from './schema.ts'
import { offerStore } from './store.ts'
import { readCost, writeTerms } from './list/local-terms.ts'
import { createWithdrawals } from './withdrawals/withdrawals.ts'

export { writeTerms } from './list/local-terms.ts'
export { offersSchemas } from './schema.ts'

type Inputs = InferContractRouterInputs<Contract['offers']>
type Outputs = InferContractRouterOutputs<Contract['offers']>

/** A response arrived at most this long after its request. */
const RESPONSE_MS = 5000

/** The stock of an offer as last read, and when; null if the offer isn't mirrored. */
export function readStock(
  db: Database,
  offerId: string,
): { stock: number; askedAt: number; seenAt: number; serviceAhead: number } | null {
  const row = offerStore(db).find(offerId)
  if (row === undefined) return null
  const { stock, asked_at: askedAt, seen_at: seenAt, service_ahead: serviceAhead } = row
  return { stock, askedAt: askedAt ?? seenAt - RESPONSE_MS, seenAt, serviceAhead }
}

/** The name and the entered cost of an offer; null if it isn't mirrored. */
export function readOfferCost(
  db: Database,
  offerId: string,
): {
  name: string
  platform: string
  region: string
  deliveryType: string
  costCents: Cents | null
} | null {
  const row = offerStore(db).find(offerId)
  if (row === undefined) return null
  const { name, platform, region, delivery_type: deliveryType } = row
  return { name, platform, region, deliveryType, costCents: readCost(db, offerId) }
}

type Needs = {
  outbox: Outbox
  priceRules: {
    /**
     * An offer's price limits, its own included; null if none is known. Without a floor, its cost is
     * the floor of bulk changes.
     */
    limitsOf(accountId: string, row: OfferRow): PriceLimits | null
  }
}

/** A seller account's offers: polled, edited in place, and never sent twice without checking. */
function createOffers(
  context: OffersContext,
  { outbox, priceRules: { limitsOf } }: Needs,
  scope: Scope,
) {
  const accounts = createAccountScopes<OfferAccount>(context, scope, {
    role: 'seller',
    otherRole: ['A partner account has no offers.', 'Choose a seller account.'],
    open({ accountId, onEnd, signal }) {
      onEnd(() => plans.forget(accountId))
      const store = offerStore(context.mirrors.database(accountId))
      const flights = createFlights(context.clock)
      for (const change of store.openChanges()) flights.meet(change.offerId, effectOf(change))
      for (const { id, wanted } of [
        ...unsettledChanges(outbox, accountId),
        ...unsettledLines(bulkStore(store.db)),
      ])
        flights.meet(id, effectOf(wanted))
      return {
        accountId,
        store,
        flights,
        delayed: new Map(),
        signal,
        fresh: createFreshness({
          now: () => context.clock.now(),
          serviceAhead: () => context.accounts.serviceNow(accountId) - context.clock.now(),
        }),
        pollLoop: null,
      }
    },
    start(account, work) {
      sync.start(account, work)
      bulks.start(work)
    },
  })
  const sessionOf = accounts.of
  /** Runs the changes of one offer one after the other. */
  const inTurn = <T>(accountId: string, offerId: string, task: () => Promise<T>): Promise<T> =>
    accounts.scope(accountId).serial(offerId, task)

  context.accounts.onSyncNow((accountId) => void sync.now(accountId))

  const withdrawals = createWithdrawals({ context, sessionOf, inTurn })
  const sync = createOfferSync({
    context,
    opened: accounts.opened,
    sessionOf,
    inTurn,
    settleWithdrawals: withdrawals.settleOpen,
  })
  const pricing = createOfferPricing({
    context,
    sessionOf,
    inTurn,
    syncNow: async (accountId) => void (await sync.now(accountId)),
  })

  const { waiting, ...requests } = createOfferRequests({
    context,
    outbox,
    sessionOf,
    inTurn,
    sync,
    pricing,
  })
  const remove = (accountId: string, offerId: string): Promise<{ paused: boolean }> =>
    inTurn(accountId, offerId, () => removeOffer(context, sessionOf(accountId), offerId))
  const plans = createPlanCache()
  const { bulks, creation } = createOfferBulks({
    context,
    plans,
    sessionOf,
    inTurn,
    withQueuedChanges: (accountId, rows) => waiting.withQueuedChanges(accountId, rows),
    limitsOf,
    pricing,
    sync,
    withdraw: withdrawals.withdraw,
    remove,
  })
  const database = (accountId: string) => sessionOf(accountId).store.db
  const reads = createOfferReads({
    context,
    sessionOf,
    withQueuedChanges: (accountId, rows) => waiting.withQueuedChanges(accountId, rows),
    limitsOf,
  })

  function changeTerms(
    accountId: string,
    changes: Parameters<typeof writeTerms>[1],
  ): Outputs['setTerms'] {
    const before = writeTerms(database(accountId), changes, context.clock.now())
    if (before.length > 0) context.changes.notify('offers', accountId)
    return { changed: before.length, before }
  }

  return {
    ...reads,
    ...requests,
    pricing,
    outboxHandlers: waiting.outboxHandlers,
    bulks,
    creation,
    withdrawals,
    /** What a unit of the offer cost the seller, in cents; null if not entered. */
    costOf: (accountId: string, offerId: string): Cents | null =>
      readCost(database(accountId), offerId),
    setTerms: ({ accountId, offerIds, ...change }: Inputs['setTerms']): Outputs['setTerms'] =>
      changeTerms(
        accountId,
        offerIds.map((offerId) => ({ offerId, change })),
      ),
    restoreTerms: ({ accountId, terms }: Inputs['restoreTerms']): Outputs['restoreTerms'] =>
      changeTerms(
        accountId,
        terms.map(({ offerId, ...change }) => ({ offerId, change })),
      ),
    savedViews: createSavedViews(context, database),
    async remove({ accountId, offerId }: Inputs['remove']): Promise<Outputs['remove']> {
      const session = sessionOf(accountId)
      findOffer(session, offerId)
      const outcome = await remove(accountId, offerId)
      sync.afterChange(accountId)
      return outcome
    },
    /**
     * Reads the offers as soon as the rate limit allows. Resolves when that has finished,
     * successfully or not.
     */
    async syncNow(accountId: string): Promise<void> {
      await sync.now(accountId)
    },
    /** Whether the seller's list of offers was read completely at least once. */
    isListed: (accountId: string): boolean => sessionOf(accountId).store.sync().lastAt !== null,
  }
}
export type Offers = ReturnType<typeof createOffers>

export const offersFeature = defineFeature({
  name: 'offers',
  schemas: offersSchemas,
  start: createOffers,
  facts: (offers, { id, role }) => (role === 'seller' ? offers.facts(id) : {}),
})
