import type { Database } from 'better-sqlite3'
import type { OfferFilter, offerViews } from '../../contract/offer-filter.ts'
import type { OfferRow, offerSortColumns } from '../../contract/offers.ts'
import { matchExpression, prepared, understand, wordIndex } from '../mirror/mirror.ts'
import { unitsSoldByOffer } from '../sales/sales.ts'
import { OFFER_WORDS } from './schema.ts'
import { offersVersion, parseProblem } from './store.ts'
import type { OfferRecord, OfferStatus } from './store.ts'

export type OfferView = (typeof offerViews)[number]
export type OfferSort = { column: (typeof offerSortColumns)[number]; direction: 'asc' | 'desc' }
export type OfferQuery = OfferFilter & { sort: OfferSort; offset: number; limit: number; lowStock: number; now: number }
export type OfferList = { total: number; rows: OfferRow[]; views: Record<OfferView, number>; platforms: string[]; regions: string[] }

type Joined = OfferRecord & { change_state: 'saving' | 'refused' | null; change_price: number | null; change_status: OfferStatus | null; change_problem: string | null }

/** A paused offer is only paused: it counts neither as empty nor as low. */
const VIEWS: Readonly<Record<OfferView, string>> = {
  all: 'TRUE',
  'not-cheapest': "o.status <> 'paused' AND o.stock > 0 AND o.is_cheapest = 0",
  'low-stock': "o.status <> 'paused' AND o.stock BETWEEN 1 AND coalesce(o.low_at, :lowStock)",
  empty: "o.status <> 'paused' AND o.stock = 0",
  paused: "o.status = 'paused'",
}
/** What is sold in a week is no column: {@link ridsOf} orders by it. */
const SORTED_BY: Readonly<Record<Exclude<OfferSort['column'], 'week'>, string>> = {
  name: 'o.name_key', price: 'o.price_cents', customer: 'o.customer_cents', lead: 'o.lead_cents', stock: 'o.stock', sold: 'o.sold', seen: 'o.seen_at',
  profit: 'o.price_cents - o.cost_cents',
}

const SELECT = `
  SELECT o.*, c.state AS change_state, c.price_cents AS change_price, c.status AS change_status, c.problem AS change_problem
  FROM offers o LEFT JOIN offer_changes c ON c.offer_id = o.offer_id`

type Values = Record<string, string | number>

/** The conditions of a filter, without its view, and their values. */
function conditionsOf(db: Database, { query, platforms, regions }: OfferFilter, lowStock: number): { chosen: string; values: Values } {
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
    const words = understand(wordIndex(db, OFFER_WORDS), typed)?.query
    const ids = 'SELECT rid FROM offers WHERE offer_id = :typed OR product_id = :typed'
    parts.push(`o.rid IN (${ids}${words === undefined ? '' : ' UNION SELECT rowid FROM offer_index WHERE offer_index MATCH :match'})`)
    values['typed'] = typed
    if (words !== undefined) values['match'] = matchExpression(words)
  }
  return { chosen: parts.join(' AND '), values }
}

type ColumnSort = OfferSort & { column: keyof typeof SORTED_BY }
const isByColumn = (sort: OfferSort): sort is ColumnSort => sort.column !== 'week'
const BY_NAME: ColumnSort = { column: 'name', direction: 'asc' }
const WEEK_MS = 7 * 86_400_000

function orderOf(sort: ColumnSort): string {
  const direction = sort.direction === 'asc' ? 'ASC' : 'DESC'
  return sort.column === 'name' ? `o.name_key ${direction}, o.rid ${direction}` : `${SORTED_BY[sort.column]} ${direction} NULLS LAST, o.name_key ASC, o.rid ASC`
}

type Ordered = { version: number; views: Record<OfferView, number>; rids: Map<string, number[]> }
/** What was counted and ordered for the latest filters of a mirror: a table that is scrolled asks for window after window of it. */
const remembered = new WeakMap<Database, Map<string, Ordered>>()
const FILTERS_KEPT = 4
const ORDERS_KEPT = 3

/** Puts something into a map as the latest; the oldest leaves when there are too many. */
function keepLatest<Value>(map: Map<string, Value>, key: string, value: Value, most: number): Value {
  map.delete(key)
  map.set(key, value)
  if (map.size > most) for (const oldest of map.keys()) { map.delete(oldest); break }
  return value
}

function countsOf(db: Database, filter: OfferFilter, lowStock: number): Ordered {
  const filters = remembered.get(db) ?? new Map<string, Ordered>()
  remembered.set(db, filters)
  const key = JSON.stringify([filter.query, filter.platforms, filter.regions, lowStock])
  const known = filters.get(key)
  if (known?.version === offersVersion(db)) return known
  const { chosen, values } = conditionsOf(db, filter, lowStock)
  const counted = Object.entries(VIEWS).map(([view, fits]) => `count(*) FILTER (WHERE ${fits}) AS "${view}"`).join(', ')
  const views = db.prepare(`SELECT ${counted} FROM offers o WHERE ${chosen}`).get(values) as Record<OfferView, number>
  return keepLatest(filters, key, { version: offersVersion(db), views, rids: new Map<string, number[]>() }, FILTERS_KEPT)
}

type Wanted = OfferFilter & { sort: OfferSort; lowStock: number; now: number }

/** All that fit, in their order, by their numbers. The order by the time of reading changes with every reading and is not remembered; that by sales is for a minute. */
function ridsOf(db: Database, ordered: Ordered, wanted: Wanted): number[] {
  const { view, sort, lowStock, now } = wanted
  const key = `${view} ${sort.column} ${sort.direction} ${isByColumn(sort) ? '' : Math.floor(now / 60_000)}`
  const known = sort.column === 'seen' ? undefined : ordered.rids.get(key)
  if (known !== undefined) return known
  if (!isByColumn(sort)) return keepLatest(ordered.rids, key, bySales(db, ridsOf(db, ordered, { ...wanted, sort: BY_NAME }), sort.direction, now), ORDERS_KEPT)
  const { chosen, values } = conditionsOf(db, wanted, lowStock)
  const rids = db.prepare(`SELECT o.rid FROM offers o WHERE ${chosen} AND ${VIEWS[view]} ORDER BY ${orderOf(sort)}`).pluck().all(values) as number[]
  return keepLatest(ordered.rids, key, rids, ORDERS_KEPT)
}

/** Offers given by name, by the units they sold in a week: most sold nothing, and stay by name. */
function bySales(db: Database, byName: readonly number[], direction: OfferSort['direction'], now: number): number[] {
  const units = new Map(db.prepare<{ from: number; now: number }, [number, number]>(`
    SELECT o.rid, s.units FROM (${unitsSoldByOffer}) s JOIN offers o ON o.offer_id = s.offer_id`).raw().all({ from: now - WEEK_MS, now }))
  const sold = byName.filter((rid) => units.has(rid)).sort((a, b) => (units.get(a) ?? 0) - (units.get(b) ?? 0))
  const rest = byName.filter((rid) => !units.has(rid))
  return direction === 'asc' ? [...rest, ...sold] : [...sold.toReversed(), ...rest]
}

/** The values of a column that has few, by its index from one to the next. */
const valuesOf = (db: Database, column: 'platform' | 'region'): string[] => prepared(db, `
  WITH RECURSIVE step (value) AS (
    SELECT min(${column}) FROM offers WHERE ${column} > ''
    UNION ALL SELECT (SELECT min(${column}) FROM offers WHERE ${column} > step.value) FROM step WHERE step.value IS NOT NULL
  ) SELECT value FROM step WHERE value IS NOT NULL`).pluck().all() as string[]

/** A window of the offers that fit, and for each view how many it would show with the other choices as they are. Unknown values sort last. */
export function listOffers(db: Database, asked: OfferQuery): OfferList {
  const ordered = countsOf(db, asked, asked.lowStock)
  const rids = ridsOf(db, ordered, asked).slice(asked.offset, asked.offset + asked.limit)
  const found = prepared(db, `${SELECT} WHERE o.rid IN (SELECT value FROM json_each(:rids))`).all({ rids: JSON.stringify(rids) }) as Joined[]
  const byRid = new Map(found.map((row) => [row.rid, row]))
  const rows = rids.flatMap((rid) => {
    const row = byRid.get(rid)
    return row === undefined ? [] : [offerRow(row)]
  })
  return { total: ordered.views[asked.view], rows, views: ordered.views, platforms: valuesOf(db, 'platform'), regions: valuesOf(db, 'region') }
}

/** Ids of all offers that fit, in order. */
export function idsOfOffers(db: Database, wanted: Wanted): string[] {
  const rids = ridsOf(db, countsOf(db, wanted, wanted.lowStock), wanted)
  const ids = new Map(db.prepare<{ rids: string }, [number, string]>('SELECT rid, offer_id FROM offers WHERE rid IN (SELECT value FROM json_each(:rids))').raw().all({ rids: JSON.stringify(rids) }))
  return rids.flatMap((rid) => ids.get(rid) ?? [])
}

/** Offers by their ids, in the order asked; those that are not here are left out. */
export function readOffers(db: Database, offerIds: readonly string[]): OfferRow[] {
  const found = prepared(db, `${SELECT} WHERE o.offer_id IN (SELECT value FROM json_each(:ids))`).all({ ids: JSON.stringify(offerIds) }) as Joined[]
  const byId = new Map(found.map((row) => [row.offer_id, row]))
  return offerIds.flatMap((offerId) => {
    const row = byId.get(offerId)
    return row === undefined ? [] : [offerRow(row)]
  })
}

/** Up to `limit` offers with ids after this one, in the order of their ids. */
export const offersAfter = (db: Database, offerId: string, limit: number): OfferRow[] =>
  (prepared(db, `${SELECT} WHERE o.offer_id > :offerId ORDER BY o.offer_id LIMIT :limit`).all({ offerId, limit }) as Joined[]).map(offerRow)

/** One offer as the screen shows it; undefined when the mirror doesn't have it. */
export function readOffer(db: Database, offerId: string): OfferRow | undefined {
  const row = prepared(db, `${SELECT} WHERE o.offer_id = :offerId`).get({ offerId }) as Joined | undefined
  return row === undefined ? undefined : offerRow(row)
}

const offerRow = (row: Joined): OfferRow => ({
  offerId: row.offer_id,
  productId: row.product_id ?? '',
  name: row.name,
  platform: row.platform,
  region: row.region,
  productType: row.product_type,
  deliveryType: row.delivery_type,
  priceCents: row.price_cents,
  customerCents: row.customer_cents,
  commission: row.commission_class === null || row.commission_percent === null ? null : { class: row.commission_class, percent: row.commission_percent },
  status: row.status,
  stock: row.stock,
  sold: row.sold,
  isCheapest: row.is_cheapest === null ? null : row.is_cheapest === 1,
  lowestCustomerCents: row.lowest_customer_cents,
  costCents: row.cost_cents,
  lowAt: row.low_at,
  updatedAt: row.updated_at,
  seenAt: row.seen_at,
  pending: row.change_state === null ? null : {
    state: row.change_state, priceCents: row.change_price, status: row.change_status, problem: parseProblem(row.change_problem),
  },
})
