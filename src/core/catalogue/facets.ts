import type { Database } from 'better-sqlite3'
import type { CatalogueFilter } from '../../contract/catalogue.ts'
import { prepared, rowWriter } from '../mirror/mirror.ts'

/** What a new product is counted by. */
export type Faceted = {
  platform: string
  region: string
  product_type: string
  delivery_type: string
  in_stock: number | null
  offer_id: string | null
  excluded: string | null
  removed: number
}

/**
 * New products of a batch by kind: written in one go. Changes of products that are there already
 * count themselves, by a trigger.
 */
export type NewFacets = Map<string, { kind: Faceted; count: number }>

export function noteFacet(news: NewFacets, product: Faceted): void {
  if (product.removed === 1) return
  const {
    platform,
    region,
    product_type: type,
    delivery_type: delivery,
    in_stock: inStock,
    offer_id: offerId,
    excluded,
  } = product
  const key = `${platform}\n${region}\n${type}\n${delivery}\n${inStock === 1}\n${offerId !== null}\n${excluded ?? ''}`
  const known = news.get(key)
  if (known === undefined) news.set(key, { kind: product, count: 1 })
  else known.count += 1
}

/**
 * Prepares the writing of {@link NewFacets}; call it inside the transaction that inserts the
 * products.
 */
export function facetWriter(db: Database): (news: NewFacets) => void {
  const add = rowWriter(
    db,
    `
    INSERT INTO product_facets (platform, region, product_type, delivery_type, in_stock, own, excluded, count) $rows
    ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    8,
  )
  return (news) =>
    add(
      [...news.values()].flatMap(({ kind, count }) => [
        kind.platform,
        kind.region,
        kind.product_type,
        kind.delivery_type,
        kind.in_stock ?? 0,
        Number(kind.offer_id !== null),
        kind.excluded ?? '',
        count,
      ]),
    )
}

/**
 * Where to count the products that fit a filter: in their kinds, a few thousand rows with the
 * columns of the table `p`, unless words or prices choose among products that are alike. `count` is
 * the sum to ask for.
 */
export function countable(filter: Pick<CatalogueFilter, 'query' | 'minCents' | 'maxCents'>): {
  from: string
  count: string
} {
  if (filter.query.trim() !== '' || filter.minCents !== null || filter.maxCents !== null)
    return { from: 'products p', count: 'count(*)' }
  return { from: KINDS, count: 'coalesce(sum(p.count), 0)' }
}
const KINDS = `(
  SELECT platform, region, product_type, delivery_type, in_stock, CASE own WHEN 1 THEN '' END AS offer_id, nullif(excluded, '') AS excluded, 0 AS removed, count
  FROM product_facets WHERE count > 0) p`

/**
 * How many products the mirror has, removed ones left out: a sum over their kinds, as quick at a
 * million as at a hundred.
 */
export const countProducts = (db: Database): number =>
  prepared(db, 'SELECT coalesce(sum(count), 0) FROM product_facets').pluck().get() as number
