import {
  addCents,
  atLeast,
  cents,
  type Cents,
  customerPrice,
  percentHundredths,
  percentRoundedUp,
  sellerPriceFor,
  subtractCents,
} from '../../../../server/api/money.ts'
import type { PriceRule, PriceStep } from '../../../contract/price-watch/price-rules.ts'

/** A step in cents; a percentage is at least one cent. */
export const stepCents = (step: PriceStep, of: Cents): Cents =>
  step.by === 'amount' ? step.cents : atLeast(percentRoundedUp(of, step.percent), cents(1))

/**
 * The highest customer price up to `customer` with this ending; `customer` itself if there is none.
 */
export function endingDown(customer: Cents, ending: PriceRule['ending']): Cents {
  if (ending === null) return customer
  const every = 10 ** ending.length
  const past = (((customer - Number(ending)) % every) + every) % every
  const down = subtractCents(customer, cents(past))
  return down >= 1 ? down : customer
}

/** The lowest customer price from `customer` on with this ending. */
export function endingUp(customer: Cents, ending: PriceRule['ending']): Cents {
  if (ending === null) return customer
  const every = 10 ** ending.length
  const missing = (((Number(ending) - customer) % every) + every) % every
  return addCents(customer, cents(missing))
}

/** The seller's payout so that the customer pays at most `customer`. */
export const receiveFor = (customer: Cents, commissionPercent: number): Cents =>
  sellerPriceFor(atLeast(customer, cents(1)), percentHundredths(commissionPercent))

/** The customer price. */
export const customerFor = (receive: Cents, commissionPercent: number): Cents =>
  customerPrice(receive, percentHundredths(commissionPercent))
