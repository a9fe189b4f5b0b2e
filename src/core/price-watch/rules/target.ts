import {
  cents,
  customerPrice,
  percentHundredths,
  sellerPriceFor,
} from '../../../../server/api/money.ts'
import type { PriceRule, PriceStep } from '../../../contract/price-rules.ts'

/** A step in cents; a percentage is at least one cent. */
export const stepCents = (step: PriceStep, of: number): number =>
  step.by === 'amount'
    ? step.cents
    : Math.max(1, Math.ceil((of * percentHundredths(step.percent)) / 10_000))

/**
 * The highest customer price up to `customer` with this ending; `customer` itself if there is none.
 */
export function endingDown(customer: number, ending: PriceRule['ending']): number {
  if (ending === null) return customer
  const every = 10 ** ending.length
  const down = customer - ((((customer - Number(ending)) % every) + every) % every)
  return down >= 1 ? down : customer
}

/** The lowest customer price from `customer` on with this ending. */
export function endingUp(customer: number, ending: PriceRule['ending']): number {
  if (ending === null) return customer
  const down = endingDown(customer, ending)
  return down === customer ? customer : down + 10 ** ending.length
}

/** What the seller receives so that the customer pays at most `customer`. */
export const receiveFor = (customer: number, commissionPercent: number): number =>
  sellerPriceFor(cents(Math.max(1, customer)), percentHundredths(commissionPercent))

/** What the customer pays. */
export const customerFor = (receive: number, commissionPercent: number): number =>
  customerPrice(cents(receive), percentHundredths(commissionPercent))
