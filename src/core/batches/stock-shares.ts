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

/**
 * Divides an offer's stock among its batches, so that the counts of batches and stock agree. The
 * service takes the oldest key of an offer for a replacement and doesn't report which one
 * (Decision 31): each replacement is counted for the oldest batch that had a key left.
 *
 * @param batches All batches of the offer, oldest first.
 * @param replacedAt When each replacement from this offer's stock was sent, earliest first.
 * @param stock The service's number of keys in stock; null if unknown.
 * @param newer Sales and replacements that may be newer than that number.
 */
export function shareStock(
  batches: readonly KnownKeys[],
  {
    replacedAt,
    stock,
    newer,
  }: { replacedAt: readonly number[]; stock: number | null; newer: number },
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
  const inStock = stock === null ? null : stock - Math.min(newer, Math.max(0, stock - known))
  // Keys that left the stock without a known sale were the oldest ones.
  let rest = inStock ?? known
  const forSale = left
    .toReversed()
    .map((count) => {
      const share = Math.min(count, rest)
      rest -= share
      return share
    })
    .toReversed()
  return {
    stock: inStock,
    shares: batches.map((_, at) => ({ sent: sent[at] ?? 0, forSale: forSale[at] ?? 0 })),
  }
}
