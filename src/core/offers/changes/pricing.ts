import type { OfferRow } from '../../../contract/offers/offers.ts'
import { atMost, type Cents } from '../../../../server/api/money.ts'
import type { Priority } from '../../context.ts'
import { nullIfNotFound } from '../../failure.ts'
import { createEmitter } from '../../lifecycle/lifecycle.ts'
import { sendJournaled } from '../../journaled-send/journaled-send.ts'
import type { JournaledSend, Settled } from '../../journaled-send/journaled-send.ts'
import type { OffersContext } from '../context.ts'
import type { OfferSession } from './offer-session.ts'
import { effectOf, noteShown, otherChangesLanded, patchOffer } from './patch-offer.ts'
import type { ServiceOffer } from '../sync/facts.ts'
import { offersAfter, readOffer, readOffers } from '../list/offer-rows.ts'
import { storeOffers } from '../sync/poll.ts'
import { takeChangedIds, termsChanged } from '../store.ts'

type Parts = {
  context: OffersContext
  sessionOf: (accountId: string) => OfferSession
  inTurn: <T>(accountId: string, offerId: string, task: () => Promise<T>) => Promise<T>
  syncNow: (accountId: string) => Promise<void>
}

/** Offers read at a time. */
const PAGE = 1000

export type PricingOptions = { priority: Priority; signal?: AbortSignal }

/**
 * Access to offers for a feature that decides prices and keeps its own journal: reading in chunks,
 * refreshing, and sending in turn with a person's changes.
 */
export function createOfferPricing({ context, sessionOf, inTurn, syncNow }: Parts) {
  const requested = createEmitter<[accountId: string, offerId: string, priceCents: Cents]>()

  const after = (accountId: string, offerId: string, limit: number): OfferRow[] =>
    offersAfter(sessionOf(accountId).store.db, offerId, limit)
  const customerPrices = context.accounts.summary('customer-prices', [], (accountId) => {
    const lowest = new Map<string, Cents>()
    for (let rows = after(accountId, '', PAGE); rows.length > 0;) {
      for (const { productId, status, stock, customerCents } of rows)
        if (status === 'active' && stock > 0)
          lowest.set(productId, atMost(customerCents, lowest.get(productId) ?? customerCents))
      rows = after(accountId, rows.at(-1)?.offerId ?? '', PAGE)
    }
    return [...lowest]
  })

  /** Writes a reading into the mirror. Returns whether it differs from the previous one. */
  function take({ store, fresh }: OfferSession, offer: ServiceOffer): boolean {
    fresh.touch(offer.id)
    return storeOffers({ store, fresh }, [offer], store.sync().round, null)
  }

  /**
   * Reads one offer from the service into the mirror; null if the service doesn't have it. Throws
   * Failure.
   */
  const refreshOffer = (
    accountId: string,
    offerId: string,
    options: PricingOptions,
  ): Promise<OfferRow | null> =>
    inTurn(accountId, offerId, async () => {
      try {
        const offer = await context
          .connection(accountId)
          .call('getOffer', { params: { id: offerId } }, options)
        const session = sessionOf(accountId)
        noteShown(session, offer)
        if (take(session, offer)) context.changes.notify('offers', accountId, offerId)
        return readOffer(session.store.db, offerId) ?? null
      } catch (error) {
        return nullIfNotFound(error)
      }
    })

  return {
    /** Called with every price that this console is about to send, whoever requested it. */
    onPriceRequested: requested.listen,
    announcePrice(accountId: string, offerId: string, priceCents: Cents | null): void {
      if (priceCents !== null) requested.emit(accountId, offerId, priceCents)
    },
    /** Up to `limit` offers with greater ids, in the order of their ids. */
    after,
    /** The lowest customer price of each product that the account sells, also while it is asleep. */
    customerPrices,
    /** Offers that are new or changed since the last call. Serves a single caller. */
    takeChanged: (accountId: string): string[] => takeChangedIds(sessionOf(accountId).store.db),
    /**
     * Calls the listener for each offer whose cost or own limits a person changes, inside the
     * transaction that changes them: {@link takeChanged} returns it afterwards.
     */
    onTermsChanged: (accountId: string, listener: () => void, signal: AbortSignal): void =>
      termsChanged(sessionOf(accountId).store.db).listen(listener, signal),
    byIds: (accountId: string, offerIds: readonly string[]): OfferRow[] =>
      readOffers(sessionOf(accountId).store.db, offerIds),
    /** The last complete reading of the list: when it finished, and its number of pages. */
    lastListing: (accountId: string): { lastAt: number | null; pages: number } =>
      sessionOf(accountId).store.sync(),
    take,
    refreshList: syncNow,
    refreshOffer,
    /** An earlier run left this price without an outcome: it can still arrive. */
    meetPrice: (accountId: string, offerId: string, priceCents: Cents): void =>
      sessionOf(accountId).flights.meet(offerId, effectOf({ priceCents, status: null })),
    /**
     * Reads the offer to settle a price without a response. `flying`: the offer has another price,
     * and this one can still arrive. Throws Failure.
     */
    async lookUpPrice(
      accountId: string,
      offerId: string,
      priceCents: Cents,
      options: PricingOptions,
    ): Promise<'applied' | 'not-applied' | 'flying' | 'gone'> {
      // Asked before reading: a price that landed during the reading can be missing in it.
      const isFlying = sessionOf(accountId).flights.isFlying(offerId)
      const row = await refreshOffer(accountId, offerId, options)
      if (row === null) return 'gone'
      if (row.priceCents === priceCents) return 'applied'
      return isFlying ? 'flying' : 'not-applied'
    },
    /**
     * Sends a price in the offer's turn. The caller's `write` checks and journals it right before
     * the request; if it throws, nothing is sent and the error is passed on, unless it is a Failure.
     * Never retries. The caller notifies the page, because it sends many.
     */
    sendPrice: (
      accountId: string,
      offerId: string,
      priceCents: Cents,
      { write }: Pick<JournaledSend<void>, 'write'>,
      options: PricingOptions,
    ): Promise<Settled<void>> =>
      inTurn(accountId, offerId, async () => {
        const session = sessionOf(accountId)
        const wanted = { priceCents, status: null }
        return sendJournaled({
          async send() {
            await otherChangesLanded(context, session, offerId, wanted)
            write?.()
            session.fresh.touch(offerId)
            take(session, await patchOffer(context, session, offerId, wanted, options))
          },
        })
      }),
  }
}
export type OfferPricing = ReturnType<typeof createOfferPricing>
