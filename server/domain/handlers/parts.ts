import type { Accounts } from '../accounts.ts'
import type { Catalogue } from '../catalogue.ts'
import type { Context } from '../context.ts'
import type { DisputeSettlement } from '../dispute-settlement.ts'
import type { Disputes } from '../disputes.ts'
import type { Idempotency } from '../idempotency.ts'
import type { Keys } from '../keys.ts'
import type { Ledger } from '../ledger.ts'
import type { OfferTerms } from '../offer-terms.ts'
import type { Offers } from '../offers.ts'
import type { OrderRequests } from '../order-requests.ts'
import type { Orders } from '../orders.ts'
import type { ProductEditing } from '../product-editing.ts'
import type { Stock } from '../stock.ts'
import type { TopUps } from '../top-ups.ts'
import type { Webhooks } from '../webhooks.ts'

/** The parts of the service that handlers answer from. */
export interface Parts {
  readonly context: Context
  readonly accounts: Accounts
  readonly catalogue: Catalogue
  readonly disputes: Disputes
  readonly editing: ProductEditing
  readonly idempotency: Idempotency
  readonly keys: Keys
  readonly ledger: Ledger
  readonly offers: Offers
  readonly orderRequests: OrderRequests
  readonly orders: Orders
  readonly settlement: DisputeSettlement
  readonly stock: Stock
  readonly terms: OfferTerms
  readonly topUps: TopUps
  readonly webhooks: Webhooks
}
