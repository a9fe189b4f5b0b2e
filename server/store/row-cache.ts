import type { SellerRecord } from '../domain/ports/accounts.ts'
import type { ProductLabels } from '../domain/ports/catalogue.ts'
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
  /** Labels of products by id. */
  labels: Map<string, ProductLabels>
  sellers: Map<string, SellerRecord>
  /** Clears everything, after a rollback or when the database was emptied or replaced. */
  clear(): void
}

/** Most rows of one kind that are cached. */
const MAX_CACHED = 5000

/** The row of a key, read if it isn't cached. Missing rows aren't cached. */
export function cachedRow<Row, Read extends Row | undefined>(
  rows: Map<string, Row>,
  key: string,
  read: () => Read,
): Row | Read {
  const known = rows.get(key)
  if (known !== undefined) return known
  const row = read()
  if (rows.size >= MAX_CACHED) rows.clear()
  if (row !== undefined) rows.set(key, row)
  return row
}

export function createRowCache(): RowCache {
  const supply: RowCache['supply'] = new Map()
  const challenged: RowCache['contestedProducts'] = new Map()
  const actors: RowCache['actors'] = new Map()
  const labels: RowCache['labels'] = new Map()
  const sellers: RowCache['sellers'] = new Map()
  return {
    supply,
    contestedProducts: challenged,
    actors,
    labels,
    sellers,
    clear() {
      for (const kept of [supply, challenged, actors, labels, sellers]) kept.clear()
    },
  }
}
