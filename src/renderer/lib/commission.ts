import {
  type Cents,
  customerPrice,
  percentHundredths,
  sellerPriceFor,
} from '../../../server/api/money.ts'

/**
 * The customer's price when the seller receives `receiveCents`, at a commission in percent. Rounds
 * half up to the cent (Decision 3).
 */
export function customerPays(receiveCents: Cents, percent: number): Cents {
  return customerPrice(receiveCents, percentHundredths(percent))
}

/**
 * The most the seller can receive while the customer pays at most `customerCents`; at least one
 * cent.
 */
export function sellerReceives(customerCents: Cents, percent: number): Cents {
  return sellerPriceFor(customerCents, percentHundredths(percent))
}
