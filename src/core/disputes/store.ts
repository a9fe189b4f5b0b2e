import type { Database } from 'better-sqlite3'
import type { DisputeReason } from '../../contract/disputes/dispute-records.ts'
import type { ListingState } from '../polling/polling.ts'
import type { DisputeFacts } from './sync/facts.ts'
import { perDatabase } from '../mirror/mirror.ts'

/** A dispute as stored. */
export type DisputeRecord = {
  dispute_id: string
  sale_id: string | null
  offer_id: string | null
  order_id: string | null
  key_id: string | null
  product_id: string | null
  name: string
  status: string
  reason_sealed: Buffer | null
  opened_at: number | null
  updated_at: number | null
  escalates_at: number | null
  resolution_type: string | null
  resolution_at: number | null
  seen_at: number
  pass: number
  stale: number
  read_at: number | null
  reason_kind: DisputeReason | null
  language: string | null
  first_answer_at: number | null
  customer_at: number | null
  key_fingerprint: Buffer | null
  messages: number | null
  last_author: string | null
  last_at: number | null
  others: number
  attachments: number
  bodies: number
}
export type MessageRecord = {
  position: number
  author: string | null
  body_sealed: Buffer | null
  at: number | null
}
export type AttachmentRecord = {
  position: number
  number: number
  content_type: string
  bytes: number
  value_sealed: Buffer | null
}
/**
 * Sealed values of a dispute; null while the vault is locked, and if the service doesn't report
 * them.
 */
export type Sealed = { reason: Buffer | null; fingerprint: Buffer | null }
/** A complete conversation. `others`: number of messages that aren't the seller's. */
export type Conversation = {
  messages: readonly MessageRecord[]
  attachments: readonly AttachmentRecord[]
  others: number
  bodies: boolean
}

const COLUMNS = [
  'saleId',
  'offerId',
  'orderId',
  'keyId',
  'productId',
  'name',
  'nameKey',
  'status',
  'openedAt',
  'updatedAt',
  'escalatesAt',
  'resolutionType',
  'resolutionAt',
  'reasonKind',
  'language',
] as const
/** Columns that a list can leave out although the dispute itself reported them. */
const KEPT: ReadonlySet<string> = new Set(['reason_kind', 'language'])
const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const isOther = (before: DisputeRecord, now: DisputeFacts): boolean =>
  before.status !== now.status ||
  before.updated_at !== now.updatedAt ||
  before.escalates_at !== now.escalatesAt ||
  before.resolution_type !== now.resolutionType ||
  before.resolution_at !== now.resolutionAt ||
  before.name !== now.name ||
  before.sale_id !== now.saleId

/** The disputes of one mirror. */
export const disputeStore: (db: Database) => DisputeStore = perDatabase((db) => ({
  ...createDisputeStore(db),
  db,
}))
export type DisputeStore = ReturnType<typeof createDisputeStore> & { readonly db: Database }

function createDisputeStore(db: Database) {
  const one = db.prepare<{ disputeId: string }, DisputeRecord>(
    'SELECT * FROM disputes WHERE dispute_id = :disputeId',
  )
  const names = COLUMNS.map(snake)
  const upsert = db.prepare(`
    INSERT INTO disputes (dispute_id, ${names.join(', ')}, reason_sealed, key_fingerprint, text_id,
      seen_at, pass, stale)
    VALUES (:disputeId, ${COLUMNS.map((column) => `:${column}`).join(', ')}, :reason, :fingerprint,
      (SELECT text_id FROM dispute_texts WHERE text = :text), :now, :pass, 1)
    ON CONFLICT (dispute_id) DO UPDATE
      SET ${names
        .map(
          (column) => `${column} =
        ${KEPT.has(column) ? `coalesce(excluded.${column}, ${column})` : `excluded.${column}`}`,
        )
        .join(', ')},
      reason_sealed = coalesce(excluded.reason_sealed, reason_sealed),
        key_fingerprint = coalesce(excluded.key_fingerprint, key_fingerprint),
        text_id = excluded.text_id, seen_at = excluded.seen_at`)
  const addText = db.prepare('INSERT OR IGNORE INTO dispute_texts (text) VALUES (:text)')
  const setStale = db.prepare('UPDATE disputes SET stale = :stale WHERE dispute_id = :disputeId')
  const dropMessages = db.prepare('DELETE FROM dispute_messages WHERE dispute_id = :disputeId')
  const dropAttachments = db.prepare(
    'DELETE FROM dispute_attachments WHERE dispute_id = :disputeId',
  )
  const addMessage = db.prepare(
    `INSERT INTO dispute_messages (dispute_id, position, author, body_sealed, at) VALUES (:disputeId,
      :position, :author, :body_sealed, :at)`,
  )
  const addAttachment =
    db.prepare(`INSERT INTO dispute_attachments (dispute_id, position, number, content_type, bytes, value_sealed)
    VALUES (:disputeId, :position, :number, :content_type, :bytes, :value_sealed)`)
  const setConversation =
    db.prepare(`UPDATE disputes SET stale = :stale, read_at = :readAt, messages = :messages,
      last_author = :lastAuthor, last_at = :lastAt,
    others = :others, attachments = :attachments, first_answer_at = :firstAnswerAt,
      customer_at = :customerAt, bodies = :bodies WHERE dispute_id = :disputeId`)
  const messages = db.prepare<{ disputeId: string }, MessageRecord>(
    'SELECT position, author, body_sealed, at FROM dispute_messages WHERE dispute_id = :disputeId ORDER BY position',
  )
  const attachments = db.prepare<{ disputeId: string }, AttachmentRecord>(`
    SELECT position, number, content_type, bytes, value_sealed FROM dispute_attachments
      WHERE dispute_id = :disputeId ORDER BY position, number`)
  const stale = db
    .prepare<{ limit: number }, string>(
      `SELECT dispute_id FROM disputes WHERE stale = 1 ORDER BY status = 'resolved', opened_at DESC LIMIT :limit`,
    )
    .pluck()
  const markMissing = db.prepare(
    "UPDATE disputes SET stale = 1 WHERE status <> 'resolved' AND seen_at < :since",
  )
  const markUndated = db.prepare(
    "UPDATE disputes SET stale = 1 WHERE status <> 'resolved' AND updated_at IS NULL",
  )
  const markWithoutBodies = db.prepare(
    'UPDATE disputes SET stale = 1 WHERE bodies = 0 AND read_at IS NOT NULL',
  )
  const sync = db.prepare<
    [],
    { next_page: number; complete: number; pass: number; read_at: number | null }
  >('SELECT * FROM disputes_sync')
  const setListing = db.prepare(
    'UPDATE disputes_sync SET next_page = :nextPage, complete = :complete, pass = :pass',
  )
  const state = () => sync.get() ?? { next_page: 1, complete: 0, pass: 1, read_at: null }

  return {
    transaction: <Result>(work: () => Result): Result => db.transaction(work)(),
    find: (disputeId: string): DisputeRecord | undefined => one.get({ disputeId }),
    /**
     * Writes a dispute as reported by the service; if it changed, marks its messages to be read
     * again.
     */
    put(
      facts: DisputeFacts,
      { reason, fingerprint }: Sealed,
      pass: number,
      now: number,
    ): { changed: boolean; pass: number } {
      const before = one.get({ disputeId: facts.disputeId })
      addText.run({ text: facts.text })
      upsert.run({ ...facts, reason, fingerprint, pass, now })
      const changed = before === undefined || isOther(before, facts)
      if (changed) setStale.run({ disputeId: facts.disputeId, stale: 1 })
      return { changed, pass: before?.pass ?? pass }
    },
    /** Replaces a dispute's messages; returns whether they changed. */
    putConversation(disputeId: string, conversation: Conversation, readAt: number): boolean {
      const before = one.get({ disputeId })
      dropMessages.run({ disputeId })
      dropAttachments.run({ disputeId })
      for (const message of conversation.messages) addMessage.run({ disputeId, ...message })
      for (const attachment of conversation.attachments)
        addAttachment.run({ disputeId, ...attachment })
      const last = conversation.messages.at(-1)
      setConversation.run({
        disputeId,
        readAt,
        stale: 0,
        messages: conversation.messages.length,
        lastAuthor: last?.author ?? null,
        lastAt: last?.at ?? null,
        firstAnswerAt: conversation.messages.find(({ author }) => author === 'seller')?.at ?? null,
        customerAt:
          conversation.messages.findLast(({ author }) => author === 'customer')?.at ?? null,
        others: conversation.others,
        attachments: conversation.attachments.length,
        bodies: Number(conversation.bodies),
      })
      return (
        before?.messages !== conversation.messages.length ||
        before.bodies !== Number(conversation.bodies)
      )
    },
    messages: (disputeId: string): MessageRecord[] => messages.all({ disputeId }),
    attachments: (disputeId: string): AttachmentRecord[] => attachments.all({ disputeId }),
    setStale: (disputeId: string): void => void setStale.run({ disputeId, stale: 1 }),
    /** Disputes whose messages must be read, unresolved ones first. */
    stale: (limit: number): string[] => stale.all({ limit }),
    /**
     * Marks unresolved disputes that no list has shown since, and those without a change date, to
     * be read one by one.
     */
    markPossiblyChanged(since: number): void {
      markMissing.run({ since })
      markUndated.run()
    },
    /** Marks texts that arrived while the vault was locked to be read again. */
    markWithoutBodies: (): void => void markWithoutBodies.run(),
    drop(disputeId: string): void {
      dropMessages.run({ disputeId })
      dropAttachments.run({ disputeId })
      db.prepare('DELETE FROM disputes WHERE dispute_id = :disputeId').run({ disputeId })
    },
    listing(): ListingState {
      const row = state()
      return { nextPage: row.next_page, complete: row.complete === 1, pass: row.pass }
    },
    setListing: ({ nextPage, complete, pass }: ListingState): void =>
      void setListing.run({ nextPage, complete: Number(complete), pass }),
    readAt: (): number | null => state().read_at,
    setReadAt: (at: number): void =>
      void db.prepare('UPDATE disputes_sync SET read_at = :at').run({ at }),
    unresolved: (): number =>
      db
        .prepare("SELECT count(*) FROM disputes WHERE status <> 'resolved'")
        .pluck()
        .get() as number,
  }
}
