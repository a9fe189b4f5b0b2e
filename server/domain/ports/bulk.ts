import type { ProductRecord } from './catalogue.ts'

/** What building a whole world needs beyond the repositories; call inside one transaction. */
export interface BulkRepository {
  /** Whether the database holds nothing yet. */
  isEmpty(): boolean
  insertProducts(products: Iterable<ProductRecord>): void
  /**
   * Makes price and quantity of every product follow from its offers, without moving `updatedAt`.
   */
  settleSupply(): void
}
