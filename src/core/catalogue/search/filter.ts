import type { CatalogueFilter } from '../../../contract/catalogue.ts'
import { matchExpression, wordsOf } from '../../mirror/mirror.ts'
import type { WordQuery } from '../../mirror/mirror.ts'

/** An SQL condition with its named values. */
export type Condition = {
  /** Refers only to table `p`, for lists in an index's order. */
  sql: string
  /**
   * Only the typed text, as a query of `rid`. It reads products, or for text without an id only the
   * word index.
   */
  typed: string
  /**
   * The same as `sql`, but reads the word index first, so it stops as soon as it has found enough.
   */
  from: string
  where: string
  /** Every choice except the typed text. */
  choices: string
  /** Only typed words, so the word index alone can count. */
  wordsOnly: boolean
  values: Record<string, string | number>
}

/** Shortest text that is treated as a product id prefix. */
const SHORTEST_ID = 6

/** Whether a typed text can be the start of a product id. */
export const canBeProductId = (query: string): boolean =>
  query.trim().length >= SHORTEST_ID && !/\s/.test(query.trim())

/**
 * The condition for products that match the typed text (`words` as understood; with `ids` also the
 * text itself as a product id prefix) and every choice. Unknown values never match.
 */
export function conditionOf(
  filter: CatalogueFilter,
  words: WordQuery | null,
  ids = canBeProductId(filter.query),
): Condition {
  const { parts, values } = choicesOf(filter)
  const choices = ['p.removed = 0', ...parts].join(' AND ')
  const typed = filter.query.trim()
  if (typed === '')
    return {
      sql: choices,
      typed: 'SELECT rid FROM products',
      from: 'products p',
      where: choices,
      choices,
      wordsOnly: false,
      values,
    }
  if (ids) {
    values['idFrom'] = typed
    values['idTo'] = `${typed}\u{10ffff}`
  }
  if (words !== null) values['match'] = matchOf(words, filter)
  const ways = [
    ...(words === null ? [] : [MATCHING]),
    ...(ids ? ['SELECT rid FROM products WHERE product_id >= :idFrom AND product_id < :idTo'] : []),
  ]
  const found = ways.length === 0 ? 'SELECT rid FROM products WHERE FALSE' : ways.join(' UNION ')
  const sql = `${choices} AND p.rid IN (${found})`
  if (words === null || ids)
    return { sql, typed: found, from: 'products p', where: sql, choices, wordsOnly: false, values }
  return {
    sql,
    typed: found,
    from: 'product_index CROSS JOIN products p ON p.rid = product_index.rowid',
    where: `product_index MATCH :match AND ${choices}`,
    choices,
    wordsOnly: parts.length === 0,
    values,
  }
}

const MATCHING = 'SELECT rowid AS rid FROM product_index WHERE product_index MATCH :match'

/**
 * The match expression of typed words plus the words of chosen labels. Every product with such a
 * label has them, so the word index skips most others early.
 */
export function matchOf(words: WordQuery, filter: CatalogueFilter): string {
  const labels = [
    filter.platforms,
    filter.regions,
    filter.productTypes,
    filter.deliveryTypes,
  ].flatMap((chosen) => {
    const each = chosen.map((label) =>
      wordsOf(label)
        .map((word) => `"${word}"`)
        .join(' AND '),
    )
    return each.length === 0 || each.includes('')
      ? []
      : [`(${each.map((all) => `(${all})`).join(' OR ')})`]
  })
  return [matchExpression(words), ...labels].join(' AND ')
}

function choicesOf(filter: CatalogueFilter): { parts: string[]; values: Condition['values'] } {
  const parts: string[] = []
  const values: Condition['values'] = {}
  const oneOf = (column: string, chosen: readonly string[]): void => {
    if (chosen.length === 0) return
    parts.push(`p.${column} IN (SELECT value FROM json_each(:${column}))`)
    values[column] = JSON.stringify(chosen)
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
    // The plus keeps SQLite from using this range for the table when an index covers the query.
    parts.push('+p.price_cents >= :minCents')
    values['minCents'] = filter.minCents
  }
  if (filter.maxCents !== null) {
    parts.push('+p.price_cents <= :maxCents')
    values['maxCents'] = filter.maxCents
  }
  return { parts, values }
}

/**
 * Whether a product can be activated in `:country`: `yes`, `no`, or `unknown` if only the region is
 * known.
 */
export const ACTIVATES =
  "CASE WHEN p.excluded IS NULL THEN 'unknown' WHEN instr(p.excluded, :country) > 0 THEN 'no' ELSE 'yes' END"
