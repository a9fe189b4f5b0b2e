import type { Database } from 'better-sqlite3'
import type { CatalogueFilter } from '../../../contract/catalogue.ts'
import { prepared, rowWriter } from '../../mirror/mirror.ts'

/** The properties that a new product is counted by. */
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
 * New products of a batch by kind, written together. A trigger counts changes of existing products.
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
 * Prepares the writing of {@link NewFacets}. Call it inside the transaction that inserts the
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
 * Where to count the products that match a filter: in their kinds, a few thousand rows with the
 * columns of table `p`, unless words or prices distinguish alike products. `count` is the SQL total
 * to select.
 */
export function countSource(filter: Pick<CatalogueFilter, 'query' | 'minCents' | 'maxCents'>): {
  from: string
  count: string
} {
  if (filter.query.trim() !== '' || filter.minCents !== null || filter.maxCents !== null)
    return { from: 'products p', count: 'count(*)' }
  return { from: KINDS, count: 'coalesce(sum(p.count), 0)' }
}
const KINDS = `(
  SELECT platform, region, product_type, delivery_type, in_stock, CASE own WHEN 1 THEN '' END AS offer_id,
    nullif(excluded, '') AS excluded, 0 AS removed, count
  FROM product_facets WHERE count > 0) p`

/**
 * Number of products in the mirror without removed ones. It adds up the kinds, so it is as fast
 * with a million products as with a hundred.
 */
export const countProducts = (db: Database): number =>
  prepared(db, 'SELECT coalesce(sum(count), 0) FROM product_facets').pluck().get() as number
