import type { Database } from 'better-sqlite3'
import { replacementsFromStock } from '../disputes/disputes.ts'
import { importedBatches, movedKeys } from '../key-import/key-import.ts'
import type { ImportedBatch } from '../key-import/key-import.ts'
import { readStock } from '../offers/offers.ts'
import { countSoldSince } from '../sales/sales.ts'
import { countsOf, countUnreadSales, keysOf } from './counting.ts'
import type { Counted } from './counting.ts'
import { shareStock } from './stock-shares.ts'
import type { BatchShare, StockReading } from './stock-shares.ts'

/** The stock of an offer and its division among the offer's batches. */
export type OfferStock = {
  /** Null if the offer isn't mirrored. */
  stock: number | null
  shareOf: (batch: Pick<ImportedBatch, 'importNumber' | 'offer'>) => BatchShare
}

/** The service's time is known to this many milliseconds: its Date header is in seconds. */
const SERVICE_TIME_MS = 1000
const keyOf = ({ importNumber, offer }: Pick<ImportedBatch, 'importNumber' | 'offer'>): string =>
  `${importNumber}.${offer}`

/** Returns a lookup of offers' stock that reads each offer once. Call it without waiting in between. */
export function stockReader(db: Database, counted: Counted): (offerId: string) => OfferStock {
  const known = new Map<string, OfferStock>()

  function read(offerId: string): OfferStock {
    const batches = importedBatches(db, offerId).toReversed()
    const counts = batches.map(({ importNumber, offer }) => countsOf(counted, importNumber, offer))
    const unread = counts.map(countUnreadSales)
    const replacements = replacementsFromStock(db, offerId)
    const { stock, shares } = shareStock(
      batches.map((batch, at) => ({
        keys: keysOf(db, batch, countsOf(counted, batch.importNumber, batch.offer)),
        gone: batch.gone,
        sold: (counts[at]?.sold ?? 0) + (unread[at] ?? 0),
        uploadedAt: batch.startedAt,
      })),
      {
        replacedAt: replacements.map(({ settledAt }) => settledAt),
        reading: readingOf(
          db,
          offerId,
          replacements,
          unread.reduce((sum, count) => sum + count, 0),
        ),
      },
    )
    const byBatch = new Map(batches.map((batch, at) => [keyOf(batch), shares[at]]))
    return { stock, shareOf: (batch) => byBatch.get(keyOf(batch)) ?? { sent: 0, forSale: 0 } }
  }
  return (offerId) => {
    const offer = known.get(offerId) ?? read(offerId)
    known.set(offerId, offer)
    return offer
  }
}

/**
 * An offer's stock when it was read, with the keys that moved since. A movement that ended before the
 * request was sent is included in the reading, one that began after the response isn't, and one in
 * between may be.
 */
function readingOf(
  db: Database,
  offerId: string,
  replacements: readonly { writtenAt: number; settledAt: number }[],
  unreadSales: number,
): StockReading | null {
  const found = readStock(db, offerId)
  if (found === null) return null
  const { stock, askedAt, seenAt, serviceAhead } = found
  const sold = countSoldSince(db, offerId, {
    from: askedAt + serviceAhead - SERVICE_TIME_MS,
    to: seenAt + serviceAhead + SERVICE_TIME_MS,
  })
  const { arrived, withdrawn } = movedKeys(db, offerId, { from: askedAt, to: seenAt })
  const replaced = {
    least: replacements.filter(({ writtenAt }) => writtenAt > seenAt).length,
    most: replacements.filter(({ settledAt }) => settledAt >= askedAt).length,
  }
  return {
    stock,
    arrived,
    left: {
      least: sold.least + replaced.least,
      most: sold.most + replaced.most + withdrawn + unreadSales,
    },
  }
}
