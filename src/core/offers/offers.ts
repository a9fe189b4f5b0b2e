import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'
import type { Contract } from '../../contract/index.ts'
import type { OfferRow } from '../../contract/offers/offers.ts'
import { createAccountScopes, defineFeature } from '../lifecycle/lifecycle.ts'
import type { Scope } from '../lifecycle/lifecycle.ts'
import { createBulkChanges } from './bulk/bulk.ts'
import { createPlanCache } from './bulk/planning/plan.ts'
import { bulkNotice } from './bulk/notice.ts'
import type { PriceLimits } from './bulk/planning/rules.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { changeOffer, createOffer, removeOffer } from './changes/change-offer.ts'
import type { ChangeOptions, DesiredOffer } from './changes/change-offer.ts'
import { createBulkCreation } from './bulk/creation.ts'
import type { OffersContext } from './context.ts'
import { createOfferReads, findOffer } from './list/offer-reads.ts'
import { createOfferSync } from './sync/poll-loops.ts'
import type { OfferAccount } from './sync/poll-loops.ts'
import { createFreshness } from './sync/poll.ts'
import { createOfferPricing } from './changes/pricing.ts'
import { createSavedViews } from './list/saved-views.ts'
import { offersSchemas } from './schema.ts'
import { offerStore } from './store.ts'
import type { OfferStatus } from './store.ts'
import { readCost, writeTerms } from './list/local-terms.ts'
import { createQueuedOfferChanges, isOffline, reasonToQueue } from './changes/queued-changes.ts'
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
    open({ accountId, onEnd }) {
      onEnd(() => plans.forget(accountId))
      return {
        accountId,
        store: offerStore(context.mirrors.database(accountId)),
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

  async function change(
    accountId: string,
    offerId: string,
    wanted: DesiredOffer,
    expectedPriceCents: Cents | null,
    options?: ChangeOptions,
  ): Promise<OfferRow> {
    pricing.announcePrice(accountId, offerId, wanted.priceCents)
    try {
      return await inTurn(accountId, offerId, () =>
        changeOffer(context, sessionOf(accountId), offerId, wanted, expectedPriceCents, options),
      )
    } finally {
      sync.afterChange(accountId)
    }
  }

  async function create(
    accountId: string,
    asked: { productId: string; priceCents: Cents; status: OfferStatus },
  ): Promise<{ created: boolean; offer: OfferRow }> {
    const outcome = await inTurn(accountId, `product ${asked.productId}`, () =>
      createOffer(context, sessionOf(accountId), asked, () => sync.listAgain(accountId)),
    )
    pricing.announcePrice(accountId, outcome.offer.offerId, asked.priceCents)
    sync.afterChange(accountId)
    return outcome
  }

  const waiting = createQueuedOfferChanges({
    context,
    outbox,
    sessionOf,
    refresh: sync.refresh,
    change,
    create,
  })

  const remove = (accountId: string, offerId: string): Promise<{ paused: boolean }> =>
    inTurn(accountId, offerId, () => removeOffer(context, sessionOf(accountId), offerId))
  const plans = createPlanCache()
  const bulks = createBulkChanges({
    context,
    plans,
    sessionOf,
    withQueuedChanges: (accountId, rows) => waiting.withQueuedChanges(accountId, rows),
    limits: (accountId, row) => {
      const limits = limitsOf(accountId, row)
      return {
        floorCents: limits?.floorCents ?? row.costCents,
        ceilingCents: limits?.ceilingCents ?? null,
      }
    },
    onFinished: (accountId, bulk) => context.notices.notify({ accountId, ...bulkNotice(bulk) }),
    work: (accountId) => ({
      inTurn: (offerId, task) => inTurn(accountId, offerId, task),
      announcePrice: (offerId, priceCents) => pricing.announcePrice(accountId, offerId, priceCents),
      refreshList: () => sync.now(accountId),
      create: async (productId, priceCents, status) => {
        const { offer } = await createOffer(
          context,
          sessionOf(accountId),
          { productId, priceCents, status },
          () => sync.listAgain(accountId),
        )
        pricing.announcePrice(accountId, offer.offerId, priceCents)
      },
      withdraw: (withdrawalId, offerId) =>
        withdrawals.withdraw(accountId, withdrawalId, offerId, null),
      remove: (offerId) => remove(accountId, offerId),
    }),
  })
  const creation = createBulkCreation({
    database: (accountId) => sessionOf(accountId).store.db,
    newId: () => context.random.id(),
    guardPercent: () => context.settings.get().priceGuard,
    plans,
    page: bulks.planPage,
    begin: bulks.beginPlan,
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
    async create({
      accountId,
      productId,
      priceCents,
      status = 'active',
    }: Inputs['create']): Promise<Outputs['create']> {
      const asked = { productId, priceCents, status }
      try {
        // Shows whether the service can be reached: if not, the offer is queued.
        await context
          .connection(accountId)
          .call('getSeller', {}, { priority: 'person', quick: true })
        return await create(accountId, asked)
      } catch (error) {
        if (!isOffline(error)) throw error
        waiting.queueNewOffer(accountId, asked)
        return { created: false, offer: null }
      }
    },
    async change({
      accountId,
      offerId,
      priceCents,
      status,
      expectedPriceCents,
    }: Inputs['change']): Promise<OfferRow> {
      const session = sessionOf(accountId)
      const before = findOffer(session, offerId)
      if (priceCents === undefined && status === undefined) return before
      const wanted = { priceCents: priceCents ?? null, status: status ?? null }
      try {
        const row = await change(accountId, offerId, wanted, expectedPriceCents ?? null, {
          quick: true,
        })
        waiting.dropSuperseded(accountId, offerId, wanted)
        return row
      } catch (error) {
        const reason = reasonToQueue(error)
        if (reason === null) throw error
        waiting.queueChange(accountId, before, wanted, reason.lost)
        session.store.endChange(offerId)
        context.changes.notify('offers', accountId, offerId)
        return waiting.withQueuedChanges(accountId, [findOffer(session, offerId)])[0] ?? before
      }
    },
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
