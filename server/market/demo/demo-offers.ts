import type { Cents } from '../../api/money.ts'
import { cents } from '../../api/money.ts'
import type { SeededRandom } from '../random.ts'
import type { ProductFacts } from './facts.ts'
import { sellerPrice } from './supply.ts'

/** The market position of a demo seller's offer. */
export type OfferRole = 'cheapest' | 'behind' | 'sold-out' | 'never-stocked' | 'paused'

export interface DemoOffer {
  product: ProductFacts
  role: OfferRole
  price: Cents
  /** Units for its demo sales. */
  sold: number
  /** Units left after its sales. */
  stock: number
}

const roles: readonly { role: OfferRole; count: number }[] = [
  { role: 'cheapest', count: 18 },
  { role: 'behind', count: 12 },
  { role: 'sold-out', count: 5 },
  { role: 'never-stocked', count: 3 },
  { role: 'paused', count: 2 },
]

const demoSales = 120

/** Whether a product suits the demo seller: released, sold by others, with an ordinary price. */
const suits = ({ preLaunch, supplyUnknown, marketPrice, lowestPrice }: ProductFacts): boolean =>
  !preLaunch && !supplyUnknown && lowestPrice !== null && lowestPrice > 120 && marketPrice < 7500

const priceFor = (
  random: SeededRandom,
  role: OfferRole,
  { lowestPrice, marketPrice, commission }: ProductFacts,
): Cents => {
  const lowest = lowestPrice ?? marketPrice
  // Three cents below another's customer price are still below it after rounding.
  if (role === 'cheapest' || role === 'sold-out')
    return sellerPrice(
      lowest - random.between(3, Math.max(3, Math.min(60, Math.floor(lowest * 0.06)))),
      commission,
    )
  return cents(
    sellerPrice(lowest, commission) + random.between(4, Math.max(8, Math.floor(lowest * 0.12))),
  )
}

/**
 * Splits `total` into `count` shares, each at least 1 if possible, some much larger than others.
 */
const shares = (random: SeededRandom, total: number, count: number): number[] => {
  const dealt = Array.from({ length: count }, (_, index): number => (index < total ? 1 : 0))
  for (let left = total - count; left > 0; left--) {
    const index = Math.floor(random.next() ** 1.8 * count)
    dealt[index] = (dealt[index] ?? 0) + 1
  }
  return dealt
}

/**
 * The demo seller's 40 offers (fewer in a smaller catalogue), spread over the first suitable
 * products, with the number of sales of each.
 */
export const demoOffers = (
  random: SeededRandom,
  products: readonly ProductFacts[],
): DemoOffer[] => {
  const wanted = roles.flatMap(({ role, count }) => Array.from({ length: count }, () => role))
  const suitable = products.filter(suits).slice(0, 520)
  // A small catalogue leaves a few products to others.
  const chosen = random.sample(suitable, Math.min(wanted.length, Math.floor(suitable.length * 0.8)))
  // Assigned in turn, so that even a small catalogue has every role.
  const dealt = wanted
    .map((role, index) => ({ role, order: (index * 11) % wanted.length }))
    .toSorted((a, b) => a.order - b.order)
  const offers = chosen.map((product, index) => {
    const role = dealt[index]?.role ?? 'cheapest'
    const stocked =
      role === 'sold-out' || role === 'never-stocked'
        ? 0
        : random.chance(0.2)
          ? random.between(90, 160)
          : random.between(3, 48)
    return { product, role, price: priceFor(random, role, product), sold: 0, stock: stocked }
  })
  const selling = offers.filter(({ role }) => role === 'cheapest' || role === 'sold-out')
  shares(random, demoSales, selling.length).forEach((sold, index) => {
    const offer = selling[index]
    if (offer !== undefined) offer.sold = sold
  })
  return offers
}
