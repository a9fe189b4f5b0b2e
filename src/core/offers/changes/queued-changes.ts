import { variantLabel } from '../../../contract/product-variant.ts'
import {
  type Cents,
  cents,
  customerPrice,
  percentHundredths,
  ZERO,
} from '../../../../server/api/money.ts'
import type { Problem } from '../../../contract/base.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'
import type { OutboxEntry, OutboxFacts, OutboxKind } from '../../../contract/outbox.ts'
import { knownProducts } from '../../catalogue/catalogue.ts'
import { Failure, failure, isFailure, nullIfNotFound } from '../../failure.ts'
import { emptyFacts } from '../../outbox/outbox.ts'
import type { Outbox, OutboxHandler, StoredEntry } from '../../outbox/outbox.ts'
import type { OffersContext } from '../context.ts'
import { outcomeUnknown } from './change-offer.ts'
import type { OfferSession, DesiredOffer } from './offer-session.ts'
import { noteShown } from './patch-offer.ts'
import { leadOf, offerFacts } from '../sync/facts.ts'
import { readOffer } from '../list/offer-rows.ts'
import { storeOffers } from '../sync/poll.ts'
import type { OfferStatus } from '../store.ts'

/**
 * Whether a change was certainly never sent because the service was unreachable. Only then it can
 * be queued in the outbox.
 */
export const isOffline = (error: unknown): error is Failure =>
  error instanceof Failure && error.problem.code === 'OFFLINE' && error.certainty === 'not-done'

/**
 * Why a change goes to the outbox: it wasn't made, because the network failed, or its response was
 * `lost` and the offer can't be read. Null for every other failure, which the person has to see.
 */
export function reasonToQueue(error: unknown): { lost: Problem | null } | null {
  if (isOffline(error)) return { lost: null }
  if (!isFailure(error, 'ANSWER_LOST', 'BAD_ANSWER')) return null
  if (error.certainty === 'rejected') return null
  return { lost: error.certainty === 'unknown' ? error.problem : null }
}

const factsOfRow = (row: OfferRow): OutboxFacts => ({
  ...emptyFacts,
  priceCents: row.priceCents,
  customerCents: row.customerCents,
  status: row.status,
  leadCents: leadOf(row),
})

const wantedOf = ({ kind, wanted }: Pick<StoredEntry, 'kind' | 'wanted'>): DesiredOffer => ({
  priceCents: kind === 'offer-status' ? null : wanted.priceCents,
  status: kind === 'offer-price' ? null : statusOf(wanted.status),
})

/** Queued changes that an earlier run may have sent, with the ids that {@link sendNoted} uses. */
export const unsettledChanges = (
  outbox: Pick<Outbox, 'waiting'>,
  accountId: string,
): { id: string; wanted: DesiredOffer }[] =>
  [...outbox.waiting(accountId, ['offer-price', 'offer-status', 'offer-new']).values()]
    .flat()
    .filter(({ state }) => state !== 'waiting')
    .map((entry) => ({
      id: entry.kind === 'offer-new' ? `product ${entry.subjectId}` : entry.subjectId,
      wanted: wantedOf(entry),
    }))

type Parts = {
  context: OffersContext
  outbox: Outbox
  sessionOf: (accountId: string) => OfferSession
  change: (
    accountId: string,
    offerId: string,
    wanted: DesiredOffer,
    expectedPriceCents: Cents | null,
  ) => Promise<OfferRow>
  /** Reads the list of offers again unless it was read a moment ago. */
  refresh: (accountId: string) => Promise<void>
  /** Reads the list of offers again, however long it is. Resolves with whether that succeeded. */
  listAgain: (accountId: string) => Promise<boolean>
  create: (
    accountId: string,
    asked: { productId: string; priceCents: Cents; status: OfferStatus },
  ) => Promise<unknown>
}

/** Offer changes that are queued in the outbox until the service is reachable. */
export function createQueuedOfferChanges({
  context,
  outbox,
  sessionOf,
  refresh,
  listAgain,
  change,
  create,
}: Parts) {
  /**
   * Also writes the offer into the mirror, so that the outbox and the table show the same state.
   */
  async function currentOffer(
    accountId: string,
    { subjectId }: StoredEntry,
    signal?: AbortSignal,
  ): Promise<OutboxFacts | null> {
    const session = sessionOf(accountId)
    const mark = session.fresh.mark()
    try {
      const offer = await context
        .connection(accountId)
        .call(
          'getOffer',
          { params: { id: subjectId } },
          { priority: 'watch', ...(signal && { signal }) },
        )
      if (
        storeOffers(
          { store: session.store, fresh: session.fresh, shown: (each) => noteShown(session, each) },
          [offer],
          session.store.sync().round,
          mark,
        )
      )
        context.changes.notify('offers', accountId, subjectId)
      const facts = offerFacts(offer, undefined)
      return {
        ...emptyFacts,
        priceCents: facts.priceCents,
        customerCents: facts.customerCents,
        status: facts.status,
        leadCents: leadOf(facts),
      }
    } catch (error) {
      return nullIfNotFound(error)
    }
  }

  /** Returns null if the product can't be sold, otherwise the facts of its current offer. */
  async function currentProduct(
    accountId: string,
    { subjectId, state }: StoredEntry,
    signal?: AbortSignal,
  ): Promise<OutboxFacts | null> {
    const options = { priority: 'watch', ...(signal && { signal }) } as const
    if (state === 'waiting') await refresh(accountId)
    // A list that was read before the request could arrive proves nothing.
    else if (!(await listAgain(accountId)))
      throw outcomeUnknown('It isn’t known yet whether the offer was created.')
    const products = await context
      .connection(accountId)
      .call('listSellerProducts', { query: { search: subjectId, limit: 10 } }, options)
    if (!products.results.some(({ productId }) => productId === subjectId)) return null
    const { store } = sessionOf(accountId)
    const known = store.db
      .prepare('SELECT offer_id FROM offers WHERE product_id = :subjectId')
      .pluck()
      .get({ subjectId }) as string | undefined
    const offer = known === undefined ? undefined : readOffer(store.db, known)
    return offer === undefined ? emptyFacts : factsOfRow(offer)
  }

  const outboxHandlers = {
    'offer-price': {
      readCurrent: currentOffer,
      send: async (accountId, entry) =>
        void (await change(
          accountId,
          entry.subjectId,
          wantedOf(entry),
          entry.present?.priceCents ?? null,
        )),
    },
    'offer-status': {
      readCurrent: currentOffer,
      send: async (accountId, entry) =>
        void (await change(accountId, entry.subjectId, wantedOf(entry), null)),
    },
    'offer-new': {
      readCurrent: currentProduct,
      send: async (accountId, entry) =>
        void (await create(accountId, {
          productId: entry.subjectId,
          priceCents: entry.wanted.priceCents ?? ZERO,
          status: statusOf(entry.wanted.status) ?? 'active',
        })),
    },
  } satisfies Partial<Record<OutboxKind, OutboxHandler>>

  return {
    /** How the outbox compares and sends changes of offers. */
    outboxHandlers,
    /**
     * Queues a change of an offer. Price and status are separate entries, so that a conflict in one
     * doesn't block the other.
     *
     * @param seenCents the price that the person saw; null for the price of the row
     * @param lost set if the change may have been made: the outbox then checks that first
     */
    queueChange(
      accountId: string,
      row: OfferRow,
      wanted: DesiredOffer,
      seenCents: Cents | null,
      lost: Problem | null,
    ): void {
      const about = {
        subjectId: row.offerId,
        title: row.name,
        subtitle: variantLabel(row),
        seen: factsOfRow(withPrice(row, seenCents ?? row.priceCents)),
        seenAt: row.seenAt,
        lost,
      }
      // Before the price is queued: a rejected status must not leave half of the change.
      if (wanted.status !== null) outbox.replaceable(accountId, 'offer-status', row.offerId)
      if (wanted.priceCents !== null)
        outbox.add(accountId, {
          kind: 'offer-price',
          ...about,
          wanted: {
            ...emptyFacts,
            priceCents: wanted.priceCents,
            customerCents: customerCents(row, wanted.priceCents),
          },
        })
      if (wanted.status !== null)
        outbox.add(accountId, {
          kind: 'offer-status',
          ...about,
          wanted: { ...emptyFacts, status: wanted.status },
        })
    },
    queueNewOffer(
      accountId: string,
      asked: { productId: string; priceCents: Cents; status: OfferStatus },
    ): void {
      const { db } = sessionOf(accountId).store
      const product = knownProducts(db, [asked.productId]).get(asked.productId)
      if (product === undefined)
        throw failure(
          'NOT_FOUND',
          'This product isn’t in the catalogue on this computer.',
          'Sync the catalogue, then try again.',
          { effect: 'Nothing was queued.' },
        )
      outbox.add(accountId, {
        kind: 'offer-new',
        subjectId: asked.productId,
        title: product.name,
        subtitle: variantLabel(product),
        seen: emptyFacts,
        seenAt: context.clock.now(),
        wanted: { ...emptyFacts, priceCents: asked.priceCents, status: asked.status },
      })
    },
    /** A change that was sent directly replaces queued changes. */
    dropSuperseded(accountId: string, offerId: string, wanted: DesiredOffer): void {
      if (wanted.priceCents !== null) outbox.discardSuperseded(accountId, 'offer-price', offerId)
      if (wanted.status !== null) outbox.discardSuperseded(accountId, 'offer-status', offerId)
    },
    /**
     * Adds delayed and queued changes to rows. A change that is being sent or was rejected is newer
     * than a queued one, and takes precedence.
     */
    withQueuedChanges(accountId: string, rows: readonly OfferRow[]): OfferRow[] {
      const waiting = outbox.waiting(accountId, ['offer-price', 'offer-status'])
      const { delayed } = sessionOf(accountId)
      return rows.map((row) => {
        const later = delayed.get(row.offerId)
        if (later !== undefined) return { ...row, pending: delayedChange(later) }
        const entries = waiting.get(row.offerId)
        return entries === undefined || row.pending !== null
          ? row
          : { ...row, pending: pendingOf(entries) }
      })
    },
  }
}

const statusOf = (status: string | null): OfferStatus | null =>
  status === 'active' || status === 'paused' ? status : null

const delayedChange = ({ priceCents, status }: DesiredOffer): OfferRow['pending'] => ({
  state: 'saving',
  priceCents,
  status,
  problem: null,
  delayed: true,
})

function pendingOf(entries: readonly OutboxEntry[]): OfferRow['pending'] {
  const price = entries.find(({ kind }) => kind === 'offer-price')
  const status = entries.find(({ kind }) => kind === 'offer-status')
  return {
    state: 'waits',
    priceCents: price?.wanted.priceCents ?? null,
    status: statusOf(status?.wanted.status ?? null),
    problem: entries.find(({ state }) => state === 'unknown')?.problem ?? null,
    lost: [
      ...(price?.state === 'unknown' ? (['price'] as const) : []),
      ...(status?.state === 'unknown' ? (['status'] as const) : []),
    ],
  }
}

/** The row with an earlier price and the customer price that belonged to it. */
const withPrice = (row: OfferRow, priceCents: Cents): OfferRow =>
  priceCents === row.priceCents
    ? row
    : {
        ...row,
        priceCents,
        customerCents: customerCents(row, priceCents) ?? row.customerCents,
      }

/** The resulting customer price; null while the commission is unknown. */
const customerCents = ({ commission }: OfferRow, priceCents: Cents): Cents | null =>
  commission === null
    ? null
    : customerPrice(cents(priceCents), percentHundredths(commission.percent))
