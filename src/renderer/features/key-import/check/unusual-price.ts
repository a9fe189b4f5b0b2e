import { guardPrice } from '../../offers/price/price-guard.ts'
import type { GuardedPrice } from '../../offers/price/price-guard.ts'
import type { Choice } from './created-offers-csv.ts'

/**
 * Why the price of a missing offer needs a second look: it is far from the best price of its
 * product. Null if it isn't, or if the best price isn't known.
 *
 * @param percent The guard from Settings; 0 allows every price.
 */
export function unusualPrice(
  { product, cents }: Pick<Choice, 'product' | 'cents'>,
  percent: number,
): GuardedPrice | null {
  const best = product?.bestSellerCents ?? null
  if (best === null || cents === null) return null
  return guardPrice({ priceCents: best, floorCents: null, ceilingCents: null }, cents, percent)
}
