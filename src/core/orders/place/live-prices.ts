import type { Cents } from '../../../../server/api/money.ts'
import { Failure } from '../../failure.ts'
import type { OrdersContext } from '../context.ts'

/** A product's price and stock as the service reports them now. */
export type LivePrice = {
  priceCents: Cents
  qty: number | null
  inStock: boolean
  removed: boolean
}

/**
 * How long a response counts as current, in milliseconds; the service checks every price again when
 * it receives the order.
 */
const freshMs = 5000

/**
 * Prices and stock of products about to be ordered, requested from the service. If a request isn't
 * possible, the caller uses the mirror.
 */
export function createLivePrices(context: OrdersContext) {
  const known = new Map<string, { at: number; price: LivePrice }>()
  const entry = (accountId: string, productId: string): string => `${accountId}\n${productId}`

  async function request(accountId: string, productIds: readonly string[]): Promise<void> {
    const now = context.clock.now()
    const stale = productIds.filter(
      (productId) =>
        now - (known.get(entry(accountId, productId))?.at ?? Number.NEGATIVE_INFINITY) > freshMs,
    )
    if (stale.length === 0 || context.connection(accountId).state().state !== 'online') return
    try {
      const { results } = await context
        .connection(accountId)
        .call(
          'listProducts',
          { query: { ids: stale, limit: 100, includeRemoved: true } },
          { priority: 'person' },
        )
      const at = context.clock.now()
      for (const { id, price, qty, inStock, removed } of results)
        known.set(entry(accountId, id), { at, price: { priceCents: price, qty, inStock, removed } })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
  }

  return {
    /** By product id. Never fails: without the service the map is empty. */
    async of(
      accountId: string,
      productIds: readonly string[],
    ): Promise<ReadonlyMap<string, LivePrice>> {
      await request(accountId, productIds)
      const now = context.clock.now()
      return new Map(
        productIds.flatMap((productId) => {
          const found = known.get(entry(accountId, productId))
          return found === undefined || now - found.at > freshMs ? [] : [[productId, found.price]]
        }),
      )
    },
    /** Requests these prices again next time, because the service has just contradicted one. */
    forget(accountId: string, productIds: readonly string[]): void {
      for (const productId of productIds) known.delete(entry(accountId, productId))
    },
  }
}
