import type { ListPages } from './list-pages.ts'
import type { Accounts } from '../access/accounts.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Context } from '../context.ts'
import type { DisputeSettlement } from '../disputes/dispute-settlement.ts'
import type { Disputes } from '../disputes/disputes.ts'
import type { Idempotency } from '../orders/idempotency.ts'
import type { ApiKeys } from '../access/api-keys.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import type { Offers } from '../offers/offers.ts'
import type { OrderRequests } from '../orders/order-requests.ts'
import type { Orders } from '../orders/orders.ts'
import type { ProductEditing } from '../catalogue/product-editing.ts'
import type { Stock } from '../stock/stock.ts'
import type { TopUps } from '../ledger/top-ups.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

/** The parts of the service that the handlers use. */
export interface Parts {
  readonly context: Context
  readonly accounts: Accounts
  readonly catalogue: Catalogue
  readonly disputes: Disputes
  readonly editing: ProductEditing
  readonly idempotency: Idempotency
  readonly keys: ApiKeys
  readonly ledger: Ledger
  readonly listPages: ListPages
  readonly offers: Offers
  readonly orderRequests: OrderRequests
  readonly orders: Orders
  readonly settlement: DisputeSettlement
  readonly stock: Stock
  readonly terms: OfferTerms
  readonly topUps: TopUps
  readonly webhooks: Webhooks
}
