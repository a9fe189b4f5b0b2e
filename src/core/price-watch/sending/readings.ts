import { isFresh } from '../../clock.ts'
import { Failure, canBeSentLater, isUnread } from '../../failure.ts'
import type { Offers } from '../../offers/offers.ts'
import type { PriceWatchContext } from '../context.ts'
import type { PriceEngine } from '../engine/price-engine.ts'
import { maxReadingAgeMs } from './pre-send-check.ts'
import type { Send } from './send-store.ts'

/**
 * How many prices are checked together, and journaled and settled in one transaction each, and how
 * many of them are in flight at the same time.
 */
export const pace = { batch: 8, inFlight: 1 } as const
/**
 * For services without a rate limit: there, waiting for the disk and for responses takes most of
 * the time.
 */
export const unlimitedPace = { batch: 32, inFlight: 4 } as const
export type Pace = typeof pace | typeof unlimitedPace

export type ReadingParts = {
  context: PriceWatchContext
  offers: Offers
  accountId: string
  keeper: PriceEngine
  lookUp: (offerIds: readonly string[], signal: AbortSignal) => Promise<void>
}

/**
 * `later`: the service can't be reached. `unread`: it responded, but not with the offer. A Failure:
 * the offer can't be read.
 */
type Reading = 'known' | 'gone' | 'later' | 'unread' | Failure

/** Reads what prices are checked by, unless that was done a moment ago. */
export function createReadings({ context, offers, accountId, keeper, lookUp }: ReadingParts) {
  /** Offers of a batch that were read a moment ago, by id. */
  const freshOf = (batch: readonly Send[]): ReadonlySet<string> =>
    new Set(
      offers.pricing
        .byIds(
          accountId,
          batch.map(({ offerId }) => offerId),
        )
        .filter(({ seenAt }) => isFresh(context.clock, seenAt, maxReadingAgeMs / 2))
        .map(({ offerId }) => offerId),
    )

  /**
   * The offers of a batch that needn't be read again. If more prices are queued than the list has
   * pages, the list is read instead of each offer; only without a rate limit, because with one it
   * would be old before it is complete.
   */
  async function known(batch: readonly Send[], { inFlight }: Pace): Promise<ReadonlySet<string>> {
    const fresh = freshOf(batch)
    const { lastAt, pages } = offers.pricing.lastListing(accountId)
    if (
      fresh.size === batch.length ||
      inFlight === 1 ||
      keeper.store.openSends() <= pages ||
      (lastAt !== null && isFresh(context.clock, lastAt, maxReadingAgeMs / 2))
    )
      return fresh
    await offers.pricing.refreshList(accountId)
    return freshOf(batch)
  }

  /** Reads an offer again. */
  async function readAgain(send: Send, signal: AbortSignal): Promise<Reading> {
    try {
      const found = await offers.pricing.refreshOffer(accountId, send.offerId, {
        priority: 'watch',
        signal,
      })
      return found === null ? 'gone' : 'known'
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (signal.aborted) return 'later'
      if (isUnread(error)) return 'unread'
      return canBeSentLater(error) ? 'later' : error
    }
  }

  /** The best prices of these sends' offers, looked up unless that was done a moment ago. */
  async function lookUpOld(sends: readonly Send[], signal: AbortSignal): Promise<void> {
    const known = keeper.consider(sends.map(({ offerId }) => offerId))
    const raised = new Set(
      sends.filter(({ reason }) => reason === 'raise').map(({ offerId }) => offerId),
    )
    const old = known
      .map(({ facts }) => facts)
      .filter(
        ({ offerId, bestAt }) =>
          !raised.has(offerId) &&
          (bestAt === null || !isFresh(context.clock, bestAt, maxReadingAgeMs)),
      )
      .map(({ offerId }) => offerId)
    if (old.length === 0) return
    await lookUp(old, signal)
    keeper.consider(old)
  }

  return {
    /** Reads the offers of a batch again. */
    async readBatch(
      batch: readonly Send[],
      at: Pace,
      signal: AbortSignal,
    ): Promise<ReadonlyMap<Send, Reading>> {
      const fresh = await known(batch, at)
      return new Map(
        await Promise.all(
          batch.map(async (send): Promise<[Send, Reading]> => [
            send,
            fresh.has(send.offerId) ? 'known' : await readAgain(send, signal),
          ]),
        ),
      )
    },
    lookUpOld,
  }
}
