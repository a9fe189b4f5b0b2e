import type { MarketActor } from '../domain/ports/market.ts'
import type { SupplyOffer } from '../domain/ports/selling/offers.ts'

/**
 * Caches rows that are read much more often than written. The database has one writer, this
 * process; each repository clears what it changes.
 */
export interface RowCache {
  /** Sellable offers with stock by product, in the order of sale. */
  supply: Map<string, readonly SupplyOffer[]>
  /** Products also offered by sellers outside the market, by the requested limit. */
  contestedProducts: Map<number, readonly string[]>
  actors: Map<MarketActor['kind'], readonly MarketActor[]>
  /** Clears everything, after a rollback or when the database was emptied or replaced. */
  clear(): void
}

export function createRowCache(): RowCache {
  const supply: RowCache['supply'] = new Map()
  const challenged: RowCache['contestedProducts'] = new Map()
  const actors: RowCache['actors'] = new Map()
  return {
    supply,
    contestedProducts: challenged,
    actors,
    clear() {
      for (const kept of [supply, challenged, actors]) kept.clear()
    },
  }
}
