import type { Cents } from '../../../../server/api/money.ts'
import type { CallOptions } from '../../context.ts'
import { Failure, failure } from '../../failure.ts'
import type { OffersContext } from '../context.ts'
import type { ServiceOffer } from '../sync/facts.ts'
import type { OfferStatus } from '../store.ts'
import type { DesiredOffer, OfferSession } from './offer-session.ts'

/** The effect of a change, for {@link OfferSession.flights}. */
export const effectOf = ({
  priceCents,
  status,
}: {
  priceCents: Cents | null
  status: string | null
}): string => `${priceCents} ${status}`

/** The service shows this state of an offer, so changes to it have arrived. */
export function noteShown(
  { flights }: Pick<OfferSession, 'flights'>,
  { id, price, status }: ServiceOffer,
): void {
  flights.arrived(id, effectOf({ priceCents: price, status: null }))
  flights.arrived(id, effectOf({ priceCents: null, status }))
  flights.arrived(id, effectOf({ priceCents: price, status }))
}

/** Whether a change with this effect sets this price. */
export const setsPrice = (effect: string, priceCents: Cents): boolean =>
  effect.startsWith(`${priceCents} `)

/**
 * Resolves when no other change of the offer, whose response was lost, can arrive after this one.
 * Until then, the offer's row shows this one as delayed. If the account closes before, it throws a
 * Failure `CANCELLED`: this one isn't sent, because an earlier one could replace it.
 *
 * @param id as for {@link sendNoted}
 * @param write called before it waits, if it has to
 */
export async function otherChangesLanded(
  { changes }: OffersContext,
  { accountId, delayed, flights, signal }: OfferSession,
  id: string,
  wanted: DesiredOffer,
  write?: () => void,
): Promise<void> {
  const effect = effectOf(wanted)
  if (!flights.isFlying(id, effect)) return
  delayed.set(id, wanted)
  write?.()
  changes.notify('offers', accountId, id)
  await flights.landed(id, effect, signal)
  delayed.delete(id)
  changes.notify('offers', accountId, id)
  if (flights.isFlying(id, effect)) throw closedTooEarly()
}

const closedTooEarly = (): Failure => {
  const { problem } = failure(
    'CANCELLED',
    'Not changed: the account closed while the change waited for an earlier one.',
    'Change it again if you still want to.',
    { effect: 'Nothing was sent.' },
  )
  return new Failure(problem, { certainty: 'not-done', retry: 'wait' })
}

/** Whether an offer has the price and the status that a change sets. */
export const matchesDesired = (
  offer: { readonly price: number; readonly status: string },
  wanted: DesiredOffer,
): boolean =>
  (wanted.priceCents === null || offer.price === wanted.priceCents) &&
  (wanted.status === null || offer.status === wanted.status)

/**
 * Sends a change or the removal of an offer, or of the offer of a product, and remembers that it
 * can still arrive if its response is lost. Throws Failure.
 *
 * @param id the offer's id, or `product ID`
 */
export async function sendNoted<Result>(
  { flights }: OfferSession,
  id: string,
  wanted: DesiredOffer,
  send: () => Promise<Result>,
): Promise<Result> {
  flights.sends(id, effectOf(wanted))
  try {
    return await send()
  } catch (error) {
    // After a defect, too, the request can be on its way.
    if (!(error instanceof Failure) || error.certainty === 'unknown')
      flights.note(id, effectOf(wanted))
    throw error
  }
}

/**
 * Changes the price in cents, or the status, of an offer on the service (Seller API, `PATCH
 * /offers/{id}`), once. Wait for {@link otherChangesLanded} before. Throws Failure.
 */
export function patchOffer(
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
  return sendNoted(session, offerId, wanted, () =>
    context
      .connection(session.accountId)
      .call('changeOffer', { params: { id: offerId }, body }, { ...options, once: true }),
  )
}
