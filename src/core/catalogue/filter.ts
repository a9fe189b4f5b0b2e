import type { CatalogueFilter } from '../../contract/catalogue.ts'
import { matchExpression } from '../mirror/mirror.ts'
import type { WordQuery } from '../mirror/mirror.ts'

/** A condition of SQL with the values it names. */
export type Condition = { sql: string; values: Record<string, string | number> }

/** The choices of the catalogue's filter that can be left out when their own counts are asked for. */
export type Choice = 'platforms' | 'regions' | 'productTypes' | 'deliveryTypes' | 'inStockOnly' | 'notSoldByMe' | 'activates'

/** Shortest beginning of a product id that is taken for one. */
const SHORTEST_ID = 6

/**
 * Which products of the table `p` fit: what is typed (`words` as understood, and the text itself as the beginning of a product id) and
 * every choice but `without`. Unknown never counts as yes.
 */
export function conditionOf(filter: CatalogueFilter, words: WordQuery | null, without: Choice | null = null): Condition {
  const parts = ['p.removed = 0']
  const values: Record<string, string | number> = {}
  const oneOf = (choice: Choice, column: string, chosen: readonly string[]): void => {
    if (chosen.length === 0 || without === choice) return
    parts.push(`p.${column} IN (SELECT value FROM json_each(:${choice}))`)
    values[choice] = JSON.stringify(chosen)
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
    parts.push(ways.length === 0 ? 'FALSE' : `p.rid IN (${ways.join(' UNION ')})`)
  }
  oneOf('platforms', 'platform', filter.platforms)
  oneOf('regions', 'region', filter.regions)
  oneOf('productTypes', 'product_type', filter.productTypes)
  oneOf('deliveryTypes', 'delivery_type', filter.deliveryTypes)
  if (filter.inStockOnly && without !== 'inStockOnly') parts.push('p.in_stock = 1')
  if (filter.notSoldByMe && without !== 'notSoldByMe') parts.push('p.offer_id IS NULL')
  if (filter.country !== null) {
    values['country'] = `,${filter.country.toUpperCase()},`
    if (without !== 'activates') parts.push(`${ACTIVATES} IN (SELECT value FROM json_each(:activates))`)
    if (without !== 'activates') values['activates'] = JSON.stringify(filter.activates)
  }
  if (filter.minCents !== null) {
    parts.push('p.price_cents >= :minCents')
    values['minCents'] = filter.minCents
  }
  if (filter.maxCents !== null) {
    parts.push('p.price_cents <= :maxCents')
    values['maxCents'] = filter.maxCents
  }
  return { sql: parts.join(' AND '), values }
}

/** Whether a product can be activated in `:country`: `yes`, `no`, or `unknown` when only the region is known. */
export const ACTIVATES = "CASE WHEN p.excluded IS NULL THEN 'unknown' WHEN instr(p.excluded, :country) > 0 THEN 'no' ELSE 'yes' END"
