import type { Database } from 'better-sqlite3'
import type { DisputeReason } from '../../contract/disputes/dispute-records.ts'
import { createListingStore } from '../polling/polling.ts'
import { createConversationStore } from './conversation-store.ts'
import type { Conversation } from './conversation-store.ts'
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
/**
 * Sealed values of a dispute; null while the vault is locked, and if the service doesn't report
 * them.
 */
export type Sealed = { reason: Buffer | null; fingerprint: Buffer | null }
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
  const conversation = createConversationStore(db)

  return {
    ...createListingStore(db, 'disputes_sync'),
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
    ...conversation.reads,
    /** Replaces a dispute's messages; returns whether they changed. */
    putConversation(disputeId: string, found: Conversation, readAt: number): boolean {
      const before = one.get({ disputeId })
      conversation.put(disputeId, found, readAt)
      return before?.messages !== found.messages.length || before.bodies !== Number(found.bodies)
    },
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
      conversation.drop(disputeId)
      db.prepare('DELETE FROM disputes WHERE dispute_id = :disputeId').run({ disputeId })
    },
    unresolved: (): number =>
      db
        .prepare("SELECT count(*) FROM disputes WHERE status <> 'resolved'")
        .pluck()
        .get() as number,
  }
}
