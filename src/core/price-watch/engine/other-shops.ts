import { atMost, type Cents } from '../../../../server/api/money.ts'
import { msSince } from '../../clock.ts'
import type { Monotonic } from '../../clock.ts'
import type { Offers } from '../../offers/offers.ts'
import type { PriceWatchContext } from '../context.ts'

/** How often prices of the seller's other shops on this computer are read. */
const OTHER_SHOPS_FRESH_MS = 15_000

/**
 * Returns a function that reads the lowest customer price of each product in the seller's other
 * shops on the same service.
 */
export function createOtherShops(
  context: Pick<PriceWatchContext, 'accounts' | 'clock'>,
  offers: Offers,
  accountId: string,
): () => ReadonlyMap<string, Cents> {
  let others: { at: Monotonic; lowest: ReadonlyMap<string, Cents> } | null = null
  return () => {
    if (others !== null && msSince(context.clock, others.at) < OTHER_SHOPS_FRESH_MS)
      return others.lowest
    const { baseUrl } = context.accounts.get(accountId)
    const lowest = new Map<string, Cents>()
    for (const other of context.accounts.list({ role: 'seller', baseUrl })) {
      if (other.id === accountId) continue
      for (const [productId, cents] of offers.pricing.customerPrices(other.id))
        lowest.set(productId, atMost(cents, lowest.get(productId) ?? cents))
    }
    others = { at: context.clock.monotonic(), lowest }
    return lowest
  }
}
