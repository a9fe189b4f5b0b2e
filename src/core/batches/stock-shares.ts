/** The keys of one batch on an offer that this computer can account for. */
export type KnownKeys = {
  /** Keys the service added. */
  keys: number
  /** Of these, withdrawn and sold ones. */
  gone: number
  sold: number
  uploadedAt: number | null
}
/** `sent`: keys of the batch sent as replacements. `forSale`: its keys that are in stock. */
export type BatchShare = { sent: number; forSale: number }

/** At least and at most this many keys: some may be included in a reading or not. */
export type Range = { least: number; most: number }
/**
 * The service's number of keys in stock when it was read, and the keys that left the stock and
 * arrived in it since then.
 */
export type StockReading = { stock: number; left: Range; arrived: Range }

/**
 * An offer's stock now. A sale and the stock are read at different times, so the reading limits the
 * stock to a range: it is the keys that can be accounted for, or the closest number within the
 * range. Keys that were uploaded elsewhere make it larger, sales that aren't read yet smaller.
 *
 * @param known Keys in stock by this computer's records.
 */
function stockNow(known: number, { stock, left, arrived }: StockReading): number {
  const least = stock - left.most + arrived.least
  const most = stock - left.least + arrived.most
  return Math.max(0, least, Math.min(known, most))
}

/**
 * Divides an offer's stock among its batches, so that the counts of batches and stock agree. The
 * service takes the oldest key of an offer for a replacement and doesn't report which one
 * (Decision 31): each replacement is counted for the oldest batch that had a key left.
 *
 * @param batches All batches of the offer, oldest first.
 * @param replacedAt When each replacement from this offer's stock was sent, earliest first.
 * @param reading Null if the offer isn't mirrored.
 */
export function shareStock(
  batches: readonly KnownKeys[],
  { replacedAt, reading }: { replacedAt: readonly number[]; reading: StockReading | null },
): { stock: number | null; shares: BatchShare[] } {
  const left = batches.map(({ keys, gone, sold }) => Math.max(0, keys - gone - sold))
  const sent = batches.map(() => 0)
  for (const at of replacedAt) {
    const from = batches.findIndex(
      ({ uploadedAt }, index) => (left[index] ?? 0) > 0 && (uploadedAt ?? 0) <= at,
    )
    if (from < 0) continue
    left[from] = (left[from] ?? 0) - 1
    sent[from] = (sent[from] ?? 0) + 1
  }
  const known = left.reduce((sum, count) => sum + count, 0)
  const stock = reading === null ? null : stockNow(known, reading)
  // Keys that left the stock without a known sale were the oldest ones.
  let rest = stock ?? known
  const forSale = left
    .toReversed()
    .map((count) => {
      const share = Math.min(count, rest)
      rest -= share
      return share
    })
    .toReversed()
  return {
    stock,
    shares: batches.map((_, at) => ({ sent: sent[at] ?? 0, forSale: forSale[at] ?? 0 })),
  }
}
