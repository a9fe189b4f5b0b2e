import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import type { SaleRow, saleSortColumns, saleViews } from '../../../contract/sales.ts'
import { knownProducts } from '../../catalogue/catalogue.ts'
import { prepared } from '../../mirror/mirror.ts'
import { buildSaleFilter, totalsByState } from './filter.ts'
import type { SaleFilter } from './filter.ts'
import { profitOf, saleCosts } from '../costs/sale-costs.ts'
import type { SaleRecord } from '../store.ts'
import { sortInTurns } from './sort-in-turns.ts'

export type SaleView = (typeof saleViews)[number]
export type SaleQuery = SaleFilter & {
  view: SaleView
  sort: { column: (typeof saleSortColumns)[number]; direction: 'asc' | 'desc' }
  offset: number
  limit: number
}
type Choice = Omit<SaleQuery, 'offset' | 'limit'>

/** The state of a sale; a sale held by a dispute is pending too, but shown separately. */
export const stateConditions = {
  pending: "status = 'pending' AND held = 0",
  held: "status = 'pending' AND held = 1",
  released: "status = 'released'",
  cancelled: "status = 'cancelled'",
} as const
const VIEWS: Readonly<Record<SaleView, string>> = { all: 'TRUE', ...stateConditions }
const SORTED_BY: Readonly<Record<SaleQuery['sort']['column'], string>> = {
  sold: 'sold_at',
  name: 'name_key',
  price: 'price_cents',
  customer: 'customer_cents',
  status: 'status',
  release: 'coalesce(released_at, release_at)',
}

/**
 * A window of the matching sales, and for each view the number it would show with the same filter.
 * Unknown values sort last.
 */
export function listSales(
  db: Database,
  asked: SaleQuery,
): { total: number; rows: SaleRow[]; views: Record<SaleView, number> } {
  const chosen = buildSaleFilter(db, asked)
  const standings = totalsByState(db, asked, chosen)
  const count = (name: string): number => standings.get(name)?.sales ?? 0
  const views = {
    all: [...standings.values()].reduce((sum, { sales }) => sum + sales, 0),
    pending: count('pending'),
    held: count('held'),
    released: count('released'),
    cancelled: count('cancelled'),
  }
  const order = orderOf(asked.sort)
  const records = prepared(
    db,
    `SELECT * FROM sales WHERE rowid IN (SELECT rowid FROM sales WHERE ${chosen.where}
      AND ${VIEWS[asked.view]} ORDER BY ${order} LIMIT :limit OFFSET :offset) ORDER BY ${order}`,
  ).all({ ...chosen.values, limit: asked.limit, offset: asked.offset }) as SaleRecord[]
  return { total: views[asked.view], rows: saleRows(db, records), views }
}

function orderOf({ column, direction }: SaleQuery['sort']): string {
  // Unknown values are the smallest in SQLite, so a descending order puts them last and can use its
  // index.
  const sorted = `${SORTED_BY[column]} ${direction === 'asc' ? 'ASC NULLS LAST' : 'DESC'}`
  return column === 'sold' ? `${sorted}, sale_id` : `${sorted}, sold_at DESC, sale_id`
}

/** Sales read or sorted in one turn: the core handles other work between two turns. */
const SALES_PER_TURN = 5_000

type Place = { rowid: number; sold_at: number | null; sale_id: string; value: SortedValue }
type SortedValue = string | number | null

/**
 * The places of all matching sales by their time, in pieces. Each starts after the last sale of the
 * one before it. Sales that arrive between two pieces aren't included.
 */
function* placesByTime(
  db: Database,
  asked: Choice,
  direction: SaleQuery['sort']['direction'],
): Generator<Place[]> {
  const { where, values } = buildSaleFilter(db, asked)
  const newest = prepared(db, 'SELECT max(rowid) FROM sales').pluck().get() as number | null
  function* pieces(first: string, next: string, order: string): Generator<Place[]> {
    for (let last: Place | undefined; ;) {
      // The plus stops SQLite from walking the table instead of the index by time.
      const found = prepared(
        db,
        `SELECT rowid, sold_at, sale_id, ${SORTED_BY[asked.sort.column]} AS value FROM sales
          WHERE ${where} AND ${VIEWS[asked.view]}
          AND +rowid <= :newest AND ${last === undefined ? first : next}
          ORDER BY ${order} LIMIT ${SALES_PER_TURN}`,
      ).all({ ...values, newest, soldAt: last?.sold_at, saleId: last?.sale_id }) as Place[]
      yield found
      if (found.length < SALES_PER_TURN) return
      last = found.at(-1)
    }
  }
  const [past, way] = direction === 'asc' ? ['>', 'ASC'] : ['<', 'DESC']
  yield* pieces(
    'sold_at IS NOT NULL',
    `sold_at ${past}= :soldAt AND (sold_at ${past} :soldAt OR sale_id > :saleId)`,
    `sold_at ${way}, sale_id`,
  )
  yield* pieces('sold_at IS NULL', 'sold_at IS NULL AND sale_id > :saleId', 'sale_id')
}

/** Compares sorted values as {@link orderOf} orders them: unknown ones last. */
function compareValues(a: SortedValue, b: SortedValue, direction: 'asc' | 'desc'): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b === (direction === 'asc') ? -1 : 1
}

/** The rowids of all matching sales, in order. */
async function rowidsOfSales(db: Database, asked: Choice): Promise<number[]> {
  const { column, direction } = asked.sort
  const isByTime = column === 'sold'
  const found = new Map<number, Pick<Place, 'rowid' | 'value'>>()
  for (const piece of placesByTime(db, asked, isByTime ? direction : 'desc')) {
    for (const { rowid, value } of piece) if (!found.has(rowid)) found.set(rowid, { rowid, value })
    await setImmediate()
  }
  // Sales with the same value stay in the order of their time.
  const sorted = isByTime
    ? [...found.values()]
    : await sortInTurns(
        [...found.values()],
        (a, b) => compareValues(a.value, b.value, direction),
        SALES_PER_TURN,
      )
  return sorted.map(({ rowid }) => rowid)
}

/** The index of a sale among all matching sales, in order; null if it isn't one of them. */
export async function positionOfSale(
  db: Database,
  asked: Choice,
  saleId: string,
): Promise<number | null> {
  const rowid = prepared(db, 'SELECT rowid FROM sales WHERE sale_id = :saleId')
    .pluck()
    .get({ saleId }) as number | undefined
  if (rowid === undefined) return null
  const index = (await rowidsOfSales(db, asked)).indexOf(rowid)
  return index < 0 ? null : index
}

/**
 * The matching sales in the requested order, one window at a time; for exports. First finds all of
 * them, so each is in one window, also if sales arrive or change between two windows.
 */
export async function* pagesOfSales(
  db: Database,
  asked: Choice,
  windowed: number,
): AsyncGenerator<SaleRow[]> {
  const rowids = await rowidsOfSales(db, asked)
  for (let from = 0; from < rowids.length; from += windowed) {
    const records = prepared(
      db,
      `SELECT s.* FROM json_each(:rowids) AS chosen CROSS JOIN sales s ON s.rowid = chosen.value
        ORDER BY chosen.key`,
    ).all({ rowids: JSON.stringify(rowids.slice(from, from + windowed)) }) as SaleRecord[]
    if (records.length > 0) yield saleRows(db, records)
  }
}

/**
 * Sales as the screen shows them; platform and region come from the catalogue, costs from batches
 * and offers.
 */
export function saleRows(db: Database, records: readonly SaleRecord[]): SaleRow[] {
  const products = knownProducts(db, [
    ...new Set(records.flatMap((record) => record.product_id ?? [])),
  ])
  const costOf = saleCosts(db, records)
  return records.map((record) => {
    const cost = costOf(record.sale_id)
    const product = products.get(record.product_id ?? '')
    return {
      saleId: record.sale_id,
      offerId: record.offer_id,
      productId: record.product_id,
      name: record.name,
      platform: product?.platform ?? '',
      region: product?.region ?? '',
      deliveryType: product?.deliveryType ?? '',
      orderId: record.order_id,
      keyId: record.key_id,
      priceCents: record.price_cents,
      customerCents: record.customer_cents,
      ...cost,
      profitCents: profitOf(record, cost.costCents),
      status: record.status,
      held: record.status === 'pending' && record.held === 1,
      disputeId: record.dispute_id,
      soldAt: record.sold_at,
      releaseAt: record.release_at,
      releasedAt: record.released_at,
      seenAt: record.seen_at,
    }
  })
}
