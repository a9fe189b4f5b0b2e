import {
  addCents,
  atLeast,
  atMost,
  cents,
  type Cents,
  percentHundredths,
  percentRoundedUp,
  sellerPriceFor,
  subtractCents,
} from '../../../../server/api/money.ts'
import type { PriceCeiling, PriceFloor } from '../../../contract/price-watch/price-rules.ts'
import type { OfferFacts } from './facts.ts'

/** The range of prices that the service accepts, in cents (Seller API, Decision 27). */
const leastPriceCents = cents(1)
export const mostPriceCents = cents(10_000_000)

/** A limit in the amount that the seller receives, or why it can't be computed. */
export type Bound<Limit extends Cents | null> =
  | { ok: true; cents: Limit }
  | { ok: false; reason: 'no-cost' | 'no-commission' }

type Known = Pick<
  OfferFacts,
  'costCents' | 'commissionPercent' | 'ownFloorCents' | 'ownCeilingCents'
>

/** The lowest price by this limit, in the amount that the seller receives: never below the offer's own floor. */
export function floorOf(floor: PriceFloor, known: Known): Bound<Cents> {
  const bound = limitOf(floor, known, lowestPriceFor)
  return bound.ok && known.ownFloorCents !== null
    ? { ok: true, cents: atLeast(bound.cents, known.ownFloorCents) }
    : bound
}

/**
 * The highest price by this limit, in the amount that the seller receives: never above the offer's own ceiling.
 * Null: no limit.
 */
export function ceilingOf(ceiling: PriceCeiling, known: Known): Bound<Cents | null> {
  if (ceiling.kind === 'none') return { ok: true, cents: known.ownCeilingCents }
  const bound = limitOf(ceiling, known, sellerPriceFor)
  return bound.ok && known.ownCeilingCents !== null
    ? { ok: true, cents: atMost(bound.cents, known.ownCeilingCents) }
    : bound
}

/** The lowest seller's price at which the customer pays at least `customer`. */
const lowestPriceFor = (customer: Cents, hundredths: number): Cents =>
  customer <= leastPriceCents
    ? leastPriceCents
    : addCents(sellerPriceFor(subtractCents(customer, cents(1)), hundredths), cents(1))

/** A limit in the amount that the seller receives. `priceFor` converts a customer price with a commission. */
function limitOf(
  limit: PriceFloor,
  { costCents, commissionPercent }: Known,
  priceFor: (customer: Cents, hundredths: number) => Cents,
): Bound<Cents> {
  if (limit.kind === 'receive') return { ok: true, cents: limit.cents }
  if (limit.kind === 'customer')
    return commissionPercent === null
      ? { ok: false, reason: 'no-commission' }
      : { ok: true, cents: priceFor(limit.cents, percentHundredths(commissionPercent)) }
  if (costCents === null) return { ok: false, reason: 'no-cost' }
  return {
    ok: true,
    cents: addCents(costCents, limit.profitCents, percentRoundedUp(costCents, limit.profitPercent)),
  }
}
