import {
  cents,
  customerPrice,
  percentHundredths,
  sellerPriceFor,
} from '../../../server/api/money.ts'

/**
 * The customer's price when the seller receives `receiveCents`, at a commission in percent. Rounds
 * half up to the cent (Decision 3).
 */
export function customerPays(receiveCents: number, percent: number): number {
  return customerPrice(cents(receiveCents), percentHundredths(percent))
}

/**
 * The most the seller can receive while the customer pays at most `customerCents`; at least one
 * cent.
 */
export function sellerReceives(customerCents: number, percent: number): number {
  return sellerPriceFor(cents(customerCents), percentHundredths(percent))
}
