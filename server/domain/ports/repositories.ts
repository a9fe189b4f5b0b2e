import type { AccountRepository } from './accounts.ts'
import type { BulkRepository } from './bulk.ts'
import type { CatalogueRepository } from './catalogue.ts'
import type { DisputeRepository } from './selling/disputes.ts'
import type { IdempotencyRepository } from './ordering/idempotency.ts'
import type { LedgerRepository } from './ordering/ledger.ts'
import type { MarketRepository } from './market.ts'
import type { OfferRepository } from './selling/offers.ts'
import type { OrderRepository } from './ordering/orders.ts'
import type { SaleRepository } from './selling/sales.ts'
import type { StockRepository } from './selling/stock.ts'
import type { WebhookRepository } from './ordering/webhooks.ts'

/** Small named values of the service itself. */
export interface SettingsRepository {
  get(name: string): string | undefined
  set(name: string, value: string): void
}

/**
 * The data of one state. There is one process and one writer: every function is synchronous, and
 * each call outside a transaction commits on its own.
 */
export interface Repositories {
  /**
   * Runs `work` in one durable transaction, or inside the running one, and returns its result. When
   * it throws, all its effects are rolled back.
   */
  transaction<T>(work: () => T): T
  /**
   * Runs `work` as a part of the running transaction that can fail alone. When it throws, only its
   * own effects are rolled back.
   */
  savepoint<T>(work: () => T): T
  /** Runs `effect` once the running transaction is durable, and never when it is rolled back. */
  afterCommit(effect: () => void): void
  /** A text that differs after each change of the data. */
  version(): string
  readonly accounts: AccountRepository
  readonly bulk: BulkRepository
  readonly catalogue: CatalogueRepository
  readonly disputes: DisputeRepository
  readonly idempotency: IdempotencyRepository
  readonly ledger: LedgerRepository
  readonly market: MarketRepository
  readonly offers: OfferRepository
  readonly orders: OrderRepository
  readonly sales: SaleRepository
  readonly settings: SettingsRepository
  readonly stock: StockRepository
  readonly webhooks: WebhookRepository
}
