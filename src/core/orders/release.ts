import type { OrderableProducts } from './place/orderable-products.ts'
import type { OrderStore } from './store.ts'

/**
 * When the last product of an order is released, from the local catalogue: the order is delivered
 * from then on (Decision 16). Null if no release date is known.
 */
export function createReleases(
  products: OrderableProducts,
  storeOf: (accountId: string) => OrderStore,
) {
  return (accountId: string, orderId: string): number | null => {
    const lines = storeOf(accountId).linesOf([orderId]).get(orderId) ?? []
    const ids = [...new Set(lines.map(({ productId }) => productId))]
    const dates = products(accountId, ids)
      .map((product) => Date.parse(product?.releaseDate ?? ''))
      .filter((at) => !Number.isNaN(at))
    return dates.length === 0 ? null : Math.max(...dates)
  }
}
export type Releases = ReturnType<typeof createReleases>
