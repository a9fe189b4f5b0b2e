import type { Database } from 'better-sqlite3'
import type {
  NewOrder,
  OrderFilter,
  OrderLineRecord,
  OrderRecord,
  OrderRepository,
} from '../../domain/ports/ordering/orders.ts'
import { createStatementCache } from '../database/statement-cache.ts'
import { createOrderUnits } from './order-units.ts'
import { createSpending } from './order-spending.ts'

type Row = Omit<OrderRecord, 'lines'>
type LineRow = OrderLineRecord & { orderNo: number }

const columns = `no, id, partner_id AS partnerId, external_id AS externalId, mode, status, total, refunded,
  spent_before AS spentBefore, created_at AS createdAt, completed_at AS completedAt, due_at AS dueAt,
  first_downloaded_at AS firstDownloadedAt`

const lineColumns = `line, product_id AS productId, name, delivery_type AS deliveryType, qty,
  unit_price AS unitPrice, status,
  delivered_qty AS deliveredQty, due_at AS dueAt, give_up_at AS giveUpAt`

const conditions = {
  status: 'status = @status',
  externalId: 'external_id = @externalId',
  createdFrom: 'created_at >= @createdFrom',
  createdTo: 'created_at < @createdTo',
} as const

/**
 * The orders of a filter. The SQL has only the conditions that are given, so that counting and
 * skipping orders reads only an index where possible.
 */
const filtered = (filter: OrderFilter): string =>
  Object.entries(conditions).reduce(
    (sql, [name, condition]) =>
      filter[name as keyof typeof conditions] === undefined ? sql : `${sql} AND ${condition}`,
    'FROM orders WHERE partner_id = @partnerId AND mode = @mode',
  )

/** Writes of orders and their lines. */
function writeQueries(
  database: Database,
): Pick<OrderRepository, 'insert' | 'progress' | 'postpone' | 'markDownloaded'> {
  const insert = database.prepare<Omit<NewOrder, 'lines'>>(`
    INSERT INTO orders (id, partner_id, external_id, mode, status, total, refunded, spent_before, created_at,
      completed_at, due_at, first_downloaded_at)
    VALUES (@id, @partnerId, @externalId, @mode, @status, @total, @refunded, @spentBefore, @createdAt,
      @completedAt, @dueAt, @firstDownloadedAt)`)
  const insertLine = database.prepare<LineRow>(`
    INSERT INTO order_lines (order_no, line, product_id, name, delivery_type, qty, unit_price, status, delivered_qty,
      due_at, give_up_at)
    VALUES (@orderNo, @line, @productId, @name, @deliveryType, @qty, @unitPrice, @status, @deliveredQty,
      @dueAt, @giveUpAt)`)
  const progress = database.prepare<
    Pick<Row, 'no' | 'status' | 'refunded' | 'completedAt' | 'dueAt'>
  >(`
    UPDATE orders SET status = @status, refunded = @refunded, completed_at = @completedAt, due_at = @dueAt
    WHERE no = @no`)
  const progressLine = database.prepare<
    Pick<LineRow, 'orderNo' | 'line' | 'status' | 'deliveredQty' | 'dueAt'>
  >(`UPDATE order_lines SET status = @status, delivered_qty = @deliveredQty, due_at = @dueAt
    WHERE order_no = @orderNo AND line = @line`)
  const postpone = database.prepare<{ no: number; dueAt: number }>(
    'UPDATE orders SET due_at = @dueAt WHERE no = @no',
  )
  const downloaded = database.prepare<{ no: number; at: number }>(
    'UPDATE orders SET first_downloaded_at = @at WHERE no = @no AND first_downloaded_at IS NULL',
  )

  return {
    insert({ lines: items, ...order }) {
      const orderNo = Number(insert.run(order).lastInsertRowid)
      for (const item of items) insertLine.run({ ...item, orderNo })
      return { ...order, no: orderNo, lines: items }
    },
    progress(order) {
      const { no, status, refunded, completedAt, dueAt } = order
      progress.run({ no, status, refunded, completedAt, dueAt })
      for (const { line, status: lineStatus, deliveredQty, dueAt: lineDueAt } of order.lines) {
        progressLine.run({ orderNo: no, line, status: lineStatus, deliveredQty, dueAt: lineDueAt })
      }
    },
    postpone: (no, dueAt) => void postpone.run({ no, dueAt }),
    markDownloaded: (no, at) => void downloaded.run({ no, at }),
  }
}

export function createOrderRepository(database: Database): OrderRepository {
  const lines = database.prepare<{ orderNo: number }, OrderLineRecord>(`
    SELECT ${lineColumns} FROM order_lines WHERE order_no = @orderNo ORDER BY line`)
  const linesOfMany = database.prepare<{ orderNos: string }, LineRow>(`
    SELECT order_no AS orderNo, ${lineColumns} FROM order_lines
    WHERE order_no IN (SELECT value FROM json_each(@orderNos)) ORDER BY order_no, line`)
  const byId = database.prepare<{ id: string }, Row>(`SELECT ${columns} FROM orders WHERE id = @id`)
  const byNo = database.prepare<{ no: number }, Row>(`SELECT ${columns} FROM orders WHERE no = @no`)
  const byExternalId = database
    .prepare<{ partnerId: string; externalId: string }, string>(
      'SELECT id FROM orders WHERE partner_id = @partnerId AND external_id = @externalId',
    )
    .pluck()
  const due = database.prepare<{ at: number; limit: number }, Row>(
    `SELECT ${columns} FROM orders WHERE status = 'processing' AND due_at <= @at ORDER BY due_at, no LIMIT @limit`,
  )
  const nextDueAt = database
    .prepare<[], number | null>(`SELECT min(due_at) FROM orders WHERE status = 'processing'`)
    .pluck()
  const prepared = createStatementCache(database)
  function record(row: Row): OrderRecord {
    return { ...row, lines: lines.all({ orderNo: row.no }) }
  }
  /** Orders with their lines, read with two queries however many there are. */
  function records(rows: readonly Row[]): OrderRecord[] {
    const found = new Map<number, OrderLineRecord[]>(rows.map(({ no }) => [no, []]))
    for (const line of linesOfMany.all({ orderNos: JSON.stringify([...found.keys()]) }))
      found.get(line.orderNo)?.push(line)
    return rows.map((row) => ({ ...row, lines: found.get(row.no) ?? [] }))
  }
  function optional(row: Row | undefined): OrderRecord | undefined {
    return row && record(row)
  }

  return {
    ...writeQueries(database),
    ...createOrderUnits(database),
    ...createSpending(database),
    find: (id) => optional(byId.get({ id })),
    findByNo: (no) => optional(byNo.get({ no })),
    idByExternalId: (partnerId, externalId) => byExternalId.get({ partnerId, externalId }),
    page(filter, offset, limit) {
      const sql = `SELECT ${columns} ${filtered(filter)}
        ORDER BY created_at DESC, id LIMIT @limit OFFSET @offset`
      return records(prepared(sql).all({ ...filter, offset, limit }) as Row[])
    },
    count(filter) {
      const counted = prepared(`SELECT count(*) AS count ${filtered(filter)}`).get({ ...filter })
      return (counted as { count: number }).count
    },
    due: (at, limit) => records(due.all({ at, limit })),
    nextDueAt: () => nextDueAt.get() ?? null,
  }
}
