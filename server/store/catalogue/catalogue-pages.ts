import type { Database } from 'better-sqlite3'
import type {
  CatalogueRepository,
  ProductFilter,
  ProductRows,
} from '../../domain/ports/catalogue.ts'
import { createStatementCache, type Values } from '../database/statement-cache.ts'
import { pageColumns } from './product-columns.ts'
import { foldCase } from './fold-case.ts'

interface Condition {
  sql: string
  values: Values
}

/**
 * Pages and counts of the catalogue. Each combination of filters has one prepared statement. The
 * browse index holds every filtered column, so rows that don't match are never read. A list of ids
 * is looked up by id instead.
 */
export function createCataloguePages(
  database: Database,
): Pick<CatalogueRepository, 'page' | 'count'> {
  const prepared = createStatementCache(database)

  return {
    page(filter, from, limit) {
      const { sql, values } = conditions(filter)
      const seek = 'after' in from
      const where = seek ? `${sql} AND (updated_at, id) > (@afterAt, @afterId)` : sql
      const start = seek
        ? { afterAt: from.after.updatedAt, afterId: from.after.id, offset: 0 }
        : { offset: from.offset }
      const order = filter.ids ? '+updated_at, id' : 'updated_at, id'
      const part = (limit: string): string =>
        `FROM products ${source(filter)} WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET @offset`
      const given = { ...values, ...start, limit }
      const found = prepared(`SELECT ${pageColumns} ${part('@limit + 1')}`).all(
        given,
      ) as ProductRows['rows'][number][]
      if (found.length === 0) return { rows: [], details: Buffer.alloc(0), hasMore: false }
      // One value for all products: a buffer for each would cost more than the rest of the query.
      const details = prepared(
        `SELECT CAST(group_concat(details, '') AS BLOB) AS details FROM (SELECT details ${part('@limit')})`,
      )
      return {
        rows: found.slice(0, limit),
        details: (details.get(given) as Pick<ProductRows, 'details'>).details,
        hasMore: found.length > limit,
      }
    },
    count(filter) {
      const { sql, values } = conditions(filter)
      const statement = prepared(
        `SELECT count(*) AS count FROM products ${source(filter)} WHERE ${sql}`,
      )
      return (statement.get(values) as { count: number }).count
    },
  }
}

function source(filter: ProductFilter): string {
  return filter.ids ? '' : 'INDEXED BY products_browse'
}

function conditions(filter: ProductFilter): Condition {
  const parts: string[] = [filter.includeRemoved ? '1' : 'removed = 0']
  const values: Values = {}
  function where(sql: string, given: Values): void {
    parts.push(sql)
    Object.assign(values, given)
  }
  if (filter.platform !== undefined) where('platform = @platform', { platform: filter.platform })
  if (filter.region !== undefined) where('region = @region', { region: filter.region })
  if (filter.productType !== undefined)
    where('product_type = @productType', { productType: filter.productType })
  if (filter.deliveryType !== undefined)
    where('delivery_type = @deliveryType', { deliveryType: filter.deliveryType })
  if (filter.inStock !== undefined) where(filter.inStock ? 'qty > 0' : 'qty = 0', {})
  if (filter.updatedSince !== undefined)
    where('updated_at >= @since', { since: filter.updatedSince })
  if (filter.ids)
    where('id IN (SELECT value FROM json_each(@ids))', { ids: JSON.stringify(filter.ids) })
  if (filter.search !== undefined) {
    where('(instr(name_folded, @folded) > 0 OR id = @search)', {
      folded: foldCase(filter.search),
      search: filter.search,
    })
  }
  return { sql: parts.join(' AND '), values }
}
