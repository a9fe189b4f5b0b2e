import type { MarketStrategy } from '../../../api/dashboard/market.ts'
import { type Cents, cents, customerPrice, percentHundredths } from '../../../api/money.ts'
import { sellerPriceBounds } from '../../../api/schemas/offer.ts'
import type { SeededRandom } from '../../random.ts'

/** The input of a pricing decision. Prices are customer prices. */
export interface PriceView {
  own: Cents
  /** The lowest price of other sellers with stock; null if there are none. */
  rival: Cents | null
  /** The product's usual price. */
  usual: Cents
  /** Below this price, the seller loses money. */
  floor: Cents
  ceiling: Cents
  /** 0 to 23, UTC. */
  hour: number
  weekend: boolean
  /** Whether this seller has a price war for this product today. */
  war: boolean
}

/** The price a strategy would choose, before floor and ceiling. */
type Decide = (view: PriceView, random: SeededRandom) => number

/**
 * A seller that can't go lower waits, and sometimes gives up and returns to an ordinary price, so
 * that price races end and start again.
 */
const relent: Decide = ({ own, usual }, random) =>
  random.chance(0.12) ? usual * (0.98 + random.next() * 0.08) : own

/**
 * Just below the cheapest competitor, by `step` cents; also raises the price when that competitor
 * leaves.
 */
const below = (view: PriceView, random: SeededRandom, step: number): number => {
  const { own, rival, usual, floor } = view
  if (rival === null) return Math.max(own, usual)
  const target = rival - step
  if (target < floor) return relent(view, random)
  const leads = own < rival && own >= target - step
  return leads ? own : target
}

const decide: Readonly<Record<MarketStrategy, Decide>> = {
  undercutter: (view, random) => below(view, random, random.between(1, 5)),
  percentUndercutter: (view, random) =>
    below(view, random, Math.max(1, Math.round((view.rival ?? 0) * (0.01 + random.next() * 0.02)))),
  matcher: (view, random) => {
    const { own, rival, usual, floor } = view
    if (rival === null) return Math.max(own, usual)
    return rival < floor ? relent(view, random) : rival
  },
  premium: ({ own, usual }) => {
    const wanted = Math.ceil((usual * 1.1) / 100) * 100 - 1
    return Math.abs(own - wanted) > wanted * 0.04 ? wanted : own
  },
  opportunist: ({ own, rival, usual }, random) => {
    if (rival === null) return own * 1.05
    if (rival > own * 1.04) return rival * 0.985
    return rival < own && random.chance(0.4) ? Math.max(rival, usual * 0.94) : own
  },
  restocker: (view, random) => {
    const { own, rival, usual } = view
    if (rival === null) return usual * 1.04
    return random.chance(0.5) ? Math.max(rival, usual * 0.93) : own
  },
  scheduled: (view, random) => {
    if (view.weekend) return view.usual * 0.94
    if (view.hour < 7 || view.hour >= 19) return view.own
    return below(view, random, Math.max(1, Math.round(view.usual * 0.005)))
  },
  warrior: (view, random) => {
    const { own, rival, usual } = view
    if (view.war)
      return rival !== null && rival <= own ? rival * (0.94 + random.next() * 0.03) : own
    if (own < usual * 0.92) return usual * (0.97 + random.next() * 0.05)
    return rival !== null && rival < own && random.chance(0.3) ? Math.max(rival, usual * 0.95) : own
  },
}

/**
 * The customer price that a seller with this strategy chooses now: within floor and ceiling, in
 * cents.
 */
export function wantedPrice(
  strategy: MarketStrategy,
  view: PriceView,
  random: SeededRandom,
): Cents {
  const wanted = Math.round(decide[strategy](view, random))
  return cents(Math.max(view.floor, Math.min(wanted, Math.max(view.ceiling, view.floor))))
}

/**
 * The highest seller's price at which a customer pays at most this amount, with a commission in
 * percent; at least one cent.
 */
export function sellerPriceWithin(limit: Cents, percent: number): Cents {
  const hundredths = percentHundredths(percent)
  let price = Math.max(1, Math.floor((limit * 10_000) / (10_000 + hundredths)))
  while (customerPrice(cents(price + 1), hundredths) <= limit) price += 1
  while (price > 1 && customerPrice(cents(price), hundredths) > limit) price -= 1
  return cents(Math.min(price, sellerPriceBounds.max))
}
