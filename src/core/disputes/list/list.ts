import type { Database } from 'better-sqlite3'
import type {
  DisputeFilter,
  DisputeRow,
  DisputeView,
  disputeSortColumns,
} from '../../../contract/disputes/dispute-records.ts'
import { disputeViews } from '../../../contract/disputes/dispute-records.ts'
import { knownProducts } from '../../catalogue/catalogue.ts'
import { prepared } from '../../mirror/mirror.ts'
import { customerPayments } from '../../sales/sales.ts'
import { countResolved, buildFilter, resolvedTable } from './filter.ts'
import type { SqlFilter } from './filter.ts'
import type { DisputeRecord } from '../store.ts'

export type DisputeQuery = DisputeFilter & {
  sort: { column: (typeof disputeSortColumns)[number]; direction: 'asc' | 'desc' }
  offset: number
  limit: number
}
/** The groups of an `urgency` list, in order. */
export const disputeGroups = ['needs-answer', 'waiting', 'escalated', 'resolved'] as const
export type DisputeGroups = { group: (typeof disputeGroups)[number]; count: number }[]

type State = 'sending' | 'unknown' | 'refused'
type Joined = DisputeRecord & {
  read_messages: number | null
  has_draft: number
  answer_state: State | null
  action_state: State | null
  reply_state: DisputeRow['pendingReply']
  is_snoozed: number
  is_done: number
  is_mine: number
  is_unread: number
  snoozed_until: number | null
}

const UNRESOLVED = "d.status <> 'resolved'"
const RESOLVED = "d.status = 'resolved'"
const SNOOZED = '(m.snoozed_until > :now AND coalesce(d.messages, 0) <= m.snoozed_messages) IS TRUE'
const DONE = '(coalesce(d.messages, 0) <= m.done_messages AND d.status = m.done_status) IS TRUE'
const ACTIVE = `NOT ${SNOOZED} AND NOT ${DONE}`
const OPEN_UNANSWERED = "d.status = 'open' AND d.last_author IS NOT 'seller'"
const UNREAD = `(m.unread = 1) IS TRUE OR (d.others > 0 AND coalesce(d.messages, 0) > coalesce(r.messages, 0)
  AND d.last_author IS NOT 'seller')`
/** All views but `resolved` and `all` list only unresolved disputes. */
const VIEWS: Readonly<Record<DisputeView, string>> = {
  inbox: ACTIVE,
  'needs-answer': `${OPEN_UNANSWERED} AND ${ACTIVE}`,
  waiting: `d.status = 'open' AND d.last_author IS 'seller' AND ${ACTIVE}`,
  escalated: `d.status <> 'open' AND ${ACTIVE}`,
  mine: 'm.mine = 1',
  snoozed: SNOOZED,
  done: DONE,
  resolved: "d.status = 'resolved'",
  all: 'TRUE',
}
const whereOf = (view: DisputeView): string =>
  view === 'all' || view === 'resolved' ? VIEWS[view] : `${UNRESOLVED} AND (${VIEWS[view]}) IS TRUE`
const GROUP = `CASE WHEN ${OPEN_UNANSWERED} THEN 0 WHEN d.status = 'open' THEN 1
  WHEN d.status <> 'resolved' THEN 2 ELSE 3 END`
const TIES = 'd.opened_at DESC, d.dispute_id'
const sortedBy = (column: DisputeQuery['sort']['column'], direction: 'ASC' | 'DESC'): string => {
  switch (column) {
    case 'urgency':
      return `${GROUP} ${direction}, d.escalates_at ${direction} NULLS LAST,
        coalesce(d.last_at, d.updated_at) DESC, ${TIES}`
    case 'opened':
      return `d.opened_at ${direction} NULLS LAST, d.dispute_id`
    case 'updated':
      return `d.updated_at ${direction} NULLS LAST, ${TIES}`
    case 'escalates':
      return `d.escalates_at ${direction} NULLS LAST, ${TIES}`
    case 'name':
      return `d.name_key ${direction}, ${TIES}`
  }
}
const JOINS =
  'LEFT JOIN dispute_reads r ON r.dispute_id = d.dispute_id LEFT JOIN dispute_marks m ON m.dispute_id = d.dispute_id'
const FROM = `FROM disputes d ${JOINS}`
const SELECT = `
  SELECT d.*, r.messages AS read_messages, EXISTS (SELECT 1 FROM dispute_drafts w
    WHERE w.dispute_id = d.dispute_id) AS has_draft,
    (SELECT a.state FROM dispute_answers a WHERE a.dispute_id = d.dispute_id ORDER BY a.written_at DESC
      LIMIT 1) AS answer_state,
    (SELECT x.state FROM dispute_actions x WHERE x.dispute_id = d.dispute_id AND x.state <> 'done'
      ORDER BY x.written_at DESC LIMIT 1) AS action_state,
    (SELECT p.state FROM dispute_replies p WHERE p.dispute_id = d.dispute_id AND p.state <> 'done' AND p.dismissed = 0
      ORDER BY p.written_at DESC LIMIT 1) AS reply_state,
    ${SNOOZED} AS is_snoozed, ${DONE} AS is_done, coalesce(m.mine, 0) AS is_mine,
      (${UNREAD}) AS is_unread, m.snoozed_until`

/**
 * Data that a row needs in addition to the mirror: the account, the time, sealed texts, queued
 * answers.
 */
export type RowParts = {
  accountId: string
  now: number
  reasonOf: (record: DisputeRecord) => string | null
  waits: (disputeId: string) => boolean
}

export type Listed = {
  total: number
  rows: DisputeRow[]
  views: Record<DisputeView, number>
  unread: number
  groups: DisputeGroups
}

/**
 * A window of the matching disputes, and for each view the number it would show with the same
 * filter. Unknown values sort last.
 */
export function listDisputes(db: Database, asked: DisputeQuery, parts: RowParts): Listed {
  const { view } = asked
  const narrow = buildFilter(db, asked, UNREAD)
  const given = { ...narrow.values, now: parts.now }
  const counted = disputeViews
    .filter((each) => each !== 'all' && each !== 'resolved')
    .map((each) => `count(*) FILTER (WHERE (${VIEWS[each]}) IS TRUE) AS "${each}"`)
    .join(', ')
  const here = view === 'all' ? 'TRUE' : view === 'resolved' ? 'FALSE' : VIEWS[view]
  const grouped = [0, 1, 2]
    .map(
      (group) => `count(*) FILTER (WHERE (${here}) IS TRUE AND ${GROUP} = ${group}) AS g${group}`,
    )
    .join(', ')
  // Most disputes are resolved: they are counted separately, without a join unless a filter needs
  // it.
  const { unread, unresolved, g0, g1, g2, ...open } = prepared(
    db,
    `SELECT ${counted}, ${grouped}, count(*) AS unresolved,
      count(*) FILTER (WHERE ${UNREAD}) AS unread ${FROM} WHERE ${UNRESOLVED} AND ${narrow.where}`,
  ).get(given) as Record<DisputeView | 'unread' | 'unresolved' | 'g0' | 'g1' | 'g2', number>
  const resolved = countResolved(db, narrow, JOINS)
  const views = { ...open, resolved, all: unresolved + resolved }
  const total = views[view]
  const groups =
    asked.sort.column === 'urgency'
      ? disputeGroups
          .map((group, at) => ({ group, count: [g0, g1, g2, total - g0 - g1 - g2][at] ?? 0 }))
          .filter(({ count }) => count > 0)
      : []
  return {
    total,
    rows: disputeRows(
      db,
      windowOf(db, asked, partsOf(asked, narrow, { unresolved: g0 + g1 + g2, resolved }), given),
      parts,
    ),
    views,
    unread,
    groups,
  }
}

/** A part of a list: its conditions, its order and its size. */
type Part = { chosen: string; order: string; table: string; size: number }

/**
 * The parts of a list in order. An `urgency` list has two: `unresolved` of the view's disputes, then
 * the resolved ones.
 */
function partsOf(
  { view, sort }: Pick<DisputeQuery, 'view' | 'sort'>,
  narrow: SqlFilter,
  { unresolved, resolved }: { unresolved: number; resolved: number },
): Part[] {
  const order = sortedBy(sort.column, sort.direction === 'asc' ? 'ASC' : 'DESC')
  if (sort.column !== 'urgency' || sort.direction !== 'asc')
    return [{ chosen: `${whereOf(view)} AND ${narrow.where}`, order, table: FROM, size: Infinity }]
  const first = {
    chosen: `${view === 'all' ? UNRESOLVED : whereOf(view)} AND ${narrow.where}`,
    order,
    table: FROM,
    size: unresolved,
  }
  const last = {
    chosen: `${RESOLVED} AND ${narrow.where}`,
    order: `coalesce(d.last_at, d.updated_at) DESC, ${TIES}`,
    table: `${resolvedTable(narrow, resolved)} ${JOINS}`,
    size: resolved,
  }
  return view === 'resolved' ? [last] : view === 'all' ? [first, last] : [first]
}

/** The rows of a window over the parts of a list. */
function windowOf(
  db: Database,
  { offset, limit }: Pick<DisputeQuery, 'offset' | 'limit'>,
  parts: readonly Part[],
  given: Record<string, string | number>,
): Joined[] {
  // Sort by the sort columns only, then read the displayed columns for the window only.
  const some = ({ chosen, order, table }: Part, from: number, count: number): Joined[] =>
    count <= 0
      ? []
      : (prepared(
          db,
          `
    WITH picked AS MATERIALIZED (SELECT d.dispute_id, row_number() OVER () AS place
      FROM (SELECT d.dispute_id ${table} WHERE ${chosen} ORDER BY ${order}
      LIMIT :limit OFFSET :offset) AS d)
    ${SELECT} FROM picked JOIN disputes d ON d.dispute_id = picked.dispute_id ${JOINS} ORDER BY picked.place`,
        ).all({ ...given, limit: count, offset: from }) as Joined[])
  const rows: Joined[] = []
  let before = 0
  for (const part of parts) {
    const from = Math.max(0, offset - before)
    rows.push(...some(part, from, Math.min(limit - rows.length, part.size - from)))
    before += part.size
  }
  return rows
}

/** The index of a dispute among all matching ones, in order; null if it isn't one of them. */
export function positionOfDispute(
  db: Database,
  asked: Omit<DisputeQuery, 'offset' | 'limit'>,
  disputeId: string,
  now: number,
): number | null {
  const narrow = buildFilter(db, asked, UNREAD)
  const resolved = countResolved(db, narrow, JOINS)
  const ids = partsOf(asked, narrow, { unresolved: 0, resolved }).flatMap(
    ({ chosen, order, table }) =>
      prepared(db, `SELECT d.dispute_id ${table} WHERE ${chosen} ORDER BY ${order}`)
        .pluck()
        .all({ ...narrow.values, now }) as string[],
  )
  const index = ids.indexOf(disputeId)
  return index < 0 ? null : index
}

/** Number of disputes that need an answer, for the navigation. */
export function countNeedingAnswer(db: Database, now: number): number {
  return prepared(db, `SELECT count(*) ${FROM} WHERE ${whereOf('needs-answer')}`)
    .pluck()
    .get({ now }) as number
}

/** One dispute as the list shows it; undefined if it isn't mirrored. */
export function readRow(db: Database, disputeId: string, parts: RowParts): DisputeRow | undefined {
  const row = prepared(db, `${SELECT} ${FROM} WHERE d.dispute_id = :disputeId`).get({
    disputeId,
    now: parts.now,
  }) as Joined | undefined
  return row === undefined ? undefined : disputeRows(db, [row], parts)[0]
}

/**
 * Counts other disputes on the same product, those among them that were settled with another key,
 * and those on the same order.
 */
export function countRelatedDisputes(
  db: Database,
  { disputeId, productId, orderId }: Pick<DisputeRow, 'disputeId' | 'productId' | 'orderId'>,
): { product: number; productReplaced: number; order: number } {
  const count = (column: 'product_id' | 'order_id', value: string | null, also = 'TRUE'): number =>
    value === null
      ? 0
      : (prepared(
          db,
          `SELECT count(*) FROM disputes WHERE ${column} = :value AND dispute_id <> :disputeId AND ${also}`,
        )
          .pluck()
          .get({ value, disputeId }) as number)
  return {
    product: count('product_id', productId),
    productReplaced: count('product_id', productId, "resolution_type = 'replaced'"),
    order: count('order_id', orderId),
  }
}

function disputeRows(
  db: Database,
  records: readonly Joined[],
  { accountId, reasonOf, waits }: RowParts,
): DisputeRow[] {
  const products = knownProducts(db, [
    ...new Set(records.flatMap((record) => record.product_id ?? [])),
  ])
  const paidBy = customerPayments(db)
  return records.map((record) => {
    const product = products.get(record.product_id ?? '')
    return {
      accountId,
      disputeId: record.dispute_id,
      saleId: record.sale_id,
      offerId: record.offer_id,
      orderId: record.order_id,
      keyId: record.key_id,
      productId: record.product_id,
      name: record.name,
      platform: product?.platform ?? '',
      region: product?.region ?? '',
      deliveryType: product?.deliveryType ?? '',
      customerCents: record.sale_id === null ? null : paidBy(record.sale_id),
      status: record.status,
      reason: reasonOf(record),
      reasonKind: record.reason_kind,
      language: record.language,
      openedAt: record.opened_at,
      updatedAt: record.updated_at,
      escalatesAt: record.escalates_at,
      resolution:
        record.resolution_type === null
          ? null
          : { type: record.resolution_type, at: record.resolution_at },
      messages: record.messages,
      lastAuthor: record.last_author,
      lastMessageAt: record.last_at,
      attachments: record.attachments,
      needsAnswer: record.status === 'open' && record.last_author !== 'seller',
      unread: record.status !== 'resolved' && record.is_unread === 1,
      hasDraft: record.has_draft === 1,
      pendingAnswer: record.answer_state,
      pendingAction: record.action_state,
      pendingReply: record.reply_state,
      waits: waits(record.dispute_id),
      snoozedUntil:
        record.status !== 'resolved' && record.is_snoozed === 1 ? record.snoozed_until : null,
      mine: record.is_mine === 1,
      done: record.status !== 'resolved' && record.is_done === 1,
      seenAt: record.seen_at,
    }
  })
}
