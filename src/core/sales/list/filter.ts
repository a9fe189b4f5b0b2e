import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../../server/api/money.ts'
import { prepared, containsWord, wordsOf } from '../../mirror/mirror.ts'
import { BUCKET_MS } from '../schema.ts'

/** The filter of a list of sales besides its view and order. */
export type SaleFilter = {
  query: string
  from: number | null
  to: number | null
  offerId: string | null
  productId: string | null
}

/**
 * The matching sales as SQL with its values. `broad`: there are so many that it is faster to walk
 * them in display order.
 */
export type SqlSaleFilter = {
  where: string
  values: Record<string, string | number>
  broad: boolean
  texts: string | null
  ids: boolean
}

/** Above this number of sales, a list is walked in its order instead of collected and sorted. */
const BROAD = 10_000
const MOST_IDS = 1000
const ID_PREFIXES = ['', 'sal_', 'ord_']

/**
 * The ids of sales that start with a word, or whose order id does, with or without the service's id
 * prefix.
 */
function idsStartingWith(db: Database, word: string): string[] {
  const found = prepared(
    db,
    `
    SELECT sale_id FROM sales WHERE sale_id COLLATE NOCASE >= :word AND sale_id COLLATE NOCASE < :end
    UNION SELECT sale_id FROM sales WHERE order_id COLLATE NOCASE >= :word
      AND order_id COLLATE NOCASE < :end LIMIT ${MOST_IDS}`,
  ).pluck()
  return ID_PREFIXES.flatMap(
    (prefix) => found.all({ word: prefix + word, end: `${prefix}${word}\uffff` }) as string[],
  )
}

/**
 * Turns the query and the choices into SQL. Words are searched in the few texts that many sales
 * share (names, offers, products); a word found in none of them is treated as the start of a sale
 * or order id.
 */
export function buildSaleFilter(
  db: Database,
  { query, from, to, offerId, productId }: SaleFilter,
): SqlSaleFilter {
  const parts = ['TRUE']
  const values: Record<string, string | number> = {}
  if (from !== null) {
    parts.push('sold_at >= :from')
    values['from'] = from
  }
  if (to !== null) {
    parts.push('sold_at < :to')
    values['to'] = to
  }
  if (offerId !== null) {
    parts.push('offer_id = :offerId')
    values['offerId'] = offerId
  }
  if (productId !== null) {
    parts.push('product_id = :productId')
    values['productId'] = productId
  }
  let texts: number[] | null = null
  let ids = null as Set<string> | null
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const known =
    words.length === 0
      ? []
      : (prepared(db, 'SELECT text_id AS id, text FROM sale_texts').all() as {
          id: number
          text: string
        }[])
  for (const word of words) {
    const folded = wordsOf(word)
    const saying = known.filter(({ text }) => containsWord(text, word, folded)).map(({ id }) => id)
    if (saying.length > 0) {
      const among = new Set(saying)
      texts = texts === null ? saying : texts.filter((id) => among.has(id))
    } else {
      const found = new Set(idsStartingWith(db, word))
      ids = ids === null ? found : ids.intersection(found)
    }
  }
  if (ids !== null) {
    parts.push('sale_id IN (SELECT value FROM json_each(:ids))')
    values['ids'] = JSON.stringify([...ids])
  }
  const broad = texts === null || salesOf(db, texts) > BROAD
  // The plus stops SQLite from collecting sales by their texts if walking is less work.
  if (texts !== null) {
    parts.push(`${broad ? '+' : ''}text_id IN (SELECT value FROM json_each(:texts))`)
    values['texts'] = JSON.stringify(texts)
  }
  return {
    where: parts.join(' AND '),
    values,
    broad: broad && ids === null && offerId === null && productId === null,
    texts: texts === null ? null : JSON.stringify(texts),
    ids: ids !== null,
  }
}

const salesOf = (db: Database, texts: readonly number[]): number =>
  prepared(
    db,
    'SELECT coalesce(sum(sales), 0) FROM sale_text_sums WHERE text_id IN (SELECT value FROM json_each(:texts))',
  )
    .pluck()
    .get({ texts: JSON.stringify(texts) }) as number

export type StateTotals = ReadonlyMap<string, { sales: number; cents: Cents }>
type StandingRow = { standing: string; sales: number; cents: Cents }
const isEdge = (at: number | null): boolean => at === null || at % BUCKET_MS === 0

/** Number and total of the chosen sales by state; from stored totals if there are any. */
export function totalsByState(
  db: Database,
  asked: SaleFilter,
  { where, values, texts, ids }: SqlSaleFilter,
): StateTotals {
  const own = asked.offerId !== null || asked.productId !== null || ids
  const always = asked.from === null && asked.to === null
  if (!own && always)
    return readTotals(
      prepared(
        db,
        `SELECT standing, sum(sales) AS sales, sum(cents) AS cents
          FROM sale_text_sums ${texts === null ? '' : 'WHERE text_id IN (SELECT value FROM json_each(:texts))'}
          GROUP BY standing`,
      ),
      texts === null ? {} : { texts },
    )
  if (!own && texts === null && isEdge(asked.from) && isEdge(asked.to))
    return totalsByStateBetween(db, asked.from, asked.to)
  return readTotals(
    prepared(
      db,
      `SELECT ${STANDING} AS standing, count(*) AS sales, coalesce(sum(price_cents), 0) AS cents
        FROM sales WHERE ${where} GROUP BY 1`,
    ),
    values,
  )
}

/**
 * Totals of the sales sold between two moments that start a quarter of an hour; null means no limit
 * on that side.
 */
export function totalsByStateBetween(
  db: Database,
  from: number | null,
  to: number | null,
): StateTotals {
  return readTotals(
    prepared(
      db,
      `SELECT standing, sum(sales) AS sales, sum(cents) AS cents FROM sale_sums WHERE bucket >= :from
        AND bucket < :to GROUP BY standing`,
    ),
    {
      from: from === null ? 0 : from / BUCKET_MS,
      to: to === null ? Number.MAX_SAFE_INTEGER : to / BUCKET_MS,
    },
  )
}

/** Whether totals between these moments are stored. */
export const haveStoredTotals = (edges: readonly number[]): boolean => edges.every(isEdge)

const STANDING = "CASE WHEN status = 'pending' AND held = 1 THEN 'held' ELSE status END"
const readTotals = (
  statement: ReturnType<typeof prepared>,
  values: Record<string, string | number>,
): StateTotals =>
  new Map(
    (statement.all(values) as StandingRow[]).map(({ standing, sales, cents }) => [
      standing,
      { sales, cents },
    ]),
  )
