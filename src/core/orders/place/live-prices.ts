import type { Cents } from '../../../../server/api/money.ts'
import { longAgo } from '../../clock.ts'
import type { Monotonic } from '../../clock.ts'
import { Failure } from '../../failure.ts'
import type { OrdersContext } from '../context.ts'
import type { PriceTier } from './price-tiers.ts'

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
/** Products in one request (Partner API, Limits), and in all requests for one table. */
const idsPerRequest = 100
const maxRequested = 1000
/** How long price tiers count as current, in milliseconds: each product needs its own request. */
const tiersFreshMs = 60_000
/** Products whose tiers are requested for one table, at 20 requests per second. */
const maxTiers = 200
/** How long a price from a rejection counts, in milliseconds, where no tiers are reported. */
const learnedMs = 10 * 60_000

/**
 * Prices and stock of products about to be ordered, requested from the service. If a request isn't
 * possible, the caller uses the mirror.
 */
export function createLivePrices(context: OrdersContext) {
  const tiers = new Map<string, { at: Monotonic; tiers: readonly PriceTier[] }>()
  const learned = new Map<string, { at: Monotonic; tier: PriceTier }>()
  /** Accounts whose service doesn't report tiers: only the bundled backend is certain to. */
  const withoutTiers = new Set<string>()
  const known = new Map<string, { at: Monotonic; price: LivePrice }>()
  const entry = (accountId: string, productId: string): string => `${accountId}\n${productId}`

  async function request(accountId: string, productIds: readonly string[]): Promise<void> {
    const now = context.clock.monotonic()
    const stale = productIds.filter(
      (productId) => now - (known.get(entry(accountId, productId))?.at ?? longAgo) > freshMs,
    )
    if (context.connection(accountId).state().state !== 'online') return
    try {
      for (let from = 0; from < Math.min(stale.length, maxRequested); from += idsPerRequest)
        await requestSome(accountId, stale.slice(from, from + idsPerRequest))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
  }

  async function requestSome(accountId: string, ids: string[]): Promise<void> {
    const { results } = await context
      .connection(accountId)
      .call(
        'listProducts',
        { query: { ids, limit: idsPerRequest, includeRemoved: true } },
        { priority: 'person' },
      )
    const at = context.clock.monotonic()
    for (const { id, price, qty, inStock, removed } of results) {
      const key = entry(accountId, id)
      known.set(key, { at, price: { priceCents: price, qty, inStock, removed } })
      // Tiers that start at another price are older than this response.
      if (tiers.get(key)?.tiers.some((tier) => tier.minQty === 1 && tier.unitCents !== price))
        tiers.delete(key)
    }
  }

  async function requestTiers(accountId: string, productIds: readonly string[]): Promise<void> {
    const now = context.clock.monotonic()
    const [first, ...others] = productIds
      .filter((id) => now - (tiers.get(entry(accountId, id))?.at ?? longAgo) > tiersFreshMs)
      .slice(0, maxTiers)
    if (first === undefined || context.connection(accountId).state().state !== 'online') return
    await readTiers(accountId, first)
    if (!withoutTiers.has(accountId))
      await Promise.all(others.map((id) => readTiers(accountId, id)))
  }

  function learnedTiers(accountId: string, productId: string): PriceTier[] {
    const found = learned.get(entry(accountId, productId))
    return found === undefined || context.clock.monotonic() - found.at > learnedMs
      ? []
      : [found.tier]
  }

  async function readTiers(accountId: string, productId: string): Promise<void> {
    if (withoutTiers.has(accountId)) return
    try {
      const { priceTiers } = await context
        .connection(accountId)
        .call('getProduct', { params: { id: productId } }, { priority: 'person' })
      if (priceTiers === undefined) return void withoutTiers.add(accountId)
      tiers.set(entry(accountId, productId), {
        at: context.clock.monotonic(),
        tiers: priceTiers.map(({ minQty, unitPrice }) => ({ minQty, unitCents: unitPrice })),
      })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
  }

  return {
    /**
     * The price tiers of products, by product id. Never fails; the map has the known ones. Call it
     * after {@link of}, whose prices show which tiers are outdated.
     */
    async tiersOf(
      accountId: string,
      productIds: readonly string[],
    ): Promise<ReadonlyMap<string, readonly PriceTier[]>> {
      await requestTiers(accountId, productIds)
      return new Map(
        productIds.flatMap((id) => {
          const found = tiers.get(entry(accountId, id))?.tiers ?? learnedTiers(accountId, id)
          return found.length === 0 ? [] : [[id, found]]
        }),
      )
    },
    /**
     * Remembers the unit price that the service reported when it rejected a line that reaches `qty` units
     * (Decision 35). It counts only where the service doesn't report price tiers.
     */
    learn(accountId: string, productId: string, qty: number, unitCents: Cents): void {
      learned.set(entry(accountId, productId), {
        at: context.clock.monotonic(),
        tier: { minQty: qty, unitCents },
      })
    },
    /** By product id. Never fails: without the service the map is empty. */
    async of(
      accountId: string,
      productIds: readonly string[],
    ): Promise<ReadonlyMap<string, LivePrice>> {
      await request(accountId, productIds)
      const now = context.clock.monotonic()
      return new Map(
        productIds.flatMap((productId) => {
          const found = known.get(entry(accountId, productId))
          return found === undefined || now - found.at > freshMs ? [] : [[productId, found.price]]
        }),
      )
    },
    /** Requests these prices again next time, because the service has just contradicted one. */
    forget(accountId: string, productIds: readonly string[]): void {
      for (const productId of productIds) {
        known.delete(entry(accountId, productId))
        tiers.delete(entry(accountId, productId))
      }
    },
  }
}

export type LivePrices = ReturnType<typeof createLivePrices>
