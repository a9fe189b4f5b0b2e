import type { Cents } from '../../api/money.ts'
import { cents } from '../../api/money.ts'
import type { SeededRandom } from '../random.ts'

/** One generated offer: its seller, its customer price and its number of units. */
export interface SupplyDraft {
  seller: number
  customerPrice: Cents
  units: number
}

/**
 * Above this many products, stock is small: rows of units take most of the time to generate the
 * demo data.
 */
const fullStockUpTo = 5000

const stockSizes = [
  { weight: 4, low: 100, high: 112 },
  { weight: 16, low: 15, high: 42 },
  { weight: 80, low: 2, high: 11 },
] as const

/** Together with the products that are sold out later, about 15 of 100 have no supply. */
const offerCounts = [
  { weight: 8, count: 0 },
  { weight: 25, count: 1 },
  { weight: 25, count: 2 },
  { weight: 18, count: 3 },
  { weight: 11, count: 4 },
  { weight: 6, count: 5 },
] as const

/**
 * The competitors' offers for a product: none for a few products, otherwise up to five around the
 * market price, each from a different seller. `sellers` is their number, `products` the size of the
 * catalogue.
 */
export const competitorSupply = (
  random: SeededRandom,
  marketPrice: Cents,
  sellers: number,
  products: number,
): SupplyDraft[] => {
  const large = products > fullStockUpTo
  const count = random.weighted(offerCounts).count
  if (count === 0) return []
  const size = large ? { low: 1, high: 4 } : random.weighted(stockSizes)
  const total = random.between(size.low, size.high)
  const chosen = random.sample(
    Array.from({ length: sellers }, (_, index) => index),
    large ? Math.min(count, 2) : count,
  )
  return chosen.map((seller, index) => {
    const share = Math.floor(total / chosen.length) + (index < total % chosen.length ? 1 : 0)
    return {
      seller,
      customerPrice: cents(
        Math.max(20, Math.round(marketPrice * (0.94 + random.next() ** 1.6 * 0.32))),
      ),
      units: share,
    }
  })
}

/** The seller's price that gives about this customer price, at this commission in percent. */
export const sellerPrice = (customerPrice: number, percent: number): Cents =>
  cents(Math.max(1, Math.round((customerPrice * 100) / (100 + percent))))
