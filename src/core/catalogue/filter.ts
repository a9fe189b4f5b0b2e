import type { CatalogueFilter } from '../../contract/catalogue.ts'
import { matchExpression } from '../mirror/mirror.ts'
import type { WordQuery } from '../mirror/mirror.ts'

/** A condition of SQL with the values it names. `wordsOnly`: nothing but typed words, so that the word index alone can count. */
export type Condition = { sql: string; values: Record<string, string | number>; wordsOnly: boolean }

/** Shortest beginning of a product id that is taken for one. */
const SHORTEST_ID = 6

/**
 * Which products of the table `p` fit: what is typed (`words` as understood, and the text itself as the beginning of a product id) and
 * every choice. Unknown never counts as yes.
 */
export function conditionOf(filter: CatalogueFilter, words: WordQuery | null): Condition {
  const parts = ['p.removed = 0']
  const values: Record<string, string | number> = {}
  let wordsOnly = false
  const oneOf = (column: string, chosen: readonly string[]): void => {
    if (chosen.length === 0) return
    parts.push(`p.${column} IN (SELECT value FROM json_each(:${column}))`)
    values[column] = JSON.stringify(chosen)
  }
  const typed = filter.query.trim()
  if (typed !== '') {
    const ways: string[] = []
    if (words !== null) {
      ways.push('SELECT rowid FROM product_index WHERE product_index MATCH :match')
      values['match'] = matchExpression(words)
    }
    if (typed.length >= SHORTEST_ID && !/\s/.test(typed)) {
      ways.push('SELECT rid FROM products WHERE product_id >= :idFrom AND product_id < :idTo')
      values['idFrom'] = typed
      values['idTo'] = `${typed}\u{10ffff}`
    }
    wordsOnly = words !== null && ways.length === 1
    parts.push(ways.length === 0 ? 'FALSE' : `p.rid IN (${ways.join(' UNION ')})`)
  }
  oneOf('platform', filter.platforms)
  oneOf('region', filter.regions)
  oneOf('product_type', filter.productTypes)
  oneOf('delivery_type', filter.deliveryTypes)
  if (filter.inStockOnly) parts.push('p.in_stock = 1')
  if (filter.notSoldByMe) parts.push('p.offer_id IS NULL')
  if (filter.country !== null) {
    values['country'] = `,${filter.country.toUpperCase()},`
    values['activates'] = JSON.stringify(filter.activates)
    parts.push(`${ACTIVATES} IN (SELECT value FROM json_each(:activates))`)
  }
  if (filter.minCents !== null) {
    parts.push('p.price_cents >= :minCents')
    values['minCents'] = filter.minCents
  }
  if (filter.maxCents !== null) {
    parts.push('p.price_cents <= :maxCents')
    values['maxCents'] = filter.maxCents
  }
  return { sql: parts.join(' AND '), values, wordsOnly: wordsOnly && parts.length === 2 }
}

/** Whether a product can be activated in `:country`: `yes`, `no`, or `unknown` when only the region is known. */
export const ACTIVATES = "CASE WHEN p.excluded IS NULL THEN 'unknown' WHEN instr(p.excluded, :country) > 0 THEN 'no' ELSE 'yes' END"
