import { cents, customerPrice, percentHundredths } from '../../../server/api/money.ts'

/** What the customer pays when the seller receives `receiveCents`, at a commission in percent: half up, to the cent (Decision 3). */
export function customerOf(receiveCents: number, percent: number): number {
  return customerPrice(cents(receiveCents), percentHundredths(percent))
}

/** The most the seller can receive so that the customer pays at most `customerCents`; at least one cent. */
export function receiveOf(customerCents: number, percent: number): number {
  let receive = Math.ceil(customerCents / (1 + percent / 100)) + 1
  while (receive > 1 && customerOf(receive, percent) > customerCents) receive--
  return Math.max(1, receive)
}
