import type { Database } from 'better-sqlite3'
import type { DisputeReport } from '../../../contract/disputes/dispute-records.ts'
import type { KeyOrigin } from '../../../contract/keys/batches.ts'
import { prepared } from '../../mirror/mirror.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

type Row = {
  disputeId: string
  saleId: string | null
  fingerprint: Buffer | null
  productId: string | null
  name: string
  status: string
  reason: string | null
  resolution: string | null
  openedAt: number
  answeredAt: number | null
}
type Sum = DisputeReport['byReason'][number]

const HOUR = 3_600_000
/**
 * Upper limits of the bars for the time to an answer, in hours; the last bar holds all longer ones.
 */
const BARS = [1, 4, 12, 24, 48, 72] as const
/** Maximum number of rows in one list of the report, without the one for all others. */
const MOST = 100
const OTHERS = 'others'
/** Maximum number of steps of the trend; earlier disputes aren't part of it. */
const MOST_STEPS = 60
/** Rows to process before other work gets a turn. */
const SLICE = 200
/** The disputes of a period, newest first, after a given one. */
const ROWS = `
  SELECT dispute_id AS disputeId, sale_id AS saleId, key_fingerprint AS fingerprint,
    product_id AS productId, name, status, reason_kind AS reason, resolution_type AS resolution,
    opened_at AS openedAt,
    first_answer_at AS answeredAt
  FROM disputes WHERE opened_at >= :from AND opened_at <= :at AND (opened_at < :at OR dispute_id > :id)
    ORDER BY opened_at DESC, dispute_id LIMIT :limit`

const share = (sorted: readonly number[], part: number): number | null =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? null

function adder(): { add(key: string, name: string, row: Row): void; rows(): Sum[] } {
  const sums = new Map<string, Sum>()
  return {
    add(key, name, { resolution }) {
      const sum = sums.get(key) ?? {
        key,
        name,
        claims: 0,
        replaced: 0,
        refunded: 0,
        rejected: 0,
        open: 0,
      }
      sums.set(key, sum)
      sum.claims += 1
      if (resolution === 'replaced' || resolution === 'refunded' || resolution === 'rejected')
        sum[resolution] += 1
      else if (resolution === null) sum.open += 1
    },
    rows() {
      const sorted = [...sums.values()].toSorted(
        (a, b) => b.claims - a.claims || a.name.localeCompare(b.name, 'en'),
      )
      const rest = sorted.slice(MOST)
      return rest.length === 0
        ? sorted
        : [...sorted.slice(0, MOST), sumOf(OTHERS, String(rest.length), rest)]
    },
  }
}

/** The totals of several rows as one row. */
function sumOf(key: string, name: string, rows: readonly Sum[]): Sum {
  const all = (of: (row: Sum) => number): number => rows.reduce((sum, row) => sum + of(row), 0)
  return {
    key,
    name,
    claims: all(({ claims }) => claims),
    replaced: all(({ replaced }) => replaced),
    refunded: all(({ refunded }) => refunded),
    rejected: all(({ rejected }) => rejected),
    open: all(({ open }) => open),
  }
}

/** Equal steps of a period for its trend: days, weeks or 30 days. */
function stepsOf(from: number, to: number): { from: number; to: number; claims: number }[] {
  const days = Math.ceil((to - from) / DAY_MS)
  const step = (days <= 31 ? 1 : days <= 100 ? 7 : 30) * DAY_MS
  // The last step ends with the period, and the first one may be shorter.
  const count = Math.min(MOST_STEPS, Math.max(1, Math.ceil((to - from) / step)))
  return Array.from({ length: count }, (_, at) => ({
    from: Math.max(from, to - (count - at) * step),
    to: to - (count - at - 1) * step,
    claims: 0,
  }))
}

/**
 * Totals of the disputes opened from `from` (inclusive) to `to` (exclusive), by shared properties.
 * Works in slices, so that the core's thread stays responsive.
 */
export async function buildReport(
  db: Database,
  from: number,
  to: number,
  origin: (
    row: Pick<Row, 'saleId' | 'productId' | 'openedAt' | 'fingerprint'>,
  ) => Pick<KeyOrigin, 'batchId' | 'batchName' | 'supplier'> | null,
  rest: () => Promise<void>,
): Promise<DisputeReport> {
  const [reasons, products, batches, suppliers] = [adder(), adder(), adder(), adder()]
  const trend = stepsOf(from, to)
  const answers: number[] = []
  const outcome = { replaced: 0, refunded: 0, rejected: 0, open: 0, escalated: 0 }
  let claims = 0
  for (let place = { at: to, id: '\uffff' }; ;) {
    const rows = prepared(db, ROWS).all({ from, ...place, limit: SLICE }) as Row[]
    for (const row of rows) count(row)
    claims += rows.length
    const last = rows.at(-1)
    if (last === undefined || rows.length < SLICE) break
    place = { at: last.openedAt, id: last.disputeId }
    await rest()
  }
  answers.sort((a, b) => a - b)
  const upTo = (hours: number): number => answers.filter((ms) => ms <= hours * HOUR).length
  const bars = [...BARS, null].map((hours, at) => ({
    upToHours: hours,
    claims:
      (hours === null ? answers.length : upTo(hours)) - (at === 0 ? 0 : upTo(BARS[at - 1] ?? 0)),
  }))
  return {
    claims,
    outcome,
    answer: {
      medianMs: share(answers, 0.5),
      p90Ms: share(answers, 0.9),
      answered: answers.length,
      bars,
    },
    trend,
    total: sumOf('total', '', reasons.rows()),
    byReason: reasons.rows(),
    byProduct: products.rows(),
    byBatch: batches.rows(),
    bySupplier: suppliers.rows(),
  }

  function count(row: Row): void {
    reasons.add(row.reason ?? 'unread', row.reason ?? 'unread', row)
    products.add(row.productId ?? row.name, row.name, row)
    const came = origin(row)
    batches.add(came?.batchId ?? '', came?.batchName ?? 'Unknown', row)
    suppliers.add(
      came?.supplier ?? '',
      came === null || came.supplier === '' ? 'Unknown' : came.supplier,
      row,
    )
    const step = trend.findLast((each) => each.from <= row.openedAt)
    if (step !== undefined) step.claims += 1
    if (row.answeredAt !== null) answers.push(Math.max(0, row.answeredAt - row.openedAt))
    if (
      row.resolution === 'replaced' ||
      row.resolution === 'refunded' ||
      row.resolution === 'rejected'
    )
      outcome[row.resolution] += 1
    else if (row.status === 'escalated') outcome.escalated += 1
    else if (row.status !== 'resolved') outcome.open += 1
  }
}
