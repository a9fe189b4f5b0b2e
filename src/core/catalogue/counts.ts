import type { Database } from 'better-sqlite3'
import type { CatalogueFilter } from '../../contract/catalogue.ts'
import { understand, wordIndex } from '../mirror/mirror.ts'
import { ACTIVATES, conditionOf } from './filter.ts'
import type { Choice } from './filter.ts'
import { PRODUCT_WORDS } from './schema.ts'

type Counted = { value: string; count: number }[]
export type Counts = {
  platforms: Counted
  regions: Counted
  productTypes: Counted
  deliveryTypes: Counted
  inStock: number
  notSoldByMe: number
  activates: { yes: number; unknown: number; no: number } | null
}

/** For every choice how many products it would leave, given all other choices; the commonest value first. */
export function countChoices(db: Database, filter: CatalogueFilter): Counts {
  const words = understand(wordIndex(db, PRODUCT_WORDS), filter.query)?.query ?? null
  const values = (choice: Choice, column: string): Counted => {
    const { sql, values: named } = conditionOf(filter, words, choice)
    return db.prepare(`SELECT p.${column} AS value, count(*) AS count FROM products p WHERE ${sql} GROUP BY p.${column} ORDER BY count DESC, value`).all(named) as Counted
  }
  const one = (choice: Choice, fits: string): number => {
    const { sql, values: named } = conditionOf(filter, words, choice)
    return db.prepare(`SELECT count(*) FROM products p WHERE ${sql} AND ${fits}`).pluck().get(named) as number
  }
  return {
    platforms: values('platforms', 'platform'),
    regions: values('regions', 'region'),
    productTypes: values('productTypes', 'product_type'),
    deliveryTypes: values('deliveryTypes', 'delivery_type'),
    inStock: one('inStockOnly', 'p.in_stock = 1'),
    notSoldByMe: one('notSoldByMe', 'p.offer_id IS NULL'),
    activates: filter.country === null ? null : countActivation(db, filter, words),
  }
}

function countActivation(db: Database, filter: CatalogueFilter, words: Parameters<typeof conditionOf>[1]): NonNullable<Counts['activates']> {
  const { sql, values } = conditionOf(filter, words, 'activates')
  const rows = db.prepare(`SELECT ${ACTIVATES} AS value, count(*) AS count FROM products p WHERE ${sql} GROUP BY 1`).all(values) as Counted
  const of = (value: string): number => rows.find((row) => row.value === value)?.count ?? 0
  return { yes: of('yes'), unknown: of('unknown'), no: of('no') }
}
