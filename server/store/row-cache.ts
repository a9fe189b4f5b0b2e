import type { MarketActor } from '../domain/ports/market.ts'
import type { SupplyOffer } from '../domain/ports/offers.ts'

/**
 * What repositories remember of rows that are read much more often than written. The database has
 * one writer, this process; each repository forgets what it changes.
 */
export interface RowCache {
  /** Sellable offers with stock by product, in the order of sale. */
  supply: Map<string, readonly SupplyOffer[]>
  /** Products that others than the market's sellers offer, by how many were asked for. */
  contestedProducts: Map<number, readonly string[]>
  actors: Map<MarketActor['kind'], readonly MarketActor[]>
  /** Forgets all: something was rolled back, or the database was emptied or replaced. */
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
