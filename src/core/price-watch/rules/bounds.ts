import {
  addCents,
  cents,
  type Cents,
  percentHundredths,
  percentRoundedUp,
  sellerPriceFor,
  subtractCents,
  ZERO,
} from '../../../../server/api/money.ts'
import type { PriceCeiling, PriceFloor } from '../../../contract/price-watch/price-rules.ts'
import type { OfferFacts } from './facts.ts'

/** The range of prices that the service accepts, in cents (Seller API, Decision 27). */
export const leastPriceCents = cents(1)
export const mostPriceCents = cents(10_000_000)

export type Bound =
  { ok: true; cents: Cents | null } | { ok: false; reason: 'no-cost' | 'no-commission' }

type Known = Pick<OfferFacts, 'costCents' | 'commissionPercent'>
type Limit = Exclude<PriceCeiling, { kind: 'none' }>

/** The lowest price by this limit, in what the seller receives. */
export function floorOf(floor: PriceFloor, known: Known): Bound {
  const bound = limitOf(floor, known)
  if (!bound.ok || bound.cents !== null) return bound
  // The lowest price whose customer price is not below the limit.
  const customer = floor.kind === 'customer' ? floor.cents : ZERO
  if (customer <= 1) return { ok: true, cents: leastPriceCents }
  const below = sellerPriceFor(
    subtractCents(customer, cents(1)),
    percentHundredths(known.commissionPercent ?? 0),
  )
  return { ok: true, cents: addCents(below, cents(1)) }
}

/** The highest price by this limit, in what the seller receives; null: no limit. */
export function ceilingOf(ceiling: PriceCeiling, known: Known): Bound {
  if (ceiling.kind === 'none') return { ok: true, cents: null }
  const bound = limitOf(ceiling, known)
  if (!bound.ok || bound.cents !== null) return bound
  return {
    ok: true,
    cents: sellerPriceFor(
      ceiling.kind === 'customer' ? ceiling.cents : ZERO,
      percentHundredths(known.commissionPercent ?? 0),
    ),
  }
}

/**
 * A limit in what the seller receives. `cents` null: the limit is a customer price, and the
 * commission is known.
 */
function limitOf(limit: Limit, { costCents, commissionPercent }: Known): Bound {
  if (limit.kind === 'receive') return { ok: true, cents: limit.cents }
  if (limit.kind === 'customer')
    return commissionPercent === null
      ? { ok: false, reason: 'no-commission' }
      : { ok: true, cents: null }
  if (costCents === null) return { ok: false, reason: 'no-cost' }
  return {
    ok: true,
    cents: addCents(costCents, limit.profitCents, percentRoundedUp(costCents, limit.profitPercent)),
  }
}
