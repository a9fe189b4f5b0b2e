import type { OfferRow } from '../../../contract/offers/offers.ts'
import { createOffer } from '../changes/change-offer.ts'
import type { OfferSession } from '../changes/offer-session.ts'
import type { OfferPricing } from '../changes/pricing.ts'
import type { OffersContext } from '../context.ts'
import type { OfferSync } from '../sync/poll-loops.ts'
import type { Withdrawals } from '../withdrawals/withdrawals.ts'
import { createBulkChanges } from './bulk.ts'
import { createBulkCreation } from './creation.ts'
import { bulkNotice } from './notice.ts'
import type { PlanCache } from './planning/plan.ts'
import type { PriceLimits } from './planning/rules.ts'
import type { LineActions } from './runner.ts'

type OfferBulkParts = {
  context: OffersContext
  plans: PlanCache
  sessionOf: (accountId: string) => OfferSession
  inTurn: <T>(accountId: string, offerId: string, task: () => Promise<T>) => Promise<T>
  withQueuedChanges: (accountId: string, rows: OfferRow[]) => OfferRow[]
  limitsOf: (accountId: string, row: OfferRow) => PriceLimits | null
  pricing: Pick<OfferPricing, 'announcePrice'>
  sync: Pick<OfferSync, 'now' | 'listAgain'>
  withdraw: Withdrawals['withdraw']
  remove: (accountId: string, offerId: string) => Promise<{ paused: boolean }>
}

/** Bulk changes of offers and the creation of many offers. */
export function createOfferBulks(parts: OfferBulkParts) {
  const { context, plans, sessionOf, limitsOf } = parts
  const bulks = createBulkChanges({
    context,
    plans,
    sessionOf,
    withQueuedChanges: parts.withQueuedChanges,
    limits: (accountId, row) => {
      const limits = limitsOf(accountId, row)
      return {
        floorCents: limits?.floorCents ?? row.costCents,
        ceilingCents: limits?.ceilingCents ?? null,
      }
    },
    onFinished: (accountId, bulk) => context.notices.notify({ accountId, ...bulkNotice(bulk) }),
    work: (accountId) => lineActions(parts, accountId),
  })
  const creation = createBulkCreation({
    database: (accountId) => sessionOf(accountId).store.db,
    newId: () => context.random.id(),
    guardPercent: () => context.settings.get().priceGuard,
    plans,
    page: bulks.planPage,
    begin: bulks.beginPlan,
  })
  return { bulks, creation }
}

/** How the lines of a bulk change act on single offers of the account. */
function lineActions(
  { context, sessionOf, inTurn, pricing, sync, withdraw, remove }: OfferBulkParts,
  accountId: string,
): LineActions {
  return {
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
    withdraw: (withdrawalId, offerId) => withdraw(accountId, withdrawalId, offerId, null),
    remove: (offerId) => remove(accountId, offerId),
  }
}
