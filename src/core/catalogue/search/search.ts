import type { Database } from 'better-sqlite3'
import type { CatalogueFilter } from '../../../contract/catalogue.ts'
import { prepared, interpretQuery, wordIndex } from '../../mirror/mirror.ts'
import type { InterpretedQuery } from '../../mirror/mirror.ts'
import { conditionOf, matchOf, canBeProductId } from './filter.ts'
import type { Condition } from './filter.ts'
import { guessedWords, rankHits, wordsOfHit } from './ranking.ts'
import type { Hit } from './ranking.ts'
import { PRODUCT_WORDS } from '../schema.ts'
import { countProducts, countSource } from '../records/facets.ts'
import { PRODUCT_COLUMNS } from '../store.ts'
import type { ProductRecord } from '../store.ts'

export type SortColumn =
  | 'relevance'
  | 'name'
  | 'platform'
  | 'region'
  | 'price'
  | 'best'
  | 'stock'
  | 'updated'
export type Sort = { column: SortColumn; direction: 'asc' | 'desc' }
export type Found = {
  total: number
  /**
   * There are more hits than `total`: hits of a typed text are counted up to {@link MAX_COUNTED}.
   */
  more: boolean
  all: number
  rows: ProductRecord[]
  guessed: string | null
}

/**
 * Maximum number of hits to rank one by one. For more, only the best are ranked and the others
 * follow by name.
 */
const MAX_RANKED = 500
/** Number of candidates for the top of a long list, from each kind of good hit. */
const HEAD = 100
/**
 * Hits of a typed text are counted up to this number, because counting half a million takes longer
 * than finding the best.
 */
const MAX_COUNTED = 10_000

const SORTED_BY: Readonly<Record<Exclude<SortColumn, 'relevance'>, string>> = {
  name: 'p.name_key',
  platform: 'p.platform',
  region: 'p.region',
  price: 'p.price_cents',
  best: 'p.best_seller_cents',
  stock: 'p.qty',
  updated: 'p.updated_at',
}

/**
 * Searches the mirrored catalogue. Ranking: the exact name, names that start with the text,
 * complete words, prefixes, typos; within each, products in stock, then shorter names. Unknown
 * values sort last in both directions. If a text matches nothing as typed, typos are corrected and
 * `guessed` shows the result.
 */
export function searchProducts(
  db: Database,
  filter: CatalogueFilter,
  sort: Sort | null,
  window: { offset: number; limit: number },
  all = countProducts(db),
): Found {
  const { understood, condition } = interpret(db, filter)
  if (filter.query.trim() === '')
    return {
      ...counted(countChosen(db, filter, condition), false),
      all,
      rows: sortedRows(db, condition, sort, window),
      guessed: null,
    }
  if (sort !== null && sort.column !== 'relevance') {
    return {
      ...countHits(db, condition, understood),
      all,
      rows: sortedRows(db, condition, sort, window),
      guessed: understood === null ? null : guessed(db, understood, condition),
    }
  }

  const { hits, long } = hitsOf(db, filter, condition, understood)
  const ranked = rankHits(filter.query, understood, hits)
  const rids = ranked.slice(window.offset, window.offset + window.limit).map((hit) => hit.rid)
  if (long && rids.length < window.limit) {
    const head = JSON.stringify(ranked.map((hit) => hit.rid))
    rids.push(
      ...(prepared(
        db,
        `
      SELECT p.rid FROM products p WHERE ${condition.sql} AND p.rid NOT IN (SELECT value FROM json_each(:head))
      ORDER BY p.name_key, p.platform, p.region, p.product_id LIMIT :limit OFFSET :offset`,
      )
        .pluck()
        .all({
          ...condition.values,
          head,
          limit: window.limit - rids.length,
          offset: Math.max(0, window.offset - ranked.length),
        }) as number[]),
    )
  }
  const { total, more } = long ? countHits(db, condition, understood) : counted(hits.length, false)
  return {
    total,
    more,
    all,
    rows: rowsOf(db, rids),
    guessed: understood === null ? null : guessedWords(understood, ranked[0]),
  }
}

const counted = (total: number, more: boolean): Pick<Found, 'total' | 'more'> => ({ total, more })

function countChosen(db: Database, filter: CatalogueFilter, condition: Condition): number {
  const { from, count } = countSource(filter)
  return prepared(db, `SELECT ${count} FROM ${from} WHERE ${condition.sql}`)
    .pluck()
    .get(condition.values) as number
}

/**
 * The word index holds only products on sale. Without further choices, the hits found while
 * interpreting the words are the count.
 */
function countHits(
  db: Database,
  condition: Condition,
  understood: InterpretedQuery | null,
): Pick<Found, 'total' | 'more'> {
  const count =
    understood !== null && condition.wordsOnly
      ? understood.found.length
      : (prepared(
          db,
          `SELECT count(*) FROM (SELECT 1 FROM ${condition.from} WHERE ${condition.where} LIMIT ${MAX_COUNTED + 1})`,
        )
          .pluck()
          .get(condition.values) as number)
  return counted(Math.min(count, MAX_COUNTED), count > MAX_COUNTED)
}

const anyWithId = (db: Database, from: string): boolean =>
  prepared(db, 'SELECT 1 FROM products WHERE product_id >= :from AND product_id < :to LIMIT 1').get(
    { from, to: `${from}\u{10ffff}` },
  ) !== undefined

/** The words of a filter as understood, and the condition for its products. */
function interpret(
  db: Database,
  filter: CatalogueFilter,
): { understood: InterpretedQuery | null; condition: Condition } {
  const index = wordIndex(db, PRODUCT_WORDS)
  const understood = interpretQuery(index, filter.query, MAX_COUNTED + 1, (rids) =>
    hitsWith(db, rids).map(wordsOfHit),
  )
  const condition = conditionOf(
    filter,
    understood === null ? null : index.narrow(understood.query),
    canBeProductId(filter.query) && anyWithId(db, filter.query.trim()),
  )
  return { understood, condition }
}

/** The index of a product in a list; null if it isn't there, or too far from the best hits. */
export type Position = { index: number | null }

/**
 * Locates a product in the list that {@link searchProducts} finds. Among hits ranked by a typed
 * text, only the ranked ones are searched.
 */
export function positionOfProduct(
  db: Database,
  filter: CatalogueFilter,
  sort: Sort | null,
  productId: string,
): Position {
  const isRanked = filter.query.trim() !== '' && (sort === null || sort.column === 'relevance')
  const productIds = isRanked
    ? searchProducts(db, filter, sort, { offset: 0, limit: MAX_RANKED }).rows.map(
        (row) => row.product_id,
      )
    : sortedIds(db, interpret(db, filter).condition, sort)
  const index = productIds.indexOf(productId)
  return { index: index < 0 ? null : index }
}

const sortedIds = (db: Database, condition: Condition, sort: Sort | null): string[] =>
  prepared(
    db,
    `SELECT p.product_id FROM products p WHERE ${condition.sql} ORDER BY ${orderOf(sort)}`,
  )
    .pluck()
    .all(condition.values) as string[]

function sortedRows(
  db: Database,
  condition: Condition,
  sort: Sort | null,
  window: { offset: number; limit: number },
): ProductRecord[] {
  return prepared(
    db,
    `SELECT ${PRODUCT_COLUMNS} FROM products p WHERE ${condition.sql} ORDER BY ${orderOf(sort)}
      LIMIT :limit OFFSET :offset`,
  ).all({ ...condition.values, ...window }) as ProductRecord[]
}

function orderOf(sort: Sort | null): string {
  const by = sort === null || sort.column === 'relevance' ? 'name' : sort.column
  const direction = by === sort?.column && sort.direction === 'desc' ? 'DESC' : 'ASC'
  const column = SORTED_BY[by]
  const tie = (way: string): string =>
    ['p.name_key', 'p.platform', 'p.region', 'p.product_id']
      .map((each) => `${each} ${way}`)
      .join(', ')
  return by === 'name' ? tie(direction) : `${column} ${direction} NULLS LAST, ${tie('ASC')}`
}

function guessed(db: Database, understood: InterpretedQuery, condition: Condition): string | null {
  return understood.guessed.includes(true)
    ? guessedWords(understood, hitsFrom(db, condition, 1)[0])
    : null
}

const HIT = `p.rid, p.product_id AS productId, p.name_key AS nameKey, p.platform, p.region,
  p.product_type AS productType, p.delivery_type AS deliveryType, p.in_stock AS inStock`

const hitsFrom = (
  db: Database,
  { from, where, values }: Pick<Condition, 'from' | 'where' | 'values'>,
  limit: number,
): Hit[] =>
  prepared(db, `SELECT ${HIT} FROM ${from} WHERE ${where} LIMIT :limit`).all({
    ...values,
    limit,
  }) as Hit[]

const hitsWith = (db: Database, rids: readonly number[]): Hit[] =>
  prepared(
    db,
    `SELECT ${HIT} FROM json_each(:rids) r CROSS JOIN products p ON p.rid = r.value`,
  ).all({ rids: JSON.stringify(rids) }) as Hit[]

/**
 * The hits to rank: all of them, or the most likely best of a `long` list. If only words choose, it
 * reuses the hits found while interpreting them.
 */
function hitsOf(
  db: Database,
  filter: CatalogueFilter,
  condition: Condition,
  understood: InterpretedQuery | null,
): { hits: Hit[]; long: boolean } {
  if (understood !== null && condition.wordsOnly) {
    const long = understood.found.length > MAX_RANKED
    const hits = hitsWith(db, long ? understood.found.slice(0, HEAD) : understood.found)
    return { hits: long ? headHits(db, filter, condition, understood, hits) : hits, long }
  }
  const hits = hitsFrom(db, condition, MAX_RANKED + 1)
  const long = hits.length > MAX_RANKED
  return {
    hits: long ? headHits(db, filter, condition, understood, hits.slice(0, HEAD)) : hits,
    long,
  }
}

/**
 * The most likely best hits among very many: names that start with the typed text, and complete
 * words. Each appears once, also with `hits`.
 */
function headHits(
  db: Database,
  filter: CatalogueFilter,
  condition: Condition,
  understood: InterpretedQuery | null,
  hits: readonly Hit[],
): Hit[] {
  const found = new Map(hits.map((hit) => [hit.rid, hit]))
  const add = (more: Hit[]): void => {
    for (const hit of more) found.set(hit.rid, hit)
  }
  const begin = understood?.words.join(' ') ?? ''
  if (understood !== null && begin !== '' && !understood.guessed.includes(true)) {
    const { choices, values } = condition
    // A name that starts with the typed words has them all.
    add(
      prepared(
        db,
        `SELECT ${HIT} FROM products p WHERE ${choices} AND p.name_key >= :begin AND p.name_key < :end
        ORDER BY p.name_key LIMIT :limit`,
      ).all({ ...values, begin, end: `${begin}\u{10ffff}`, limit: HEAD }) as Hit[],
    )
    const complete = matchOf(
      understood.words.map((text) => [{ text, isPrefix: false }]),
      filter,
    )
    if (values['match'] !== undefined)
      add(hitsFrom(db, { ...condition, values: { ...values, match: complete } }, HEAD))
  }
  return [...found.values()]
}

function rowsOf(db: Database, rids: readonly number[]): ProductRecord[] {
  const rows = prepared(
    db,
    `SELECT ${PRODUCT_COLUMNS} FROM products p WHERE p.rid IN (SELECT value FROM json_each(:rids))`,
  ).all({ rids: JSON.stringify(rids) }) as ProductRecord[]
  const byRid = new Map(rows.map((row) => [row.rid, row]))
  return rids.flatMap((rid) => byRid.get(rid) ?? [])
}
