import type { Database } from 'better-sqlite3'
import { type Cents, ZERO } from '../../../../server/api/money.ts'
import type { Problem } from '../../../contract/base.ts'
import type { BulkLine, BulkOrder, OrderAttempt } from '../../../contract/order-records.ts'
import { readProblem } from '../../stored-problem.ts'

export type BulkDraft = { externalId: string; lines: OrderAttempt['lines'] }
type BulkRow = {
  bulk_id: string
  name: string
  state: BulkOrder['state']
  problem: string | null
  started_at: number
  touched_at: number
}
type LineRow = {
  external_id: string
  line: number
  product_id: string
  name: string
  qty: number
  max_cents: Cents
  unit_cents: Cents | null
  state: BulkLine['state']
  order_id: string | null
  attempt_problem: string | null
}
/** A line of a bulk order, before its product is looked up in the catalogue. */
export type StoredBulkLine = Omit<BulkLine, 'platform' | 'region' | 'deliveryType' | 'reason'> & {
  problem: Problem | null
}
type EntryRow = {
  position: number
  external_id: string
  lines: string
  at_most_cents: Cents
  state: 'waiting' | 'sent' | 'left'
  attempt_id: string | null
  attempt_state: OrderAttempt['state'] | null
  order_id: string | null
  attempt_problem: string | null
  total_cents: Cents | null
}

type BulkSummary = Omit<BulkOrder, 'orders'>
const noOrders = { waiting: 0, open: 0, placed: 0, refused: 0, left: 0, charged: ZERO }

/** Bulk orders: their queue, and through their attempts the result of each order. */
export function createBulkStore(db: Database) {
  const writeBulk = db.prepare(
    `INSERT INTO order_bulks (bulk_id, name, state, started_at, touched_at)
      VALUES (:bulkId, :name, 'running', :at, :at)`,
  )
  const writeEntry = db.prepare(
    `INSERT INTO order_bulk_orders (bulk_id, position, external_id, lines, at_most_cents, state)
        VALUES (:bulkId, :position, :externalId, :lines, :atMostCents, 'waiting')`,
  )
  const bulks = db.prepare<[], BulkRow>(
    'SELECT * FROM order_bulks ORDER BY started_at DESC, bulk_id LIMIT 50',
  )
  const bulk = db.prepare<{ bulkId: string }, BulkRow>(
    'SELECT * FROM order_bulks WHERE bulk_id = :bulkId',
  )
  const open = db
    .prepare<[], string>(
      "SELECT bulk_id FROM order_bulks WHERE state IN ('running', 'paused', 'asking') ORDER BY started_at",
    )
    .pluck()
  const entries = db.prepare<{ bulkId: string }, EntryRow>(`
    SELECT b.position, b.external_id, b.lines, b.at_most_cents, b.state, b.attempt_id,
      a.state AS attempt_state, a.order_id, a.problem AS attempt_problem, o.total_cents
    FROM order_bulk_orders b LEFT JOIN order_attempts a ON a.attempt_id = b.attempt_id
      LEFT JOIN orders o ON o.order_id = a.order_id
    WHERE b.bulk_id = :bulkId ORDER BY b.position`)
  const counts = db.prepare<{ bulkId: string }, BulkSummary['counts'] & { charged: Cents }>(`
    SELECT count(*) FILTER (WHERE b.state = 'waiting') AS waiting,
      count(*) FILTER (WHERE b.state = 'sent'
        AND coalesce(a.state, 'unknown') IN ('sending', 'unknown')) AS open,
      count(*) FILTER (WHERE b.state = 'sent' AND a.state = 'placed') AS placed,
      count(*) FILTER (WHERE b.state = 'sent' AND a.state = 'refused') AS refused,
      count(*) FILTER (WHERE b.state = 'left') AS left,
      coalesce(sum(o.total_cents), 0) AS charged
    FROM order_bulk_orders b LEFT JOIN order_attempts a ON a.attempt_id = b.attempt_id
      LEFT JOIN orders o ON o.order_id = a.order_id
    WHERE b.bulk_id = :bulkId`)
  const setState = db.prepare(
    'UPDATE order_bulks SET state = :state, problem = :problem, touched_at = :at WHERE bulk_id = :bulkId',
  )
  const touch = db.prepare('UPDATE order_bulks SET touched_at = :at WHERE bulk_id = :bulkId')

  function toBulk(row: BulkRow): BulkOrder {
    const orders = entries.all({ bulkId: row.bulk_id }).map((entry) => ({
      externalId: entry.external_id,
      title: titleOfLines(JSON.parse(entry.lines) as OrderAttempt['lines']),
      atMostCents: entry.at_most_cents,
      state: entry.state === 'sent' ? (entry.attempt_state ?? 'unknown') : entry.state,
      orderId: entry.order_id,
      chargedCents: entry.total_cents,
      problem: readProblem(entry.attempt_problem),
    }))
    return { ...toSummary(row), orders }
  }

  function toSummary(row: BulkRow): BulkSummary {
    const { charged, ...found } = counts.get({ bulkId: row.bulk_id }) ?? noOrders
    return {
      bulkId: row.bulk_id,
      name: row.name,
      state: row.state,
      startedAt: row.started_at,
      problem: readProblem(row.problem),
      counts: found,
      chargedCents: charged,
    }
  }

  return {
    ...createBulkLines(db),
    ...createBulkQueue(db),
    write(bulkId: string, name: string, drafts: readonly BulkDraft[], at: number): void {
      writeBulk.run({ bulkId, name, at })
      for (const [position, { externalId, lines }] of drafts.entries()) {
        writeEntry.run({
          bulkId,
          position,
          externalId,
          lines: JSON.stringify(lines),
          atMostCents: lines.reduce((sum, line) => sum + line.qty * line.maxUnitCents, 0),
        })
      }
    },
    bulks: (): BulkSummary[] => bulks.all().map(toSummary),
    /** A bulk order without its orders, which can be thousands. */
    summary(bulkId: string): BulkSummary | null {
      const row = bulk.get({ bulkId })
      return row === undefined ? null : toSummary(row)
    },
    bulk(bulkId: string): BulkOrder | null {
      const row = bulk.get({ bulkId })
      return row === undefined ? null : toBulk(row)
    },
    stateOf: (bulkId: string): { state: BulkOrder['state']; touchedAt: number } | null => {
      const row = bulk.get({ bulkId })
      return row === undefined ? null : { state: row.state, touchedAt: row.touched_at }
    },
    /** Unfinished bulk orders, oldest first. */
    open: (): string[] => open.all(),
    setState: (
      bulkId: string,
      state: BulkOrder['state'],
      problem: Problem | null,
      at: number,
    ): void =>
      void setState.run({
        bulkId,
        state,
        problem: problem === null ? null : JSON.stringify(problem),
        at,
      }),
    touch: (bulkId: string, at: number): void => void touch.run({ bulkId, at }),
  }
}
export type BulkStore = ReturnType<typeof createBulkStore>

/** The lines of a bulk order's orders, with their results. */
function createBulkLines(db: Database) {
  const linesOf = (failedOnly: boolean): string => `
    FROM order_bulk_orders b JOIN json_each(b.lines) j
      LEFT JOIN order_attempts a ON a.attempt_id = b.attempt_id
      LEFT JOIN order_lines l ON l.order_id = a.order_id AND l.line = j.key + 1
    WHERE b.bulk_id = :bulkId${failedOnly ? ` AND (b.state = 'left' OR a.state = 'refused')` : ''}`
  const countLines = (failedOnly: boolean) =>
    db.prepare<{ bulkId: string }, number>(`SELECT count(*) ${linesOf(failedOnly)}`).pluck()
  const selectLines = (failedOnly: boolean) =>
    db.prepare<{ bulkId: string; offset: number; limit: number }, LineRow>(`
      SELECT b.external_id, j.key + 1 AS line, json_extract(j.value, '$.productId') AS product_id,
        json_extract(j.value, '$.name') AS name, json_extract(j.value, '$.qty') AS qty,
        json_extract(j.value, '$.maxUnitCents') AS max_cents, l.unit_cents,
        CASE b.state WHEN 'sent' THEN coalesce(a.state, 'unknown') ELSE b.state END AS state,
        a.order_id, a.problem AS attempt_problem
      ${linesOf(failedOnly)} ORDER BY b.position, j.key LIMIT :limit OFFSET :offset`)
  const [counted, countedFailed] = [countLines(false), countLines(true)]
  const [selected, selectedFailed] = [selectLines(false), selectLines(true)]

  return {
    /** The lines of its orders with their results; `failed`: only those that were not placed. */
    lines(
      bulkId: string,
      failedOnly: boolean,
      window: { offset: number; limit: number },
    ): StoredBulkLine[] {
      return (failedOnly ? selectedFailed : selected).all({ bulkId, ...window }).map(toLine)
    },
    lineCounts: (bulkId: string): { all: number; failed: number } => ({
      all: counted.get({ bulkId }) ?? 0,
      failed: countedFailed.get({ bulkId }) ?? 0,
    }),
  }
}

/** The orders of a bulk order that are sent one after the other. */
function createBulkQueue(db: Database) {
  const next = db.prepare<
    { bulkId: string },
    { position: number; external_id: string; lines: string }
  >(
    `SELECT position, external_id, lines FROM order_bulk_orders WHERE bulk_id = :bulkId
        AND state = 'waiting' ORDER BY position LIMIT 1`,
  )
  const sent = db.prepare(
    `UPDATE order_bulk_orders SET state = 'sent', attempt_id = :attemptId WHERE bulk_id = :bulkId
        AND position = :position`,
  )
  const back = db.prepare(
    `UPDATE order_bulk_orders SET state = 'waiting', attempt_id = NULL WHERE bulk_id = :bulkId
      AND position = :position`,
  )
  const leave = db.prepare(
    "UPDATE order_bulk_orders SET state = 'left' WHERE bulk_id = :bulkId AND state = 'waiting'",
  )

  return {
    next(bulkId: string): { position: number; draft: BulkDraft } | null {
      const row = next.get({ bulkId })
      return row === undefined
        ? null
        : {
            position: row.position,
            draft: {
              externalId: row.external_id,
              lines: JSON.parse(row.lines) as OrderAttempt['lines'],
            },
          }
    },
    sent: (bulkId: string, position: number, attemptId: string): void =>
      void sent.run({ bulkId, position, attemptId }),
    /** Puts an order back in the queue that was certainly not placed. */
    back: (bulkId: string, position: number): void => void back.run({ bulkId, position }),
    leave: (bulkId: string): void => void leave.run({ bulkId }),
  }
}

const toLine = (row: LineRow): StoredBulkLine => ({
  externalId: row.external_id,
  line: row.line,
  productId: row.product_id,
  name: row.name,
  qty: row.qty,
  maxUnitCents: row.max_cents,
  unitCents: row.unit_cents,
  state: row.state,
  orderId: row.order_id,
  problem: readProblem(row.attempt_problem),
})

/** The first product of an order and the number of its other lines. */
export const titleOfLines = ([first, ...others]: OrderAttempt['lines']): string =>
  first === undefined
    ? ''
    : `${first.qty} × ${first.name}${others.length === 0 ? '' : ` and ${others.length} more`}`
