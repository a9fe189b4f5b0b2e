import type { AccountRepository } from './accounts.ts'
import type { BulkRepository } from './bulk.ts'
import type { CatalogueRepository } from './catalogue.ts'
import type { DisputeRepository } from './disputes.ts'
import type { IdempotencyRepository } from './idempotency.ts'
import type { LedgerRepository } from './ledger.ts'
import type { MarketRepository } from './market.ts'
import type { OfferRepository } from './offers.ts'
import type { OrderRepository } from './orders.ts'
import type { SaleRepository } from './sales.ts'
import type { SnapshotRepository } from './snapshots.ts'
import type { StockRepository } from './stock.ts'
import type { WebhookRepository } from './webhooks.ts'

/** Small named values of the service itself. */
export interface SettingsRepository {
  get(name: string): string | undefined
  set(name: string, value: string): void
}

/**
 * What the service keeps. One process, one writer: every function is synchronous, and outside a
 * transaction each call stands for itself.
 */
export interface Store {
  /**
   * Runs `work` in one durable transaction (or inside the one already running) and gives its
   * result. When it throws, nothing of it happened.
   */
  transaction<T>(work: () => T): T
  /**
   * Runs `work` as a part of the running transaction that can fail alone: when it throws, nothing
   * of it happened.
   */
  savepoint<T>(work: () => T): T
  /** Runs `effect` once the running transaction is durable; never when it is rolled back. */
  afterCommit(effect: () => void): void
  /** Empties the database: as at a first start. Call inside a transaction. */
  clear(): void
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
  readonly snapshots: SnapshotRepository
  readonly stock: StockRepository
  readonly webhooks: WebhookRepository
  close(): void
}
