import type { OfferRow } from '../../../contract/offers/offers.ts'
import { type Cents, cents, formatEuros } from '../../../../server/api/money.ts'
import { type Failure, failure, isFailure, nullIfNotFound } from '../../failure.ts'
import { resultOf, sendJournaled } from '../../journaled-send/journaled-send.ts'
import type { OffersContext } from '../context.ts'
import type { ServiceOffer } from '../sync/facts.ts'
import { readOffer } from '../list/offer-rows.ts'
import type { DesiredOffer, OfferSession } from './offer-session.ts'
import {
  effectOf,
  matchesDesired,
  noteShown,
  otherChangesLanded,
  patchOffer,
  sendNoted,
  setsPrice,
} from './patch-offer.ts'
import { storeOffers } from '../sync/poll.ts'
import type { OfferChange, OfferStatus } from '../store.ts'

/**
 * A person's change, which can be queued instead: it looks first whether the service can be
 * reached, and waits briefly.
 */
export type ChangeOptions = { quick?: boolean }

const offerNotFound = (): Failure =>
  failure(
    'NOT_FOUND',
    'The service no longer has this offer.',
    'Create a new offer from the catalogue.',
    { effect: 'Nothing was changed.' },
  )

export const outcomeUnknown = (what: string): Failure =>
  failure(
    'ANSWER_LOST',
    what,
    'Keydesk checks the offer as soon as the service responds, and then shows its state.',
    { effect: 'No keys or money are involved.' },
  )

/**
 * Writes the state of the offer and of its pending change together. Every local change reaches the
 * mirror here.
 */
function settle(
  context: OffersContext,
  session: OfferSession,
  offer: ServiceOffer,
  change: OfferChange | null,
): void {
  session.fresh.touch(offer.id)
  const { store } = session
  store.db.transaction(() => {
    storeOffers({ store, fresh: session.fresh }, [offer], store.sync().round, null)
    if (change === null) store.endChange(offer.id)
    else store.writeChange(change, context.clock.now())
  })()
  context.changes.notify('offers', session.accountId, offer.id)
}

function recordRejection(
  context: OffersContext,
  session: OfferSession,
  offerId: string,
  wanted: DesiredOffer,
  { problem }: Failure,
  current: ServiceOffer | null,
): void {
  const change: OfferChange = { offerId, state: 'refused', ...wanted, problem }
  if (current !== null) return settle(context, session, current, change)
  session.fresh.touch(offerId)
  session.store.writeChange(change, context.clock.now())
  context.changes.notify('offers', session.accountId, offerId)
}

function dropOffer(context: OffersContext, session: OfferSession, offerId: string): void {
  session.fresh.touch(offerId)
  session.store.db.transaction(() => session.store.drop(offerId))()
  context.changes.notify('offers', session.accountId, offerId)
  context.changes.notify('catalogue', session.accountId)
}

/**
 * Changes price or status of one offer: journals the change, compares the price that the person saw
 * with the service's, sends it, and settles it by the response. If the response is lost, it reads
 * the offer again; unless that shows the change, it stays `saving`, because it can still arrive, and
 * {@link settleOpenChange} settles it later. An earlier change whose response was lost can still
 * arrive, so this one waits until it can't, and accepts its price as the current one. Throws the
 * Failure of the service, `CHANGED_MEANWHILE`, or `ANSWER_LOST`.
 */
export async function changeOffer(
  context: OffersContext,
  session: OfferSession,
  offerId: string,
  wanted: DesiredOffer,
  expectedPriceCents: Cents | null,
  { quick = false }: ChangeOptions = {},
): Promise<OfferRow> {
  const connection = context.connection(session.accountId)
  const read = (): Promise<ServiceOffer> =>
    connection.call('getOffer', { params: { id: offerId } }, { priority: 'person', quick })
  /** The offer that the change was refused for. */
  let current: ServiceOffer | null = null
  const write = (): void => {
    session.fresh.touch(offerId)
    session.store.writeChange(
      { offerId, state: 'saving', ...wanted, problem: null },
      context.clock.now(),
    )
    context.changes.notify('offers', session.accountId, offerId)
  }
  // The outbox has a record of a queued change. An earlier change that is still open needs the one
  // of this offer, so that the next start waits for it.
  const isRecorded = !quick || session.store.change(offerId)?.state === 'saving'
  // The person requested these, too, so their prices are no surprise if they land.
  const earlier = session.flights.flying(offerId)
  await otherChangesLanded(context, session, offerId, wanted, isRecorded ? undefined : write)
  const outcome = await sendJournaled<ServiceOffer>({
    write,
    async send() {
      const now = quick || expectedPriceCents !== null ? await read() : null
      if (
        now !== null &&
        expectedPriceCents !== null &&
        now.price !== expectedPriceCents &&
        now.price !== wanted.priceCents &&
        !earlier.some((effect) => setsPrice(effect, now.price))
      ) {
        current = now
        throw changedMeanwhile(now)
      }
      return patchOffer(context, session, offerId, wanted, { priority: 'person', quick })
    },
    async lookUp() {
      const now = await read()
      noteShown(session, now)
      return matchesDesired(now, wanted) ? { state: 'done', result: now } : null
    },
    settle(settled) {
      if (settled.state === 'done') return settle(context, session, settled.result, null)
      // The journal already shows it as saving, until it is looked up.
      if (settled.state === 'unknown') return
      if (isFailure(settled.failure, 'NOT_FOUND')) return dropOffer(context, session, offerId)
      recordRejection(context, session, offerId, wanted, settled.failure, current)
    },
  })
  if (outcome.state === 'unknown')
    throw outcomeUnknown('It isn’t known yet whether your change was saved.')
  if (outcome.state !== 'done' && isFailure(outcome.failure, 'NOT_FOUND')) throw offerNotFound()
  resultOf(outcome)
  return rowOf(session, offerId)
}

function rowOf(session: OfferSession, offerId: string): OfferRow {
  const row = readOffer(session.store.db, offerId)
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
 * the current state of the offer, unless the change can still arrive.
 */
export async function settleOpenChange(
  context: OffersContext,
  session: OfferSession,
  change: OfferChange,
  signal: AbortSignal,
): Promise<void> {
  const { offerId } = change
  // Asked before reading: a change that landed during the reading can be missing in it.
  const isFlying = session.flights.isFlying(offerId)
  // This change waited for them, so the offer can show its values before it is sent.
  const areOthersFlying = session.flights.isFlying(offerId, effectOf(change))
  try {
    const now = await context
      .connection(session.accountId)
      .call('getOffer', { params: { id: offerId } }, { priority: 'watch', signal })
    noteShown(session, now)
    if (areOthersFlying || (isFlying && !matchesDesired(now, change))) return
    const problem = failure(
      'NOT_SAVED',
      'Not changed: Keydesk stopped or lost the service’s response before the change was saved.',
      'Change it again if you still want to.',
    ).problem
    settle(
      context,
      session,
      now,
      matchesDesired(now, change) ? null : { ...change, state: 'refused', problem },
    )
  } catch (error) {
    if (!isFailure(error, 'NOT_FOUND')) throw error
    dropOffer(context, session, offerId)
  }
}

/**
 * Creates the offer, or updates the product's existing offer. If the response is lost, it looks for
 * the product among the offers.
 */
export async function createOffer(
  context: OffersContext,
  session: OfferSession,
  asked: { productId: string; priceCents: Cents; status: OfferStatus },
  listAgain: () => Promise<boolean>,
): Promise<{ created: boolean; offer: OfferRow }> {
  const { productId, priceCents, status } = asked
  const found = () =>
    session.store.db
      .prepare('SELECT offer_id, price_cents FROM offers WHERE product_id = :productId')
      .get({ productId }) as { offer_id: string; price_cents: Cents } | undefined
  const isNew = found() === undefined
  const id = `product ${productId}`
  await otherChangesLanded(context, session, id, asked)
  const outcome = await sendJournaled<{ created: boolean; offerId: string; offer?: ServiceOffer }>({
    async send() {
      const { created, offer } = await sendNoted(session, id, asked, () =>
        context
          .connection(session.accountId)
          .call(
            'saveOffer',
            { body: { productId, price: cents(priceCents), status } },
            { priority: 'person', once: true },
          ),
      )
      return { created, offerId: offer.id, offer }
    },
    async lookUp() {
      if (!(await listAgain())) return null
      const offer = found()
      if (offer?.price_cents !== priceCents) return null
      session.flights.arrived(id, effectOf(asked))
      return { state: 'done', result: { created: isNew, offerId: offer.offer_id } }
    },
    settle(settled) {
      if (settled.state !== 'done') return
      const { offer } = settled.result
      // The offer in the response may lack the product's id (Decision 33); the request has it.
      if (offer !== undefined)
        settle(context, session, { ...offer, productId: offer.productId ?? productId }, null)
      context.changes.notify('catalogue', session.accountId)
    },
  })
  if (outcome.state === 'unknown')
    throw outcomeUnknown('It isn’t known yet whether the offer was created.')
  const { created, offerId } = resultOf(outcome)
  return { created, offer: rowOf(session, offerId) }
}

/** A removal sets neither a price nor a status, which distinguishes its flight from a change's. */
const removal: DesiredOffer = { priceCents: null, status: null }

/**
 * Deletes an offer (Decision 24). An offer with sales is paused instead. If the response is lost, it
 * reads the offer; unless that shows the removal, it throws `ANSWER_LOST`, because the request can
 * still arrive, and the next sync pass shows the result.
 */
export async function removeOffer(
  context: OffersContext,
  session: OfferSession,
  offerId: string,
): Promise<{ paused: boolean }> {
  const connection = context.connection(session.accountId)
  await otherChangesLanded(context, session, offerId, removal)
  const wasActive = session.store.find(offerId)?.status === 'active'
  const outcome = await sendJournaled<ServiceOffer | 'gone'>({
    send: async () =>
      (await sendNoted(session, offerId, removal, () =>
        connection.call('deleteOffer', { params: { id: offerId } }, { priority: 'person' }),
      ).catch(nullIfNotFound)) ?? 'gone',
    async lookUp() {
      const now = await connection
        .call('getOffer', { params: { id: offerId } }, { priority: 'person' })
        .catch(nullIfNotFound)
      if (now !== null && !(wasActive && now.status === 'paused')) {
        settle(context, session, now, null)
        return null
      }
      session.flights.arrived(offerId, effectOf(removal))
      return { state: 'done', result: now ?? 'gone' }
    },
    settle(settled) {
      if (settled.state !== 'done') return
      if (settled.result === 'gone') dropOffer(context, session, offerId)
      else settle(context, session, settled.result, null)
    },
  })
  if (outcome.state === 'unknown')
    throw outcomeUnknown('It isn’t known yet whether the offer was deleted.')
  return { paused: resultOf(outcome) !== 'gone' }
}
