import type { Cents } from '../../../../server/api/money.ts'
import type { CallOptions } from '../../context.ts'
import { Failure } from '../../failure.ts'
import type { OffersContext } from '../context.ts'
import type { ServiceOffer } from '../sync/facts.ts'
import type { OfferStatus } from '../store.ts'
import type { DesiredOffer, OfferSession } from './offer-session.ts'

/** The effect of a change, for {@link OfferSession.flights}. */
export const effectOf = ({ priceCents, status }: DesiredOffer): string => `${priceCents} ${status}`

/**
 * Resolves when no other change of the offer, whose response was lost, can arrive after this one,
 * or when the account closes.
 */
export const otherChangesLanded = (
  { flights, signal }: OfferSession,
  offerId: string,
  wanted: DesiredOffer,
): Promise<void> => flights.landed(offerId, effectOf(wanted), signal)

/**
 * Changes the price in cents, or the status, of an offer on the service (Seller API, `PATCH
 * /offers/{id}`), once. Wait for {@link otherChangesLanded} before. Throws Failure.
 */
export async function patchOffer(
  context: OffersContext,
  session: OfferSession,
  offerId: string,
  wanted: DesiredOffer,
  options: CallOptions,
): Promise<ServiceOffer> {
  const { priceCents, status } = wanted
  const body: { price?: Cents; status?: OfferStatus } = {
    ...(priceCents !== null && { price: priceCents }),
    ...(status !== null && { status }),
  }
  try {
    return await context
      .connection(session.accountId)
      .call('changeOffer', { params: { id: offerId }, body }, { ...options, once: true })
  } catch (error) {
    if (error instanceof Failure && error.certainty === 'unknown')
      session.flights.note(offerId, effectOf(wanted))
    throw error
  }
}
