import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { type OfferFilter, offerViews } from '../../../contract/offers/offer-filter.ts'
import type { OfferRow, offerSortColumns } from '../../../contract/offers/offers.ts'
import { matchExpression, prepared, interpretQuery, wordIndex } from '../../mirror/mirror.ts'
import { unitsSoldByOffer } from '../../sales/sales.ts'
import { OFFER_WORDS } from '../schema.ts'
import { offersVersion } from '../store.ts'
import { DAY_MS } from '../../../../server/api/time.ts'
import { rowsOf } from './offer-rows.ts'

export type OfferView = (typeof offerViews)[number]
export type OfferSort = { column: (typeof offerSortColumns)[number]; direction: 'asc' | 'desc' }
export type OfferQuery = OfferFilter & {
  sort: OfferSort
  offset: number
  limit: number
  lowStock: number
  now: number
}
export type OfferList = {
  total: number
  rows: OfferRow[]
  views: Record<OfferView, number>
  platforms: string[]
  regions: string[]
}

/** A paused offer counts only as paused, not as empty or low. */
const VIEWS: Readonly<Record<OfferView, string>> = {
  all: 'TRUE',
  'not-cheapest': "o.status <> 'paused' AND o.stock > 0 AND o.is_cheapest = 0",
  'low-stock': "o.status <> 'paused' AND o.stock BETWEEN 1 AND coalesce(o.low_at, :lowStock)",
  empty: "o.status <> 'paused' AND o.stock = 0",
  paused: "o.status = 'paused'",
}
/** Units sold in a week aren't a column; {@link ridsOf} sorts by them. */
const SORT_EXPRESSIONS: Readonly<Record<Exclude<OfferSort['column'], 'week'>, string>> = {
  name: 'o.name_key',
  price: 'o.price_cents',
  customer: 'o.customer_cents',
  lead: 'o.lead_cents',
  stock: 'o.stock',
  sold: 'o.sold',
  seen: 'o.seen_at',
  profit: 'o.price_cents - o.cost_cents',
}

type Values = Record<string, string | number>

/** The SQL conditions of a filter without its view, and their parameters. */
function conditionsOf(
  db: Database,
  { query, platforms, regions }: OfferFilter,
  lowStock: number,
): { chosen: string; values: Values } {
  const parts = ['TRUE']
  const values: Values = { lowStock }
  if (platforms.length > 0) {
    parts.push('o.platform IN (SELECT value FROM json_each(:platforms))')
    values['platforms'] = JSON.stringify(platforms)
  }
  if (regions.length > 0) {
    parts.push('o.region IN (SELECT value FROM json_each(:regions))')
    values['regions'] = JSON.stringify(regions)
  }
  const typed = query.trim()
  if (typed !== '') {
    const words = interpretQuery(wordIndex(db, OFFER_WORDS), typed)?.query
    const ids = 'SELECT rid FROM offers WHERE offer_id = :typed OR product_id = :typed'
    const matching =
      words === undefined
        ? ''
        : ' UNION SELECT rowid FROM offer_index WHERE offer_index MATCH :match'
    parts.push(`o.rid IN (${ids}${matching})`)
    values['typed'] = typed
    if (words !== undefined) values['match'] = matchExpression(words)
  }
  return { chosen: parts.join(' AND '), values }
}

type ColumnSort = OfferSort & { column: keyof typeof SORT_EXPRESSIONS }
const isByColumn = (sort: OfferSort): sort is ColumnSort => sort.column !== 'week'
const WEEK_MS = 7 * DAY_MS
/** Chunk size for reading all offers. */
const CHUNK_SIZE = 2000

/**
 * Matches the order of the indexes, forward or backward: any window in 100,000 offers is found by
 * counting index entries.
 */
function orderOf({ column, direction }: ColumnSort): string {
  const way = direction === 'asc' ? 'ASC' : 'DESC'
  return column === 'name'
    ? `o.name_key ${way}, o.rid ${way}`
    : `${SORT_EXPRESSIONS[column]} ${way} NULLS LAST, o.name_key ${way}, o.rid ${way}`
}

type Ordered = { version: number; views: Record<OfferView, number>; rids: Map<string, number[]> }
/**
 * Cached counts and orders of a mirror's latest filters, because scrolling a table requests window
 * after window.
 */
const cachedOrders = new WeakMap<Database, Map<string, Ordered>>()
const MAX_CACHED_FILTERS = 4
const MAX_CACHED_ORDERS = 3
/** Beyond this offset in a filtered list, the window is read from the cached full order. */
const CACHE_BEYOND_ROWS = 500

/** Adds an entry to a map as the latest, and drops the oldest entry above the limit. */
function keepLatest<Value>(
  map: Map<string, Value>,
  key: string,
  value: Value,
  most: number,
): Value {
  map.delete(key)
  map.set(key, value)
  if (map.size > most)
    for (const oldest of map.keys()) {
      map.delete(oldest)
      break
    }
  return value
}

const isUnfiltered = ({ query, platforms, regions }: OfferFilter): boolean =>
  query.trim() === '' && platforms.length === 0 && regions.length === 0

const counts = (views: readonly OfferView[]): string =>
  views.map((view) => `count(*) FILTER (WHERE ${VIEWS[view]}) AS "${view}"`).join(', ')

/**
 * Counts per view without other filters: values within one index range are counted there, and only
 * active offers with stock are counted one by one.
 */
function countAll(db: Database, lowStock: number): Record<OfferView, number> {
  const views = {
    all: prepared(db, 'SELECT count(*) FROM offers').pluck().get() as number,
    'not-cheapest': 0,
    'low-stock': 0,
    empty: 0,
    paused: 0,
  }
  for (const status of valuesOf(db, 'status')) {
    const inRange = (where: string): number =>
      prepared(db, `SELECT count(*) FROM offers WHERE status = :status${where}`)
        .pluck()
        .get({ status }) as number
    if (status === 'paused') {
      views.paused = inRange('')
      continue
    }
    const forSale = prepared(
      db,
      `SELECT ${counts(['not-cheapest', 'low-stock'])} FROM offers o WHERE o.status = :status AND o.stock > 0`,
    ).get({ status, lowStock }) as Pick<typeof views, 'not-cheapest' | 'low-stock'>
    views['not-cheapest'] += forSale['not-cheapest']
    views['low-stock'] += forSale['low-stock']
    views.empty += inRange(' AND stock = 0')
  }
  return views
}

function countsOf(db: Database, filter: OfferFilter, lowStock: number): Ordered {
  const filters = cachedOrders.get(db) ?? new Map<string, Ordered>()
  cachedOrders.set(db, filters)
  const key = JSON.stringify([filter.query, filter.platforms, filter.regions, lowStock])
  const version = offersVersion(db)
  const known = filters.get(key)
  if (known?.version === version) return known
  const { chosen, values } = conditionsOf(db, filter, lowStock)
  const views = isUnfiltered(filter)
    ? countAll(db, lowStock)
    : (db
        .prepare(`SELECT ${counts(offerViews)} FROM offers o WHERE ${chosen}`)
        .get(values) as Record<OfferView, number>)
  return keepLatest(
    filters,
    key,
    { version, views, rids: new Map<string, number[]>() },
    MAX_CACHED_FILTERS,
  )
}

export type RowQuery = OfferFilter & { sort: OfferSort; lowStock: number; now: number }
type RowRange = { offset: number; limit: number }
export const ALL_ROWS: RowRange = { offset: 0, limit: -1 }

/** The rids of a range of matching offers, in order. */
export function ridsOf(db: Database, wanted: RowQuery, span: RowRange): number[] {
  const { sort, lowStock } = wanted
  const { chosen, values } = conditionsOf(db, wanted, lowStock)
  const fits = `${chosen} AND ${VIEWS[wanted.view]}`
  if (isByColumn(sort))
    return prepared(
      db,
      `SELECT o.rid FROM offers o WHERE ${fits} ORDER BY ${orderOf(sort)} LIMIT :limit OFFSET :offset`,
    )
      .pluck()
      .all({ ...values, ...span }) as number[]
  return ridsBySales(db, { fits, values }, wanted, span)
}

/**
 * Sorts by units sold in a week. Most offers sold nothing; they follow (or precede) the others,
 * sorted by name.
 */
function ridsBySales(
  db: Database,
  { fits, values }: { fits: string; values: Values },
  { sort, now }: RowQuery,
  { offset, limit }: RowRange,
): number[] {
  const order =
    sort.direction === 'asc' ? 's.units, o.name_key, o.rid' : 's.units DESC, o.name_key, o.rid'
  const sold = prepared(
    db,
    `SELECT o.rid FROM (${unitsSoldByOffer}) s JOIN offers o ON o.offer_id = s.offer_id WHERE ${fits}
      ORDER BY ${order}`,
  )
    .pluck()
    .all({ ...values, from: now - WEEK_MS, now }) as number[]
  const rest = `FROM offers o WHERE ${fits} AND o.rid NOT IN (SELECT value FROM json_each(:sold))`
  const unsold = (from: number, most: number): number[] =>
    prepared(db, `SELECT o.rid ${rest} ORDER BY o.name_key, o.rid LIMIT :most OFFSET :from`)
      .pluck()
      .all({ ...values, sold: JSON.stringify(sold), most, from }) as number[]
  const end = limit < 0 ? Infinity : offset + limit
  const restOf = (before: number): number[] =>
    end <= before
      ? []
      : unsold(Math.max(0, offset - before), limit < 0 ? -1 : end - Math.max(before, offset))
  if (sort.direction === 'desc') return [...sold.slice(offset, end), ...restOf(sold.length)]
  const unsoldCount = prepared(db, `SELECT count(*) ${rest}`)
    .pluck()
    .get({ ...values, sold: JSON.stringify(sold) }) as number
  return [
    ...(offset < unsoldCount ? unsold(offset, limit < 0 ? -1 : limit) : []),
    ...sold.slice(Math.max(0, offset - unsoldCount), Math.max(0, end - unsoldCount)),
  ]
}

/**
 * The rids in a window. Without a filter, an index provides every order. With a filter, windows
 * near the start are queried, and the rest comes from a cached order, except for the order by time
 * of reading, which changes with every reading.
 */
function ridsInWindow(db: Database, ordered: Ordered, wanted: RowQuery, span: RowRange): number[] {
  const { view, sort } = wanted
  if (
    (isUnfiltered(wanted) && view === 'all') ||
    span.offset + span.limit <= CACHE_BEYOND_ROWS ||
    sort.column === 'seen'
  )
    return ridsOf(db, wanted, span)
  const key = `${view} ${sort.column} ${sort.direction} ${isByColumn(sort) ? '' : Math.floor(wanted.now / 60_000)}`
  const rids =
    ordered.rids.get(key) ??
    keepLatest(ordered.rids, key, ridsOf(db, wanted, ALL_ROWS), MAX_CACHED_ORDERS)
  return rids.slice(span.offset, span.offset + span.limit)
}

/** Distinct values of a column with few values, by jumping through its index. */
const valuesOf = (db: Database, column: 'platform' | 'region' | 'status'): string[] =>
  prepared(
    db,
    `
  WITH RECURSIVE step (value) AS (
    SELECT min(${column}) FROM offers WHERE ${column} > ''
    UNION ALL SELECT (SELECT min(${column}) FROM offers WHERE ${column} > step.value) FROM step
      WHERE step.value IS NOT NULL
  ) SELECT value FROM step WHERE value IS NOT NULL`,
  )
    .pluck()
    .all() as string[]

/**
 * A window of the matching offers, and for each view the number of offers it would show with the
 * other filters unchanged. Unknown values sort last.
 */
export function listOffers(db: Database, asked: OfferQuery): OfferList {
  const ordered = countsOf(db, asked, asked.lowStock)
  const rids = ridsInWindow(db, ordered, asked, { offset: asked.offset, limit: asked.limit })
  return {
    total: ordered.views[asked.view],
    rows: rowsOf(db, rids),
    views: ordered.views,
    platforms: valuesOf(db, 'platform'),
    regions: valuesOf(db, 'region'),
  }
}

/**
 * Ids of all matching offers, in order. Reads in chunks, so that the core can serve other requests
 * in between.
 */
export async function idsOfOffers(db: Database, wanted: RowQuery): Promise<string[]> {
  const rids = ridsOf(db, wanted, ALL_ROWS)
  const ids: string[] = []
  for (let from = 0; from < rids.length; from += CHUNK_SIZE) {
    const piece = rids.slice(from, from + CHUNK_SIZE)
    const found = new Map(
      prepared(
        db,
        'SELECT rid, offer_id FROM offers WHERE rid IN (SELECT value FROM json_each(:rids))',
      )
        .raw()
        .all({ rids: JSON.stringify(piece) }) as [number, string][],
    )
    ids.push(...piece.flatMap((rid) => found.get(rid) ?? []))
    await setImmediate()
  }
  return ids
}
