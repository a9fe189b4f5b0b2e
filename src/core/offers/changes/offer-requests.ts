import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Cents } from '../../../../server/api/money.ts'
import type { Contract } from '../../../contract/index.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'
import type { Outbox } from '../../outbox/outbox.ts'
import type { OffersContext } from '../context.ts'
import { findOffer } from '../list/offer-reads.ts'
import type { OfferStatus } from '../store.ts'
import type { OfferSync } from '../sync/poll-loops.ts'
import { changeOffer, createOffer } from './change-offer.ts'
import type { ChangeOptions } from './change-offer.ts'
import type { DesiredOffer, OfferSession } from './offer-session.ts'
import { otherChangesLanded, patchOffer } from './patch-offer.ts'
import type { OfferPricing, PricingOptions } from './pricing.ts'
import { createQueuedOfferChanges, isOffline, reasonToQueue } from './queued-changes.ts'

type Inputs = InferContractRouterInputs<Contract['offers']>
type Outputs = InferContractRouterOutputs<Contract['offers']>

type Parts = {
  context: OffersContext
  outbox: Outbox
  sessionOf: (accountId: string) => OfferSession
  inTurn: <T>(accountId: string, offerId: string, task: () => Promise<T>) => Promise<T>
  sync: OfferSync
  pricing: OfferPricing
}

/** Creates and changes single offers; while the service can't be reached, queues them. */
export function createOfferRequests({ context, outbox, sessionOf, inTurn, sync, pricing }: Parts) {
  async function change(
    accountId: string,
    offerId: string,
    wanted: DesiredOffer,
    expectedPriceCents: Cents | null,
    options?: ChangeOptions,
    recover: (error: unknown) => OfferRow = (error) => {
      throw error
    },
  ): Promise<OfferRow> {
    pricing.announcePrice(accountId, offerId, wanted.priceCents)
    try {
      return await inTurn(accountId, offerId, () =>
        changeOffer(
          context,
          sessionOf(accountId),
          offerId,
          wanted,
          expectedPriceCents,
          options,
        ).catch(recover),
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
    listAgain: sync.now,
    change,
    create,
  })

  return {
    /** The queued changes. */
    waiting,
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
    /**
     * Changes the status in turn with a person's changes, once. Throws Failure; the caller may try
     * again.
     */
    setStatus: (
      accountId: string,
      offerId: string,
      status: OfferStatus,
      options: PricingOptions,
    ): Promise<void> =>
      inTurn(accountId, offerId, async () => {
        const session = sessionOf(accountId)
        const wanted = { priceCents: null, status }
        await otherChangesLanded(context, session, offerId, wanted)
        session.fresh.touch(offerId)
        pricing.take(session, await patchOffer(context, session, offerId, wanted, options))
        context.changes.notify('offers', accountId, offerId)
      }),
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
      let isQueued = false
      const row = await change(
        accountId,
        offerId,
        wanted,
        expectedPriceCents ?? null,
        { quick: true },
        (error) => {
          const reason = reasonToQueue(error)
          if (reason === null) throw error
          try {
            waiting.queueChange(accountId, before, wanted, expectedPriceCents ?? null, reason.lost)
          } catch (notQueued) {
            // A change that was sent stays open in the offer's own journal.
            throw reason.lost === null ? notQueued : error
          }
          isQueued = true
          session.store.endChange(offerId)
          context.changes.notify('offers', accountId, offerId)
          return waiting.withQueuedChanges(accountId, [findOffer(session, offerId)])[0] ?? before
        },
      )
      if (!isQueued) waiting.dropSuperseded(accountId, offerId, wanted)
      return row
    },
  }
}
