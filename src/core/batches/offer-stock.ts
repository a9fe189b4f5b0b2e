import type { Database } from 'better-sqlite3'
import { replacementsFromStock } from '../disputes/disputes.ts'
import { importedBatches } from '../key-import/key-import.ts'
import type { ImportedBatch } from '../key-import/key-import.ts'
import { readStock } from '../offers/offers.ts'
import { countSoldSince } from '../sales/sales.ts'
import type { BatchesContext } from './context.ts'
import { countsOf, countUnreadSales } from './counting.ts'
import type { Counted } from './counting.ts'
import { shareStock } from './stock-shares.ts'
import type { BatchShare } from './stock-shares.ts'

/** The stock of an offer and its division among the offer's batches. */
export type OfferStock = {
  /** Null if the offer isn't mirrored. */
  stock: number | null
  shareOf: (batch: Pick<ImportedBatch, 'importNumber' | 'offer'>) => BatchShare
}

/** An offer's stock may have been read this much before it was written, in milliseconds. */
const READ_MS = 5000
const keyOf = ({ importNumber, offer }: Pick<ImportedBatch, 'importNumber' | 'offer'>): string =>
  `${importNumber}.${offer}`

/** Returns a lookup of offers' stock that reads each offer once. */
export function stockReader(
  { accounts, clock }: Pick<BatchesContext, 'accounts' | 'clock'>,
  { accountId, db, counted }: { accountId: string; db: Database; counted: Counted },
): (offerId: string) => OfferStock {
  const known = new Map<string, OfferStock>()
  const serviceAhead = accounts.serviceNow(accountId) - clock.now()

  function read(offerId: string): OfferStock {
    const batches = importedBatches(db, offerId).toReversed()
    const counts = batches.map(({ importNumber, offer }) => countsOf(counted, importNumber, offer))
    const unread = counts.map(countUnreadSales)
    const found = readStock(db, offerId)
    const replacedAt = replacementsFromStock(db, offerId)
    const since = found === null ? 0 : found.seenAt - READ_MS
    const newer =
      replacedAt.filter((at) => at >= since).length +
      countSoldSince(db, offerId, since + serviceAhead) +
      unread.reduce((sum, count) => sum + count, 0)
    const { stock, shares } = shareStock(
      batches.map(({ keys, gone, startedAt }, at) => ({
        keys,
        gone,
        sold: (counts[at]?.sold ?? 0) + (unread[at] ?? 0),
        uploadedAt: startedAt,
      })),
      { replacedAt, stock: found?.stock ?? null, newer },
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
