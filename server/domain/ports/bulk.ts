import type { ProductRecord } from './catalogue.ts'
import type { OfferRecord } from './selling/offers.ts'
import type { NewUnit } from './selling/stock.ts'

/**
 * Bulk operations for building the initial data, beyond the repositories. Call them inside one
 * transaction.
 */
export interface BulkRepository {
  /** Whether the database is empty. */
  isEmpty(): boolean
  /**
   * Drops the indexes of products, offers and units until `createIndexes`, because maintaining them
   * takes longer than creating them at the end.
   */
  deferIndexes(): void
  /** Creates the deferred indexes, and yields before each. */
  createIndexes(): Iterable<void>
  insertProducts(products: readonly ProductRecord[]): void
  /** Inserts offers with their row numbers. */
  insertOffers(offers: readonly OfferRecord[]): void
  /** Inserts units in stock. Throws for a value that was seen before. */
  insertUnits(units: readonly NewUnit[]): void
  /**
   * Moves every time of accounts, products, offers and units by milliseconds, and every release date
   * by days. Yields between pieces.
   */
  moveTimes(ms: number, days: number): Iterable<void>
  /**
   * Updates price and quantity of every product, or of some, from their offers, without moving
   * `updatedAt`.
   */
  settleSupply(productIds?: readonly string[]): void
}
