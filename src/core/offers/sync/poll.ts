import type { ServiceConnection } from '../../context.ts'
import { Failure } from '../../failure.ts'
import { knownProducts } from '../../catalogue/catalogue.ts'
import { offerFacts } from './facts.ts'
import type { OfferFacts, ServiceOffer } from './facts.ts'
import { thinDaily } from '../../mirror/mirror.ts'
import { OFFER_HISTORY } from '../schema.ts'
import type { OfferRecord, OfferStore, ReadTime } from '../store.ts'

const PAGE_LIMIT = 100
/**
 * Offers missing from a listing are read one by one before they are removed; at most this many per
 * sync pass.
 */
const MAX_CHECKED = 50

/** Protects recent changes by a person from responses that were already in flight. */
export interface Freshness {
  /** A mark of the current moment. */
  mark(): Mark
  /** Whether the offer was read individually or changed since the mark. */
  newerThan(offerId: string, mark: Mark): boolean
  touch(offerId: string): void
  /** The times of a response that arrives now; `mark` was taken before its request was sent. */
  readTime(mark: Mark | null): ReadTime
}

/** `count`: how many changes there were before. `at`: this computer's time. */
type Mark = { count: number; at: number }

export type OfferPoll = {
  store: OfferStore
  connection: Pick<ServiceConnection, 'call'>
  now: () => number
  signal: AbortSignal
  fresh: Freshness
  /** Called for each offer that differs from the previous reading. */
  changed?: (before: OfferRecord, now: OfferFacts) => void
  /** Called for each offer as the service shows it, unless it was changed since. */
  shown?: (offer: ServiceOffer) => void
  /** Called for each page of the first sync, so that the list grows as it is read. */
  onPage?: () => void
}

/**
 * Writes the offers of one response and returns whether any changed. `mark`: taken before the
 * request was sent.
 */
export function storeOffers(
  poll: Pick<OfferPoll, 'store' | 'fresh' | 'changed' | 'shown'>,
  offers: readonly ServiceOffer[],
  round: number,
  mark: Mark | null,
): boolean {
  const { store } = poll
  const productIds = offers.flatMap((offer) => offer.productId ?? [])
  const products = knownProducts(store.db, productIds)
  const readTime = poll.fresh.readTime(mark)
  return store.db.transaction(() =>
    offers.reduce((changed, offer) => {
      if (mark !== null && poll.fresh.newerThan(offer.id, mark)) return changed
      poll.shown?.(offer)
      const facts = offerFacts(offer, products.get(offer.productId ?? ''))
      return store.put(facts, readTime, round, (before) => poll.changed?.(before, facts)) || changed
    }, false),
  )()
}

/**
 * Reads all pages of the seller's offers (Seller API, GET /offers). The service's data overwrites
 * the mirror, including changes by another console; responses older than a local change are
 * skipped. Returns whether anything changed.
 */
export async function pollOffers(poll: OfferPoll): Promise<boolean> {
  const { store } = poll
  const { round: previous, lastAt } = store.sync()
  const round = previous + 1
  const began = poll.fresh.mark()
  let changed = false
  let page = 1
  for (; ; page += 1) {
    const mark = poll.fresh.mark()
    const answer = await poll.connection.call(
      'listOffers',
      { query: { page, limit: PAGE_LIMIT } },
      { priority: page === 1 ? 'watch' : 'background', signal: poll.signal },
    )
    poll.signal.throwIfAborted()
    const offers = answer.results
    changed = storeOffers(poll, offers, round, mark) || changed
    if (lastAt === null) poll.onPage?.()
    if (answer.hasMore === undefined ? offers.length < PAGE_LIMIT : !answer.hasMore) break
  }
  for (const offerId of store.unseen(round, MAX_CHECKED)) {
    if (poll.fresh.newerThan(offerId, began)) continue
    changed = (await readOne(poll, offerId, round)) || changed
  }
  store.writeSync({ round, pages: page, lastAt: poll.now() })
  await thinDaily(store.db, OFFER_HISTORY, poll.now(), poll.signal)
  return changed
}

/**
 * Reads one offer, and removes it from the mirror if the service no longer has it. Returns whether
 * anything changed.
 */
async function readOne(poll: OfferPoll, offerId: string, round: number): Promise<boolean> {
  const mark = poll.fresh.mark()
  try {
    const offer = await poll.connection.call(
      'getOffer',
      { params: { id: offerId } },
      { priority: 'background', signal: poll.signal },
    )
    return storeOffers(poll, [offer], round, mark)
  } catch (error) {
    if (!(error instanceof Failure) || error.problem.code !== 'NOT_FOUND') throw error
    if (poll.fresh.newerThan(offerId, mark)) return false
    poll.store.db.transaction(() => poll.store.drop(offerId))()
    return true
  }
}

/** In memory only: marks matter only while responses are in flight. */
export function createFreshness(clock: {
  now(): number
  /** The service's clock minus this computer's, in milliseconds. */
  serviceAhead(): number
}): Freshness {
  const touched = new Map<string, number>()
  let counter = 0
  return {
    mark: () => ({ count: counter, at: clock.now() }),
    newerThan: (offerId, { count }) => (touched.get(offerId) ?? 0) > count,
    readTime: (mark) => ({
      askedAt: mark?.at ?? null,
      seenAt: clock.now(),
      serviceAhead: clock.serviceAhead(),
    }),
    touch(offerId) {
      counter += 1
      touched.set(offerId, counter)
    },
  }
}
