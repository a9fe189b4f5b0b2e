import type { OfferRow } from '../../../contract/offers.ts'
import { type Cents, cents, formatEuros } from '../../../../server/api/money.ts'
import type { CoreContext } from '../../context.ts'
import { Failure, failure } from '../../failure.ts'
import type { ServiceOffer } from '../sync/facts.ts'
import { readOffer } from '../list/list.ts'
import { storeOffers } from '../sync/poll.ts'
import type { Freshness } from '../sync/poll.ts'
import type { OfferChange, OfferStatus, OfferStore } from '../store.ts'

export type DesiredOffer = { priceCents: Cents | null; status: OfferStatus | null }

export type OfferSession = { accountId: string; store: OfferStore; fresh: Freshness }

/** Whether the error is a failure with one of these codes (any code if none is given). */
export const isFailure = (error: unknown, ...codes: string[]): error is Failure =>
  error instanceof Failure && (codes.length === 0 || codes.includes(error.problem.code))
/** Whether the service may have carried out the call. */
export const isUnknown = (error: unknown): error is Failure =>
  error instanceof Failure && error.certainty === 'unknown'

const offerNotFound = (): Failure =>
  failure(
    'NOT_FOUND',
    'The service no longer has this offer.',
    'Create a new offer from the catalogue.',
    { effect: 'Nothing was changed.' },
  )

const outcomeUnknown = (): Failure =>
  failure(
    'ANSWER_LOST',
    'It isn’t known yet whether your change was saved.',
    'Keydesk checks the offer as soon as the service responds, and then shows its state.',
    { effect: 'No keys or money are involved.' },
  )

/**
 * Writes the state of the offer and of its pending change together. Every local change reaches the
 * mirror here.
 */
function settle(
  context: CoreContext,
  desk: OfferSession,
  offer: ServiceOffer,
  change: OfferChange | null,
): void {
  desk.fresh.touch(offer.id)
  const { store } = desk
  store.db.transaction(() => {
    storeOffers(
      { store, fresh: desk.fresh, now: () => context.clock.now() },
      [offer],
      store.sync().round,
      null,
    )
    if (change === null) store.endChange(offer.id)
    else store.writeChange(change, context.clock.now())
  })()
  context.changes.notify('offers', desk.accountId, offer.id)
}

function recordRejection(
  context: CoreContext,
  desk: OfferSession,
  offerId: string,
  wanted: DesiredOffer,
  error: Failure,
): void {
  desk.fresh.touch(offerId)
  desk.store.writeChange(
    { offerId, state: 'refused', ...wanted, problem: error.problem },
    context.clock.now(),
  )
  context.changes.notify('offers', desk.accountId, offerId)
}

function dropOffer(context: CoreContext, desk: OfferSession, offerId: string): void {
  desk.fresh.touch(offerId)
  desk.store.db.transaction(() => desk.store.drop(offerId))()
  context.changes.notify('offers', desk.accountId, offerId)
  context.changes.notify('catalogue', desk.accountId)
}

const matchesDesired = (offer: ServiceOffer, wanted: DesiredOffer): boolean =>
  (wanted.priceCents === null || offer.price === wanted.priceCents) &&
  (wanted.status === null || offer.status === wanted.status)

/**
 * Changes price or status of one offer: journals the change, compares the price that the person saw
 * with the service's, sends it, and settles it by the response. If the response is lost, it reads
 * the offer again; if that fails too, the change stays `saving` and {@link settleOpenChange}
 * settles it later. Throws the Failure of the service, `CHANGED_MEANWHILE`, or `ANSWER_LOST`.
 */
export async function changeOffer(
  context: CoreContext,
  desk: OfferSession,
  offerId: string,
  wanted: DesiredOffer,
  expectedPriceCents: Cents | null,
): Promise<OfferRow> {
  const connection = context.connection(desk.accountId)
  const read = (): Promise<ServiceOffer> =>
    connection.call('getOffer', { params: { id: offerId } }, { priority: 'person' })
  desk.fresh.touch(offerId)
  desk.store.writeChange(
    { offerId, state: 'saving', ...wanted, problem: null },
    context.clock.now(),
  )
  context.changes.notify('offers', desk.accountId, offerId)

  try {
    if (expectedPriceCents !== null) {
      const current = await read()
      if (current.price !== expectedPriceCents && current.price !== wanted.priceCents) {
        const error = changedMeanwhile(current)
        settle(context, desk, current, {
          offerId,
          state: 'refused',
          ...wanted,
          problem: error.problem,
        })
        throw error
      }
    }
    const body = {
      ...(wanted.priceCents === null ? {} : { price: cents(wanted.priceCents) }),
      ...(wanted.status === null ? {} : { status: wanted.status }),
    }
    settle(
      context,
      desk,
      await connection.call(
        'changeOffer',
        { params: { id: offerId }, body },
        { priority: 'person', once: true },
      ),
      null,
    )
  } catch (error) {
    if (isFailure(error, 'CHANGED_MEANWHILE')) throw error
    if (isFailure(error, 'NOT_FOUND')) {
      dropOffer(context, desk, offerId)
      throw offerNotFound()
    }
    if (!isUnknown(error)) {
      if (error instanceof Failure) recordRejection(context, desk, offerId, wanted, error)
      throw error
    }
    const now = await read().catch(() => null)
    if (now === null) throw outcomeUnknown()
    if (!matchesDesired(now, wanted)) {
      settle(context, desk, now, { offerId, state: 'refused', ...wanted, problem: error.problem })
      throw error
    }
    settle(context, desk, now, null)
  }
  const row = readOffer(desk.store.db, offerId)
  if (row === undefined) throw offerNotFound()
  return row
}

function changedMeanwhile(current: ServiceOffer): Failure {
  return failure(
    'CHANGED_MEANWHILE',
    `Not changed: the price on the service is now EUR ${formatEuros(current.price)}.`,
    'Check the current price, then change it again if you still want to.',
    {
      effect: 'The offer is unchanged.',
      details: { currentPriceCents: current.price, currentStatus: current.status },
    },
  )
}

/**
 * Settles a change without a waiting caller (Keydesk stopped, or the service was unreachable) by
 * the current state of the offer.
 */
export async function settleOpenChange(
  context: CoreContext,
  desk: OfferSession,
  change: OfferChange,
  signal: AbortSignal,
): Promise<void> {
  const { offerId } = change
  try {
    const now = await context
      .connection(desk.accountId)
      .call('getOffer', { params: { id: offerId } }, { priority: 'watch', signal })
    const problem = failure(
      'NOT_SAVED',
      'Not changed: the service’s response was lost, and the offer is unchanged.',
      'Change it again if you still want to.',
    ).problem
    settle(
      context,
      desk,
      now,
      matchesDesired(now, change) ? null : { ...change, state: 'refused', problem },
    )
  } catch (error) {
    if (!isFailure(error, 'NOT_FOUND')) throw error
    dropOffer(context, desk, offerId)
  }
}

/**
 * Creates the offer, or updates the product's existing offer. If the response is lost, it looks for
 * the product among the offers.
 */
export async function createOffer(
  context: CoreContext,
  desk: OfferSession,
  asked: { productId: string; priceCents: Cents; status: OfferStatus },
  listAgain: () => Promise<void>,
): Promise<{ created: boolean; offer: OfferRow }> {
  const { store } = desk
  const known = store.db
    .prepare('SELECT offer_id FROM offers WHERE product_id = :productId')
    .pluck()
    .get({ productId: asked.productId }) as string | undefined
  const shown = (offerId: string): OfferRow => {
    const row = readOffer(store.db, offerId)
    if (row === undefined) throw offerNotFound()
    return row
  }
  try {
    const { created, offer } = await context.connection(desk.accountId).call(
      'saveOffer',
      {
        body: {
          productId: asked.productId,
          price: cents(asked.priceCents),
          status: asked.status,
        },
      },
      { priority: 'person', once: true },
    )
    // The offer in the response may lack the product's id (Decision 33); the request has it.
    settle(context, desk, { ...offer, productId: offer.productId ?? asked.productId }, null)
    context.changes.notify('catalogue', desk.accountId)
    return { created, offer: shown(offer.id) }
  } catch (error) {
    if (!isUnknown(error)) throw error
    await listAgain()
    const found = store.db
      .prepare('SELECT offer_id, price_cents FROM offers WHERE product_id = :productId')
      .get({ productId: asked.productId }) as { offer_id: string; price_cents: Cents } | undefined
    if (found === undefined || found.price_cents !== asked.priceCents) throw error
    context.changes.notify('catalogue', desk.accountId)
    return { created: known === undefined, offer: shown(found.offer_id) }
  }
}

/**
 * Deletes an offer (Decision 24). An offer with sales is paused instead. If the response is lost,
 * reading the offer settles it.
 */
export async function removeOffer(
  context: CoreContext,
  desk: OfferSession,
  offerId: string,
): Promise<{ paused: boolean }> {
  const connection = context.connection(desk.accountId)
  try {
    const answer = await connection.call(
      'deleteOffer',
      { params: { id: offerId } },
      { priority: 'person' },
    )
    if (answer !== undefined) {
      settle(context, desk, answer, null)
      return { paused: true }
    }
  } catch (error) {
    if (isUnknown(error)) {
      const now = await connection
        .call('getOffer', { params: { id: offerId } }, { priority: 'person' })
        .catch((reason: unknown) => {
          if (isFailure(reason, 'NOT_FOUND')) return null
          throw error
        })
      if (now !== null) {
        settle(context, desk, now, null)
        throw error
      }
    } else if (!isFailure(error, 'NOT_FOUND')) throw error
  }
  dropOffer(context, desk, offerId)
  return { paused: false }
}
