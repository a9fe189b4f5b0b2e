import type { Database } from 'better-sqlite3'
import type { Cents } from '../../api/money.ts'
import type {
  CatalogueRepository,
  ProductCount,
  ProductLabels,
  ProductRow,
  SellerProductRow,
} from '../../domain/ports/catalogue.ts'
import { cachedRow, type RowCache } from '../row-cache.ts'
import { createCataloguePages } from './catalogue-pages.ts'
import { foldCase } from './fold-case.ts'
import { insertColumns, parameters, productColumns, record } from './product-columns.ts'

type Row = ProductRow & { createdAt: number }

type Parameters = ReturnType<typeof parameters>

/** Products by id. */
function productQueries(
  database: Database,
  cache: RowCache,
): Pick<CatalogueRepository, 'find' | 'row' | 'labels' | 'supplyOf'> {
  const row = database.prepare<{ id: string }, Row>(
    `SELECT ${productColumns}, created_at AS createdAt FROM products WHERE id = @id`,
  )
  const labels = database.prepare<[string], ProductLabels>(`
    SELECT name, platform, region, product_type AS productType, delivery_type AS deliveryType, removed
    FROM products WHERE id = ?`)
  const supplyOf = database.prepare<
    { id: string },
    Pick<Row, 'lowPrice' | 'qty' | 'supplyUnknown' | 'updatedAt'>
  >(`
    SELECT low_price AS lowPrice, qty, supply_unknown AS supplyUnknown, updated_at AS updatedAt
    FROM products WHERE id = @id`)

  return {
    find(id) {
      const found = row.get({ id })
      return found && record(found)
    },
    row: (id) => row.get({ id }),
    labels: (id) => cachedRow(cache.labels, id, () => labels.get(id)),
    supplyOf(id) {
      const supply = supplyOf.get({ id })
      return supply && { ...supply, supplyUnknown: supply.supplyUnknown === 1 }
    },
  }
}

/** Writes of products. */
function writeQueries(
  database: Database,
  cache: RowCache,
): Pick<CatalogueRepository, 'insert' | 'update' | 'setSupply' | 'lastStamp'> {
  const insert = database.prepare<(string | number | null)[]>(`
    INSERT INTO products (${insertColumns.join(', ')}) VALUES (${insertColumns.map(() => '?').join(', ')})`)
  const update = database.prepare<Parameters>(`
    UPDATE products SET name = @name, name_folded = @nameFolded, platform = @platform, region = @region,
      product_type = @productType, delivery_type = @deliveryType, release_date = @releaseDate, details = @details,
      removed = @removed, supply_unknown = @supplyUnknown, low_price = @lowPrice, qty = @qty, updated_at = @updatedAt
    WHERE id = @id`)
  const setSupply = database.prepare<{
    id: string
    lowPrice: Cents
    qty: number
    updatedAt: number
  }>(
    'UPDATE products SET low_price = @lowPrice, qty = @qty, updated_at = @updatedAt WHERE id = @id',
  )
  const lastStamp = database
    .prepare<[], number | null>('SELECT max(updated_at) FROM products')
    .pluck()

  return {
    insert: (product) => void insert.run(...Object.values(parameters(product))),
    update(product) {
      update.run(parameters(product))
      cache.labels.delete(product.id)
    },
    setSupply: (id, supply) => void setSupply.run({ id, ...supply }),
    lastStamp: () => lastStamp.get() ?? 0,
  }
}

/** Sellers' search for products. */
function sellerQueries(
  database: Database,
): Pick<CatalogueRepository, 'sellerPage' | 'sellerCount'> {
  const sellerSearch = `removed = 0 AND (@search IS NULL OR instr(name_folded, @folded) > 0 OR id = @search)`
  type Search = { search: string | null; folded: string }
  const sellerPage = database.prepare<
    Search & { offset: number; limit: number },
    SellerProductRow
  >(`
    SELECT id, name, platform, region, product_type AS productType, delivery_type AS deliveryType,
      CASE WHEN qty > 0 THEN low_price END AS shopPrice,
      (SELECT min(price) FROM offers WHERE product_id = products.id AND sellable = 1 AND stock > 0) AS bestSellerPrice
    FROM products WHERE no IN (
      SELECT no FROM products INDEXED BY products_newest WHERE ${sellerSearch}
      ORDER BY created_at DESC, id LIMIT @limit OFFSET @offset)
    ORDER BY created_at DESC, id`)
  const sellerCount = database
    .prepare<Search, number>(
      `SELECT count(*) FROM products INDEXED BY products_newest WHERE ${sellerSearch}`,
    )
    .pluck()

  return {
    sellerPage: (search, offset, limit) =>
      sellerPage.all({ search: search ?? null, folded: foldCase(search ?? ''), offset, limit }),
    sellerCount: (search) =>
      sellerCount.get({ search: search ?? null, folded: foldCase(search ?? '') }) ?? 0,
  }
}

/** The number of products for each value of a filter. */
function metaQueries(database: Database): Pick<CatalogueRepository, 'meta'> {
  const counts = (column: string) =>
    database.prepare<[], ProductCount>(
      `SELECT ${column} AS value, count(*) AS count FROM products INDEXED BY products_browse
       WHERE removed = 0 GROUP BY ${column} ORDER BY ${column}`,
    )
  const [platforms, regions, productTypes, deliveryTypes] = [
    counts('platform'),
    counts('region'),
    counts('product_type'),
    counts('delivery_type'),
  ]

  return {
    meta: () => ({
      platforms: platforms.all(),
      regions: regions.all(),
      productTypes: productTypes.all(),
      deliveryTypes: deliveryTypes.all(),
    }),
  }
}

export function createCatalogueRepository(
  database: Database,
  cache: RowCache,
): CatalogueRepository {
  return {
    ...productQueries(database, cache),
    ...writeQueries(database, cache),
    ...sellerQueries(database),
    ...metaQueries(database),
    ...createCataloguePages(database),
  }
}
