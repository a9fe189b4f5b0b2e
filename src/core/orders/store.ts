import type { Database } from 'better-sqlite3'
import { type Cents, sumCents, ZERO } from '../../../server/api/money.ts'
import type { OrderRow } from '../../contract/order-records.ts'
import { createAttemptStore } from './attempt-store.ts'
import { createHistoryStore } from './history-store.ts'
import type { OrderFacts } from './sync/order-facts.ts'

type OrderRecord = {
  order_id: string
  external_id: string
  status: string
  mode: 'live' | 'test'
  total_cents: Cents
  refunded_cents: Cents
  created_at: number
  completed_at: number | null
  failure_code: string | null
  failure_message: string | null
  first_downloaded_at: number | null
  tells_first_download: number
  downloaded_here_at: number | null
  units: number
  delivered_units: number
  title: string
  read_at: number
  lines: number
  keys_kept: number
  first_product: string | null
}
type LineRow = {
  line: number
  product_id: string
  name: string
  delivery_type: string
  qty: number
  unit_cents: Cents
  status: string
  delivered_qty: number
}

/** An order as stored, with its first product. */
export type StoredOrder = Omit<OrderRow, 'platform' | 'region' | 'deliveryType' | 'releaseAt'> & {
  productId: string | null
}

/** One order line, for spending totals. */
export type SpentLine = {
  orderId: string
  at: number
  productId: string
  name: string
  qty: number
  unitCents: Cents
  deliveredQty: number
  status: string
}

const selectOrder = `
  SELECT o.*, (SELECT first_at FROM order_downloads d WHERE d.order_id = o.order_id) AS downloaded_here_at,
    (SELECT count(*) FROM order_lines l WHERE l.order_id = o.order_id) AS lines,
    (SELECT product_id FROM order_lines l WHERE l.order_id = o.order_id ORDER BY line LIMIT 1) AS first_product,
    (SELECT count(*) FROM order_keys k WHERE k.order_id = o.order_id) AS keys_kept
  FROM orders o`

const orderColumns = {
  created: 'created_at',
  total: 'total_cents',
  status: 'status',
  external: 'external_id',
} as const

export type OrderQuery = {
  statuses: readonly string[]
  query: string
  from: number | null
  to: number | null
  refunded: boolean
  sort: { column: keyof typeof orderColumns; direction: 'asc' | 'desc' }
  offset: number
  limit: number
}

/** The order tables of one account, in the mirror and in the journal. */
export function createOrderStore(db: Database) {
  const upsertOrder = db.prepare(`
    INSERT INTO orders (order_id, external_id, status, mode, total_cents, refunded_cents,
      created_at, completed_at, failure_code, failure_message,
      first_downloaded_at, tells_first_download, units, delivered_units, title, search, read_at)
    VALUES (:orderId, :externalId, :status, :mode, :totalCents, :refundedCents, :createdAt,
      :completedAt, :failureCode, :failureMessage,
      :firstDownloadedAt, :tellsFirstDownload, :units, :deliveredUnits, :title, :search, :readAt)
    ON CONFLICT (order_id) DO UPDATE SET status = excluded.status,
      total_cents = excluded.total_cents, refunded_cents = excluded.refunded_cents,
      completed_at = excluded.completed_at, failure_code = excluded.failure_code,
        failure_message = excluded.failure_message,
      first_downloaded_at = excluded.first_downloaded_at,
        tells_first_download = excluded.tells_first_download, units = excluded.units,
      delivered_units = excluded.delivered_units, title = excluded.title, search = excluded.search,
        read_at = excluded.read_at`)
  const upsertLine = db.prepare(`
    INSERT INTO order_lines (order_id, line, product_id, name, delivery_type, qty, unit_cents, status, delivered_qty)
    VALUES (:orderId, :line, :productId, :name, :deliveryType, :qty, :unitCents, :status, :deliveredQty)
    ON CONFLICT (order_id, line) DO UPDATE
      SET status = excluded.status, delivered_qty = excluded.delivered_qty,
      unit_cents = excluded.unit_cents, name = excluded.name`)
  const one = db.prepare<{ orderId: string }, OrderRecord>(
    `${selectOrder} WHERE order_id = :orderId`,
  )
  const lines = db.prepare<{ orderId: string }, LineRow>(
    'SELECT * FROM order_lines WHERE order_id = :orderId ORDER BY line',
  )
  const processing = db.prepare<[], { order_id: string; read_at: number }>(
    `SELECT order_id, read_at FROM orders WHERE status = 'processing' ORDER BY created_at`,
  )
  const spent = db.prepare<{ since: number }, { cents: Cents }>(
    'SELECT coalesce(sum(total_cents - refunded_cents), 0) AS cents FROM orders WHERE created_at > :since',
  )
  const between = db.prepare<{ from: number; to: number }, SpentLine>(`
    SELECT o.order_id AS orderId, o.created_at AS at, l.product_id AS productId, l.name, l.qty,
      l.unit_cents AS unitCents, l.delivered_qty AS deliveredQty, o.status
    FROM orders o JOIN order_lines l ON l.order_id = o.order_id WHERE o.created_at >= :from
      AND o.created_at < :to ORDER BY o.created_at`)
  const news = db.prepare<{ since: number }, { orders: number; creditedCents: Cents }>(`
    SELECT (SELECT count(*) FROM orders WHERE created_at >= :since) AS orders,
      (SELECT coalesce(sum(refunded_cents), 0) FROM orders WHERE refunded_cents > 0
        AND coalesce(completed_at, created_at) >= :since) AS creditedCents`)
  // With max(), SQLite reads the other columns from the row that has the maximum.
  const lastPaid = db.prepare<{ ids: string }, { product_id: string; unit_cents: Cents }>(`
    SELECT l.product_id, l.unit_cents, max(o.created_at) FROM order_lines l
      JOIN orders o ON o.order_id = l.order_id
    WHERE l.product_id IN (SELECT value FROM json_each(:ids)) GROUP BY l.product_id`)
  const count = db.prepare<[], { count: number }>('SELECT count(*) AS count FROM orders')
  const statusOf = db.prepare<{ orderId: string }, { status: string }>(
    'SELECT status FROM orders WHERE order_id = :orderId',
  )
  const final = db.prepare<{ orderId: string }, { found: number }>(
    `SELECT EXISTS (SELECT 1 FROM orders WHERE order_id = :orderId AND status <> 'processing') AS found`,
  )

  function write(order: OrderFacts): void {
    const { items, ...row } = order
    upsertOrder.run(row)
    for (const item of items) upsertLine.run({ orderId: order.orderId, ...item })
  }

  return {
    ...createAttemptStore(db),
    ...createHistoryStore(db),
    transaction: <Result>(work: () => Result): Result => db.transaction(work)(),
    write,
    isFinal: (orderId: string): boolean => final.get({ orderId })?.found === 1,
    /** Undefined if the order isn't mirrored. */
    statusOf: (orderId: string): string | undefined => statusOf.get({ orderId })?.status,
    order(orderId: string) {
      const record = one.get({ orderId })
      if (record === undefined) return null
      return {
        row: toRow(record),
        failure:
          record.failure_code === null
            ? null
            : { code: record.failure_code, message: record.failure_message ?? '' },
        firstDownloadedAt:
          record.tells_first_download === 1 ? record.first_downloaded_at : undefined,
        downloadedHereAt: record.downloaded_here_at,
        readAt: record.read_at,
        items: lines.all({ orderId }).map(toLine),
      }
    },
    list(query: OrderQuery): {
      total: number
      rows: StoredOrder[]
      byStatus: Record<string, number>
      totalCents: Cents
      refundedCents: Cents
    } {
      const { clause, values } = where(query)
      const inStatus =
        query.statuses.length === 0
          ? ''
          : ` AND status IN (${query.statuses.map((_, index) => `:status${index}`).join(', ')})`
      const statusValues = Object.fromEntries(
        query.statuses.map((status, index) => [`status${index}`, status]),
      )
      const byStatus = db
        .prepare<
          Record<string, unknown>,
          { status: string; count: number; total: Cents; refunded: Cents }
        >(
          `SELECT status, count(*) AS count, sum(total_cents) AS total,
              sum(refunded_cents) AS refunded FROM orders WHERE ${clause} GROUP BY status`,
        )
        .all(values)
      const direction = query.sort.direction === 'asc' ? 'ASC' : 'DESC'
      const order = `${orderColumns[query.sort.column]} ${direction}, created_at DESC, order_id`
      const rows = db
        .prepare<Record<string, unknown>, OrderRecord>(
          `${selectOrder} WHERE ${clause}${inStatus} ORDER BY ${order} LIMIT :limit OFFSET :offset`,
        )
        .all({ ...values, ...statusValues, limit: query.limit, offset: query.offset })
      const wanted = byStatus.filter(
        ({ status }) => query.statuses.length === 0 || query.statuses.includes(status),
      )
      return {
        total: wanted.reduce((sum, entry) => sum + entry.count, 0),
        rows: rows.map(toRow),
        byStatus: Object.fromEntries(byStatus.map((entry) => [entry.status, entry.count])),
        totalCents: sumCents(wanted.map(({ total }) => total)),
        refundedCents: sumCents(wanted.map(({ refunded }) => refunded)),
      }
    },
    /** The lines of the orders that a query matches, in the query's sort order, for a table. */
    linesOf: (orderIds: readonly string[]): Map<string, OrderFacts['items']> =>
      new Map(orderIds.map((orderId) => [orderId, lines.all({ orderId }).map(toLine)])),
    linesBetween: (from: number, to: number): SpentLine[] => between.all({ from, to }),
    /** Orders placed since a time, and credits since then, also of orders placed before. */
    newsSince: (since: number): { orders: number; creditedCents: Cents } =>
      news.get({ since }) ?? { orders: 0, creditedCents: ZERO },
    /** Orders that are being delivered, and when each was read from the service. */
    processing: (): { orderId: string; readAt: number }[] =>
      processing.all().map((row) => ({ orderId: row.order_id, readAt: row.read_at })),
    spentSince: (since: number): Cents => spent.get({ since })?.cents ?? ZERO,
    /** The unit price of the latest order of each product, by product id. */
    lastPaid: (productIds: readonly string[]): ReadonlyMap<string, Cents> =>
      new Map(
        lastPaid
          .all({ ids: JSON.stringify(productIds) })
          .map(({ product_id, unit_cents }) => [product_id, unit_cents]),
      ),
    count: (): number => count.get()?.count ?? 0,
  }
}
export type OrderStore = ReturnType<typeof createOrderStore>

function where(query: OrderQuery): { clause: string; values: Record<string, unknown> } {
  const parts = ['1 = 1']
  const values: Record<string, unknown> = {}
  if (query.from !== null) {
    parts.push('created_at >= :from')
    values['from'] = query.from
  }
  if (query.to !== null) {
    parts.push('created_at < :to')
    values['to'] = query.to
  }
  if (query.refunded) parts.push('refunded_cents > 0')
  for (const [index, word] of query.query.toLowerCase().split(/\s+/).filter(Boolean).entries()) {
    parts.push(`instr(search, :word${index}) > 0`)
    values[`word${index}`] = word
  }
  return { clause: parts.join(' AND '), values }
}

const toLine = (line: LineRow): OrderFacts['items'][number] => ({
  line: line.line,
  productId: line.product_id,
  name: line.name,
  deliveryType: line.delivery_type,
  qty: line.qty,
  unitCents: line.unit_cents,
  status: line.status,
  deliveredQty: line.delivered_qty,
})

function toRow(record: OrderRecord): StoredOrder {
  return {
    orderId: record.order_id,
    externalId: record.external_id,
    status: record.status,
    mode: record.mode,
    totalCents: record.total_cents,
    refundedCents: record.refunded_cents,
    createdAt: record.created_at,
    completedAt: record.completed_at,
    units: record.units,
    deliveredUnits: record.delivered_units,
    title: record.title,
    lines: record.lines,
    keysKept: record.keys_kept,
    productId: record.first_product,
  }
}
