import type { Database } from 'better-sqlite3'
import type { DisputeRow, disputeSortColumns, disputeViews } from '../../contract/disputes.ts'
import { knownProducts } from '../catalogue/catalogue.ts'
import type { DisputeRecord } from './store.ts'

export type DisputeView = (typeof disputeViews)[number]
export type DisputeQuery = {
  view: DisputeView; query: string; unread: boolean; sort: { column: (typeof disputeSortColumns)[number]; direction: 'asc' | 'desc' }; offset: number; limit: number
}

type Joined = DisputeRecord & { read_messages: number | null; has_draft: number; answer_state: 'sending' | 'unknown' | 'refused' | null }

const NEEDS_ANSWER = "d.status = 'open' AND d.last_author IS NOT 'seller'"
const UNREAD = "d.status <> 'resolved' AND d.others > 0 AND coalesce(d.messages, 0) > coalesce(r.messages, 0) AND d.last_author IS NOT 'seller'"
const VIEWS: Readonly<Record<DisputeView, string>> = {
  inbox: "d.status <> 'resolved'",
  'needs-answer': NEEDS_ANSWER,
  waiting: "d.status = 'open' AND d.last_author IS 'seller'",
  escalated: "d.status = 'escalated'",
  resolved: "d.status = 'resolved'",
  all: 'TRUE',
}
const GROUP = `CASE WHEN ${NEEDS_ANSWER} THEN 0 WHEN d.status = 'open' THEN 1 WHEN d.status <> 'resolved' THEN 2 ELSE 3 END`
const TIES = 'd.opened_at DESC, d.dispute_id'
const sortedBy = (column: DisputeQuery['sort']['column'], direction: 'ASC' | 'DESC'): string => {
  switch (column) {
    case 'urgency': return `${GROUP} ${direction}, d.escalates_at ${direction} NULLS LAST, coalesce(d.last_at, d.updated_at) DESC, ${TIES}`
    case 'opened': return `d.opened_at ${direction} NULLS LAST, d.dispute_id`
    case 'updated': return `d.updated_at ${direction} NULLS LAST, ${TIES}`
    case 'escalates': return `d.escalates_at ${direction} NULLS LAST, ${TIES}`
    case 'name': return `d.name_key ${direction}, ${TIES}`
  }
}
const FROM = 'FROM disputes d LEFT JOIN dispute_reads r ON r.dispute_id = d.dispute_id'
const SELECT = `
  SELECT d.*, r.messages AS read_messages, EXISTS (SELECT 1 FROM dispute_drafts w WHERE w.dispute_id = d.dispute_id) AS has_draft,
    (SELECT a.state FROM dispute_answers a WHERE a.dispute_id = d.dispute_id ORDER BY a.written_at DESC LIMIT 1) AS answer_state ${FROM}`

/** Reads a sealed text; null while it can't be. */
export type ReasonOf = (record: DisputeRecord) => string | null

/** A window of the disputes that fit, and for each view how many it would show with the other choices as they are. Unknown values sort last. */
export function listDisputes(db: Database, asked: DisputeQuery, reasonOf: ReasonOf): { total: number; rows: DisputeRow[]; views: Record<DisputeView, number>; unread: number } {
  const parts = asked.unread ? [UNREAD] : ['TRUE']
  const values: Record<string, string | number> = {}
  for (const [at, word] of asked.query.toLowerCase().split(/\s+/).filter(Boolean).entries()) {
    parts.push(`instr(d.search, :word${at}) > 0`)
    values[`word${at}`] = word
  }
  const chosen = parts.map((part) => `(${part})`).join(' AND ')
  const counted = Object.entries({ ...VIEWS, unread: UNREAD }).map(([view, fits]) => `count(*) FILTER (WHERE ${fits}) AS "${view}"`).join(', ')
  const { unread, ...views } = db.prepare(`SELECT ${counted} ${FROM} WHERE ${chosen}`).get(values) as Record<DisputeView | 'unread', number>
  const order = sortedBy(asked.sort.column, asked.sort.direction === 'asc' ? 'ASC' : 'DESC')
  const rows = db.prepare<Record<string, unknown>, Joined>(`${SELECT} WHERE ${chosen} AND ${VIEWS[asked.view]} ORDER BY ${order} LIMIT :limit OFFSET :offset`)
    .all({ ...values, limit: asked.limit, offset: asked.offset })
  return { total: views[asked.view], rows: disputeRows(db, rows, reasonOf), views, unread }
}

/** One dispute as the list shows it; undefined when the mirror doesn't have it. */
export function readRow(db: Database, disputeId: string, reasonOf: ReasonOf): DisputeRow | undefined {
  const row = db.prepare<{ disputeId: string }, Joined>(`${SELECT} WHERE d.dispute_id = :disputeId`).get({ disputeId })
  return row === undefined ? undefined : disputeRows(db, [row], reasonOf)[0]
}

/** How many other disputes there are on the same product, and on the same order. */
export function earlierClaims(db: Database, { disputeId, productId, orderId }: Pick<DisputeRow, 'disputeId' | 'productId' | 'orderId'>): { product: number; order: number } {
  const count = (column: 'product_id' | 'order_id', value: string | null): number =>
    (value === null ? 0 : db.prepare(`SELECT count(*) FROM disputes WHERE ${column} = :value AND dispute_id <> :disputeId`).pluck().get({ value, disputeId }) as number)
  return { product: count('product_id', productId), order: count('order_id', orderId) }
}

function disputeRows(db: Database, records: readonly Joined[], reasonOf: ReasonOf): DisputeRow[] {
  const products = knownProducts(db, [...new Set(records.flatMap((record) => record.product_id ?? []))])
  return records.map((record) => {
    const product = products.get(record.product_id ?? '')
    return {
      disputeId: record.dispute_id, saleId: record.sale_id, offerId: record.offer_id, orderId: record.order_id, keyId: record.key_id, productId: record.product_id,
      name: record.name, platform: product?.platform ?? '', region: product?.region ?? '', status: record.status, reason: reasonOf(record),
      openedAt: record.opened_at, updatedAt: record.updated_at, escalatesAt: record.escalates_at,
      resolution: record.resolution_type === null ? null : { type: record.resolution_type, at: record.resolution_at },
      messages: record.messages, lastAuthor: record.last_author, lastMessageAt: record.last_at, attachments: record.attachments,
      needsAnswer: record.status === 'open' && record.last_author !== 'seller',
      unread: record.status !== 'resolved' && record.others > 0 && (record.messages ?? 0) > (record.read_messages ?? 0) && record.last_author !== 'seller',
      hasDraft: record.has_draft === 1, pendingAnswer: record.answer_state, seenAt: record.seen_at,
    }
  })
}
