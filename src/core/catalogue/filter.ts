import type { CatalogueFilter } from '../../contract/catalogue.ts'
import { matchExpression, wordsOf } from '../mirror/mirror.ts'
import type { WordQuery } from '../mirror/mirror.ts'

/** A condition of SQL with the values it names. */
export type Condition = {
  /** About the table `p` alone: for lists in an order that an index has. */
  sql: string
  /**
   * What is typed alone, as a query of `rid`: of products and, where only words are typed, nothing
   * but their index is read.
   */
  typed: string
  /** The same as `sql`, read from the word index on, which stops as soon as enough is found. */
  from: string
  where: string
  /** Every choice but what is typed. */
  choices: string
  /** Nothing but typed words, so that the word index alone can count. */
  wordsOnly: boolean
  values: Record<string, string | number>
}

/** Shortest beginning of a product id that is taken for one. */
const SHORTEST_ID = 6

/** Whether a typed text may be the beginning of a product id. */
export const mayBeId = (query: string): boolean =>
  query.trim().length >= SHORTEST_ID && !/\s/.test(query.trim())

/**
 * Which products fit: what is typed (`words` as understood; with `ids` also the text itself as the
 * beginning of a product id) and every choice. Unknown never counts as yes.
 */
export function conditionOf(
  filter: CatalogueFilter,
  words: WordQuery | null,
  ids = mayBeId(filter.query),
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
 * The expression of typed words, with the words of chosen labels besides: every product with such a
 * label has them, so that the word index passes over most others by itself.
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
    // The plus keeps SQLite from reading the table by this range where an index holds all that is
    // asked for.
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
 * Whether a product can be activated in `:country`: `yes`, `no`, or `unknown` when only the region
 * is known.
 */
export const ACTIVATES =
  "CASE WHEN p.excluded IS NULL THEN 'unknown' WHEN instr(p.excluded, :country) > 0 THEN 'no' ELSE 'yes' END"
