import type { Database } from 'better-sqlite3'
import type {
  Attachment,
  ClaimedUnit,
  DisputeRecord,
  DisputeRepository,
  MessageRecord,
  NewDispute,
} from '../../domain/ports/selling/disputes.ts'

type MessageRow = Omit<MessageRecord, 'attachments'> & { attachments: string }
type Filter = { sellerId: string | null; status: string | null }

const select = `
  SELECT d.no, d.id, d.seller_id AS sellerId, d.sale_no AS saleNo, s.id AS saleId, f.id AS offerId, o.id AS orderId,
    u.id AS keyId, l.product_id AS productId, l.name, d.key_sha256 AS keySha256, d.reason, d.status,
    d.opened_at AS openedAt, d.updated_at AS updatedAt, d.escalates_at AS escalatesAt, d.resolution,
    d.resolved_at AS resolvedAt
  FROM disputes d
    JOIN sales s ON s.no = d.sale_no
    JOIN order_units u ON u.no = d.order_unit_no
    JOIN orders o ON o.no = u.order_no
    JOIN order_lines l ON l.order_no = u.order_no AND l.line = u.line
    JOIN offers f ON f.no = u.offer_no`

const filtered =
  '(@sellerId IS NULL OR d.seller_id = @sellerId) AND (@status IS NULL OR d.status = @status)'

/** Throws unless exactly one row changed. */
const one = (changes: number, no: number): void => {
  if (changes !== 1) throw new Error(`dispute ${no} is already resolved`)
}

/** Disputes with their sale, order and unit. */
function readQueries(database: Database): Pick<DisputeRepository, 'find' | 'page' | 'count'> {
  const find = database.prepare<{ id: string }, DisputeRecord>(`${select} WHERE d.id = @id`)
  const page = database.prepare<Filter & { offset: number; limit: number }, DisputeRecord>(
    `${select} WHERE ${filtered} ORDER BY d.opened_at DESC, d.id LIMIT @limit OFFSET @offset`,
  )
  const count = database
    .prepare<Filter, number>(`SELECT count(*) FROM disputes d WHERE ${filtered}`)
    .pluck()

  return {
    find: (id) => find.get({ id }),
    page: ({ sellerId = null, status = null }, offset, limit) =>
      page.all({ sellerId, status, offset, limit }),
    count: ({ sellerId = null, status = null }) => count.get({ sellerId, status }) ?? 0,
  }
}

/** Units that a dispute is, or can be, about. */
function claimQueries(
  database: Database,
): Pick<DisputeRepository, 'claimedUnit' | 'isClaimed' | 'saleOfReplacement'> {
  const claimedUnit = database.prepare<{ orderNo: number; keyId: string }, ClaimedUnit>(`
    SELECT u.no, u.delivered_at AS deliveredAt, unseal(s.value) AS value FROM order_units u
      JOIN units s ON s.no = u.unit_no
    WHERE u.id = @keyId AND u.order_no = @orderNo AND u.state = 'delivered'`)
  const claimed = database
    .prepare<{ no: number }, 1>('SELECT 1 FROM disputes WHERE order_unit_no = @no')
    .pluck()
  const replaced = database
    .prepare<{ no: number }, number>('SELECT sale_no FROM disputes WHERE replacement_no = @no')
    .pluck()

  return {
    claimedUnit: (orderNo, keyId) => claimedUnit.get({ orderNo, keyId }),
    isClaimed: (no) => claimed.get({ no }) === 1,
    saleOfReplacement: (no) => replaced.get({ no }),
  }
}

/** Messages of disputes. */
function messageQueries(database: Database): Pick<DisputeRepository, 'addMessage' | 'messages'> {
  const addMessage = database.prepare<MessageRow & { disputeNo: number }>(`
    INSERT INTO dispute_messages (id, dispute_no, author, body, created_at, attachments)
    VALUES (@id, @disputeNo, @author, @body, @createdAt, @attachments)`)
  const messages = database.prepare<{ disputeNo: number }, MessageRow>(`
    SELECT id, author, body, created_at AS createdAt, attachments FROM dispute_messages
    WHERE dispute_no = @disputeNo ORDER BY no`)

  return {
    addMessage: (disputeNo, message) =>
      void addMessage.run({
        ...message,
        disputeNo,
        attachments: JSON.stringify(message.attachments),
      }),
    messages: (disputeNo) =>
      messages
        .all({ disputeNo })
        .map((row) => ({ ...row, attachments: JSON.parse(row.attachments) as Attachment[] })),
  }
}

/** The course of disputes: opening, escalation and resolution. */
function progressQueries(
  database: Database,
): Pick<DisputeRepository, 'insert' | 'progress' | 'resolve' | 'due' | 'nextEscalationAt'> {
  const insert = database.prepare<NewDispute>(`
    INSERT INTO disputes (id, sale_no, seller_id, order_unit_no, key_sha256, reason, status, opened_at,
      updated_at, escalates_at)
    VALUES (@id, @saleNo, @sellerId, @orderUnitNo, @keySha256, @reason, 'open', @openedAt, @openedAt, @escalatesAt)`)
  const progress = database.prepare<{
    no: number
    status: string
    escalatesAt: number | null
    updatedAt: number
  }>(`
    UPDATE disputes SET status = @status, escalates_at = @escalatesAt, updated_at = @updatedAt
    WHERE no = @no AND status <> 'resolved'`)
  const resolve = database.prepare<{
    no: number
    resolution: string
    at: number
    replacementNo: number | null
  }>(`
    UPDATE disputes SET status = 'resolved', escalates_at = NULL, updated_at = @at, resolution = @resolution,
      resolved_at = @at, replacement_no = @replacementNo
    WHERE no = @no AND status <> 'resolved'`)
  const due = database
    .prepare<{ at: number; limit: number }, string>(
      'SELECT id FROM disputes WHERE escalates_at <= @at ORDER BY escalates_at, no LIMIT @limit',
    )
    .pluck()
  const next = database
    .prepare<[], number | null>(
      'SELECT min(escalates_at) FROM disputes WHERE escalates_at IS NOT NULL',
    )
    .pluck()

  return {
    insert: (dispute) => Number(insert.run(dispute).lastInsertRowid),
    progress: (no, state) => one(progress.run({ no, ...state }).changes, no),
    resolve: (no, end) => one(resolve.run({ no, ...end }).changes, no),
    due: (at, limit) => due.all({ at, limit }),
    nextEscalationAt: () => next.get() ?? null,
  }
}

export function createDisputeRepository(database: Database): DisputeRepository {
  return {
    ...readQueries(database),
    ...claimQueries(database),
    ...messageQueries(database),
    ...progressQueries(database),
  }
}
