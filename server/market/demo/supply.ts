import type { Cents } from '../../api/money.ts'
import { cents } from '../../api/money.ts'
import type { SeededRandom } from '../random.ts'

/** One seller's offer as invented: whose, at what price to the customer, with how many units. */
export interface SupplyDraft {
  seller: number
  customerPrice: Cents
  units: number
}

/**
 * Above this many products, stock is kept small: rows of units cost most of the time it takes to
 * build a world.
 */
const fullStockUpTo = 5000

const stockSizes = [
  { weight: 4, low: 100, high: 112 },
  { weight: 16, low: 15, high: 42 },
  { weight: 80, low: 2, high: 11 },
] as const

/** With the products that are sold out later, about 15 of 100 have no supply. */
const offerCounts = [
  { weight: 8, count: 0 },
  { weight: 25, count: 1 },
  { weight: 25, count: 2 },
  { weight: 18, count: 3 },
  { weight: 11, count: 4 },
  { weight: 6, count: 5 },
] as const

/**
 * The competitors' offers for a product: none for a few products, else up to five around the market
 * price, each of another seller. `sellers` is how many there are, `products` the size of the
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

/**
 * The seller's price under which the customer pays about this much at this commission in percent.
 */
export const sellerPrice = (customerPrice: number, percent: number): Cents =>
  cents(Math.max(1, Math.round((customerPrice * 100) / (100 + percent))))
