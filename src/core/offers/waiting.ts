import { cents, customerPrice, percentHundredths } from '../../../server/api/money.ts'
import type { OfferRow } from '../../contract/offers.ts'
import type { OutboxEntry, OutboxFacts } from '../../contract/outbox.ts'
import { knownProducts } from '../catalogue/catalogue.ts'
import type { CoreContext } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import { noFacts } from '../outbox/outbox.ts'
import type { Outbox, StoredEntry } from '../outbox/outbox.ts'
import type { OfferDesk, Wanted } from './changing.ts'
import { leadOf, offerFacts } from './facts.ts'
import { readOffer } from './list.ts'
import { takeOffers } from './poll.ts'
import type { OfferStatus } from './store.ts'

/**
 * Whether a change certainly never left, because nothing could be reached: only then it may wait in
 * the outbox.
 */
export const isOffline = (error: unknown): error is Failure =>
  error instanceof Failure && error.problem.code === 'OFFLINE'

const factsOfRow = (row: OfferRow): OutboxFacts => ({
  ...noFacts,
  priceCents: row.priceCents,
  customerCents: row.customerCents,
  status: row.status,
  leadCents: leadOf(row),
})

type Parts = {
  context: CoreContext
  outbox: Outbox
  deskOf: (accountId: string) => OfferDesk
  change: (
    accountId: string,
    offerId: string,
    wanted: Wanted,
    expectedPriceCents: number | null,
  ) => Promise<OfferRow>
  /** Has the list of offers read again, unless that was done a moment ago. */
  refresh: (accountId: string) => Promise<void>
  create: (
    accountId: string,
    asked: { productId: string; priceCents: number; status: OfferStatus },
  ) => Promise<unknown>
}

/** Changes of offers that wait in the outbox until the service can be reached. */
export function createWaitingOffers({ context, outbox, deskOf, refresh, change, create }: Parts) {
  /** Reads one offer into the mirror too: what the outbox compares with is what the table shows. */
  async function presentOffer(
    accountId: string,
    { subjectId }: StoredEntry,
    signal?: AbortSignal,
  ): Promise<OutboxFacts | null> {
    const desk = deskOf(accountId)
    const mark = desk.fresh.mark()
    try {
      const offer = await context
        .connection(accountId)
        .call(
          'getOffer',
          { params: { id: subjectId } },
          { priority: 'watch', ...(signal && { signal }) },
        )
      if (
        takeOffers(
          { store: desk.store, fresh: desk.fresh, now: () => context.clock.now() },
          [offer],
          desk.store.sync().round,
          mark,
        )
      )
        context.changes.notify('offers', accountId, subjectId)
      const facts = offerFacts(offer, undefined)
      return {
        ...noFacts,
        priceCents: facts.priceCents,
        customerCents: facts.customerCents,
        status: facts.status,
        leadCents: leadOf(facts),
      }
    } catch (error) {
      if (error instanceof Failure && error.problem.code === 'NOT_FOUND') return null
      throw error
    }
  }

  /** Whether the product can still be sold, and the offer it has by now. */
  async function presentProduct(
    accountId: string,
    { subjectId }: StoredEntry,
    signal?: AbortSignal,
  ): Promise<OutboxFacts | null> {
    const options = { priority: 'watch', ...(signal && { signal }) } as const
    await refresh(accountId)
    const products = await context
      .connection(accountId)
      .call('listSellerProducts', { query: { search: subjectId, limit: 10 } }, options)
    if (!(products.results ?? []).some(({ productId }) => productId === subjectId)) return null
    const { store } = deskOf(accountId)
    const known = store.db
      .prepare('SELECT offer_id FROM offers WHERE product_id = :subjectId')
      .pluck()
      .get({ subjectId }) as string | undefined
    const offer = known === undefined ? undefined : readOffer(store.db, known)
    return offer === undefined ? noFacts : factsOfRow(offer)
  }

  const wantedOf = ({ wanted }: StoredEntry): Wanted => ({
    priceCents: wanted.priceCents,
    status: statusOf(wanted.status),
  })

  outbox.register('offer-price', {
    present: presentOffer,
    send: async (accountId, entry) =>
      void (await change(
        accountId,
        entry.subjectId,
        { ...wantedOf(entry), status: null },
        entry.present?.priceCents ?? null,
      )),
  })
  outbox.register('offer-status', {
    present: presentOffer,
    send: async (accountId, entry) =>
      void (await change(
        accountId,
        entry.subjectId,
        { ...wantedOf(entry), priceCents: null },
        null,
      )),
  })
  outbox.register('offer-new', {
    present: presentProduct,
    send: async (accountId, entry) =>
      void (await create(accountId, {
        productId: entry.subjectId,
        priceCents: entry.wanted.priceCents ?? 0,
        status: statusOf(entry.wanted.status) ?? 'active',
      })),
  })

  return {
    /**
     * Keeps a change of an offer, price and status apart: a conflict in one must not hold the
     * other.
     */
    keepChange(accountId: string, row: OfferRow, wanted: Wanted): void {
      const about = {
        subjectId: row.offerId,
        title: row.name,
        subtitle: [row.platform, row.region].filter(Boolean).join(' · '),
        seen: factsOfRow(row),
        seenAt: row.seenAt,
      }
      if (wanted.priceCents !== null)
        outbox.add(accountId, {
          kind: 'offer-price',
          ...about,
          wanted: {
            ...noFacts,
            priceCents: wanted.priceCents,
            customerCents: customerCents(row, wanted.priceCents),
          },
        })
      if (wanted.status !== null)
        outbox.add(accountId, {
          kind: 'offer-status',
          ...about,
          wanted: { ...noFacts, status: wanted.status },
        })
    },
    keepNew(
      accountId: string,
      asked: { productId: string; priceCents: number; status: OfferStatus },
    ): void {
      const { db } = deskOf(accountId).store
      const product = knownProducts(db, [asked.productId]).get(asked.productId)
      if (product === undefined)
        throw failure(
          'NOT_FOUND',
          'This product is not in the catalogue on this machine.',
          'Sync the catalogue, then try again.',
          { effect: 'Nothing was kept.' },
        )
      outbox.add(accountId, {
        kind: 'offer-new',
        subjectId: asked.productId,
        title: product.name,
        subtitle: [product.platform, product.region].filter(Boolean).join(' · '),
        seen: noFacts,
        seenAt: context.clock.now(),
        wanted: { ...noFacts, priceCents: asked.priceCents, status: asked.status },
      })
    },
    /** A change that was made at once takes the place of what waits. */
    made(accountId: string, offerId: string, wanted: Wanted): void {
      if (wanted.priceCents !== null) outbox.supersede(accountId, 'offer-price', offerId)
      if (wanted.status !== null) outbox.supersede(accountId, 'offer-status', offerId)
    },
    /**
     * Rows with what waits for them in the outbox. A change that is being sent or was refused is
     * newer, and stays.
     */
    shown(accountId: string, rows: readonly OfferRow[]): OfferRow[] {
      const waiting = outbox.waiting(accountId, ['offer-price', 'offer-status'])
      return rows.map((row) => {
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

function pendingOf(entries: readonly OutboxEntry[]): OfferRow['pending'] {
  const price = entries.find(({ kind }) => kind === 'offer-price')
  const status = entries.find(({ kind }) => kind === 'offer-status')
  return {
    state: 'waits',
    priceCents: price?.wanted.priceCents ?? null,
    status: statusOf(status?.wanted.status ?? null),
    problem: null,
  }
}

/** What the customer would pay, where the commission is known. */
const customerCents = ({ commission }: OfferRow, priceCents: number): number | null =>
  commission === null
    ? null
    : customerPrice(cents(priceCents), percentHundredths(commission.percent))
