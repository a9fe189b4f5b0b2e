import type { Database } from 'better-sqlite3'
import type { CatalogueFilter } from '../../contract/catalogue.ts'
import { understand, wordIndex } from '../mirror/mirror.ts'
import type { Understood } from '../mirror/mirror.ts'
import { conditionOf } from './filter.ts'
import type { Condition } from './filter.ts'
import { guessedWords, rankHits } from './ranking.ts'
import type { Hit } from './ranking.ts'
import { PRODUCT_WORDS } from './schema.ts'
import { PRODUCT_COLUMNS, countProducts } from './store.ts'
import type { ProductRecord } from './store.ts'

export type SortColumn = 'relevance' | 'name' | 'platform' | 'region' | 'price' | 'best' | 'stock' | 'updated'
export type Sort = { column: SortColumn; direction: 'asc' | 'desc' }
export type Found = { total: number; all: number; rows: ProductRecord[]; guessed: string | null }

/** Hits that are ranked one by one; of more, the best are looked for first and the others follow by name. */
const MOST_RANKED = 2000
/** Candidates for the head of a long list, from each way to be a good hit. */
const HEAD = 500

const SORTED_BY: Readonly<Record<Exclude<SortColumn, 'relevance'>, string>> = {
  name: 'p.name_key', platform: 'p.platform', region: 'p.region', price: 'p.price_cents', best: 'p.best_seller_cents', stock: 'p.qty', updated: 'p.updated_at',
}

/**
 * Searches the mirrored catalogue. Ranked: the name itself, names that begin with what was typed, whole words, beginnings, forgiven
 * mistakes; shorter names first. Unknown values sort last both ways. A text that matches nothing as typed is forgiven mistakes, and
 * `guessed` tells how it was read.
 */
export function searchProducts(db: Database, filter: CatalogueFilter, sort: Sort | null, window: { offset: number; limit: number }): Found {
  const understood = understand(wordIndex(db, PRODUCT_WORDS), filter.query)
  const condition = conditionOf(filter, understood?.query ?? null)
  const all = countProducts(db)
  const typed = filter.query.trim() !== ''
  // Only what is present is in the word index: without other choices it counts alone.
  const count = (): number => (understood !== null && condition.wordsOnly
    ? wordIndex(db, PRODUCT_WORDS).count(understood.query)
    : db.prepare(`SELECT count(*) FROM products p WHERE ${condition.sql}`).pluck().get(condition.values) as number)

  if (!typed || (sort !== null && sort.column !== 'relevance')) {
    const rows = sortedRows(db, condition, sort, window)
    const total = !typed && condition.sql === 'p.removed = 0' ? all : count()
    return { total, all, rows, guessed: understood === null ? null : guessed(db, understood, condition) }
  }

  const hits = hitsOf(db, condition, '', MOST_RANKED + 1)
  const long = hits.length > MOST_RANKED
  const ranked = rankHits(filter.query, understood, long ? headHits(db, condition, understood) : hits)
  const rids = ranked.slice(window.offset, window.offset + window.limit).map((hit) => hit.rid)
  if (long && rids.length < window.limit) {
    const head = JSON.stringify(ranked.map((hit) => hit.rid))
    rids.push(...db.prepare(`
      SELECT p.rid FROM products p WHERE ${condition.sql} AND p.rid NOT IN (SELECT value FROM json_each(:head))
      ORDER BY p.name_key, p.platform, p.region, p.product_id LIMIT :limit OFFSET :offset`)
      .pluck().all({ ...condition.values, head, limit: window.limit - rids.length, offset: Math.max(0, window.offset - ranked.length) }) as number[])
  }
  return { total: long ? count() : hits.length, all, rows: rowsOf(db, rids), guessed: understood === null ? null : guessedWords(understood, ranked[0]) }
}

function sortedRows(db: Database, condition: Condition, sort: Sort | null, window: { offset: number; limit: number }): ProductRecord[] {
  const by = sort === null || sort.column === 'relevance' ? 'name' : sort.column
  const direction = by === sort?.column && sort.direction === 'desc' ? 'DESC' : 'ASC'
  const column = SORTED_BY[by]
  const tie = (way: string): string => ['p.name_key', 'p.platform', 'p.region', 'p.product_id'].map((each) => `${each} ${way}`).join(', ')
  const order = by === 'name' ? tie(direction) : `${column} ${direction} NULLS LAST, ${tie('ASC')}`
  return db.prepare(`SELECT ${PRODUCT_COLUMNS} FROM products p WHERE ${condition.sql} ORDER BY ${order} LIMIT :limit OFFSET :offset`)
    .all({ ...condition.values, ...window }) as ProductRecord[]
}

function guessed(db: Database, understood: Understood, condition: Condition): string | null {
  return understood.guessed.includes(true) ? guessedWords(understood, hitsOf(db, condition, '', 1)[0]) : null
}

const hitsOf = (db: Database, condition: Condition, more: string, limit: number, values: Record<string, string> = {}): Hit[] =>
  db.prepare(`
    SELECT p.rid, p.product_id AS productId, p.name_key AS nameKey, p.platform, p.region, p.product_type AS productType, p.delivery_type AS deliveryType
    FROM products p WHERE ${condition.sql} ${more} LIMIT :limit`).all({ ...condition.values, ...values, limit }) as Hit[]

/** The likeliest best hits among very many: names that begin with what was typed, then whole words, then any. */
function headHits(db: Database, condition: Condition, understood: Understood | null): Hit[] {
  const begin = understood?.words.join(' ') ?? ''
  const hits = new Map<number, Hit>()
  const add = (found: Hit[]): void => { for (const hit of found) hits.set(hit.rid, hit) }
  if (begin !== '') {
    add(hitsOf(db, condition, 'AND p.name_key >= :begin AND p.name_key < :end ORDER BY p.name_key', HEAD, { begin, end: `${begin}\u{10ffff}` }))
    const whole = understood?.words.map((word) => `"${word}"`).join(' AND ') ?? ''
    add(hitsOf(db, condition, 'AND p.rid IN (SELECT rowid FROM product_index WHERE product_index MATCH :whole LIMIT 2000)', HEAD, { whole }))
  }
  add(hitsOf(db, condition, '', HEAD))
  return [...hits.values()]
}

function rowsOf(db: Database, rids: readonly number[]): ProductRecord[] {
  const rows = db.prepare(`SELECT ${PRODUCT_COLUMNS} FROM products p WHERE p.rid IN (SELECT value FROM json_each(:rids))`).all({ rids: JSON.stringify(rids) }) as ProductRecord[]
  const byRid = new Map(rows.map((row) => [row.rid, row]))
  return rids.flatMap((rid) => byRid.get(rid) ?? [])
}
