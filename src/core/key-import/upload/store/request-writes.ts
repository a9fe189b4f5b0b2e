import type { Database } from 'better-sqlite3'
import type { PlannedRequest } from '../../plan/plan-requests.ts'
import type { Counted } from '../responses.ts'
import type { RequestRow } from './upload-read-store.ts'

export type Answer = { added: number; duplicates: number; stock: number | null }

const nothingAdded: Answer = { added: 0, duplicates: 0, stock: null }

/** Writes the requests of an import: before each is sent, and after its response. */
export const requestWrites = (db: Database) => ({ ...sendingWrites(db), ...outcomeWrites(db) })

const at = ({
  import_number: number,
  position,
}: RequestRow): { number: number; position: number } => ({ number, position })

function sendingWrites(db: Database) {
  const addRequest = db.prepare<
    PlannedRequest & { number: number; position: number; key: string }
  >(`
    INSERT INTO import_requests (import_number, position, offer, keys, frame, frame_offset, frame_length,
      idempotency_key)
    VALUES (:number, :position, :offer, :keys, :frame, :offset, :length, :key)`)
  // The age of an unknown result, and whether its keys can be in a reading of the stock, follow from
  // the first attempt.
  const sent = db.prepare<{
    number: number
    position: number
    at: number
    stock: number | null
    sold: number | null
  }>(
    `
      UPDATE import_requests SET state = 'sent', attempts = attempts + 1, stock_before = :stock,
        sold_before = :sold, sent_at = CASE state WHEN 'sent' THEN sent_at ELSE :at END
        WHERE import_number = :number AND position = :position`,
  )
  const unsent = db.prepare<{ number: number; position: number }>(
    `
      UPDATE import_requests SET state = 'waiting', attempts = max(0, attempts - 1), stock_before = NULL
      WHERE import_number = :number AND position = :position`,
  )
  const again = db.prepare<{ number: number; position: number; inDoubt: number }>(
    `
      UPDATE import_requests SET state = 'waiting', stock_before = NULL, in_doubt = max(in_doubt, :inDoubt)
      WHERE import_number = :number AND position = :position`,
  )
  const leaveOut = db.prepare<{ number: number; position: number; leftOut: string; key: string }>(
    `
      UPDATE import_requests SET state = 'waiting', attempts = attempts - 1, left_out = :leftOut,
        idempotency_key = :key WHERE import_number = :number AND position = :position`,
  )
  return {
    addRequest(number: number, position: number, request: PlannedRequest, key: string): void {
      addRequest.run({ ...request, number, position, key })
    },
    markSent(request: RequestRow, sentAt: number, offer: Counted | null): void {
      sent.run({
        ...at(request),
        at: sentAt,
        stock: offer?.stock ?? null,
        sold: offer?.sold ?? null,
      })
    },
    /** Marks a request that certainly wasn't sent or wasn't carried out as waiting. */
    markUnsent(request: RequestRow): void {
      unsent.run(at(request))
    },
    /**
     * Marks a request sent without a response as waiting: it was found not to have arrived, or
     * no one knows (`inDoubt`) and the user wants to send it again.
     */
    sendAgain(request: RequestRow, inDoubt: boolean): void {
      again.run({ ...at(request), inDoubt: Number(inDoubt) })
    },
    /** Removes rejected keys from a request and gives the others a new Idempotency-Key. */
    leaveOut(request: RequestRow, indexes: readonly number[], key: string): void {
      leaveOut.run({ ...at(request), leftOut: JSON.stringify(indexes), key })
    },
  }
}

function outcomeWrites(db: Database) {
  const settle = db.prepare<
    Answer & { number: number; position: number; at: number; state: string; excluded: number }
  >(`
    UPDATE import_requests SET state = :state, settled_at = :at, added = :added, duplicates = :duplicates,
      stock = :stock, excluded = :excluded WHERE import_number = :number AND position = :position`)
  const rejectOffer = db.prepare<{ number: number; offer: number; at: number }>(
    `
      UPDATE import_requests SET state = 'refused', settled_at = :at
      WHERE import_number = :number AND offer = :offer AND state IN ('waiting', 'sent')`,
  )
  return {
    settleRequest(request: RequestRow, when: number, answer: Answer): void {
      settle.run({ ...at(request), at: when, state: 'settled', ...answer, excluded: 0 })
    },
    /** `excluded`: how many of its keys the user excluded; the service rejected the others. */
    rejectRequest(request: RequestRow, when: number, excluded: number): void {
      settle.run({ ...at(request), at: when, state: 'refused', ...nothingAdded, excluded })
    },
    /** Rejects all unanswered requests of the request's offer. */
    rejectRestOfOffer({ import_number: number, offer }: RequestRow, when: number): void {
      rejectOffer.run({ number, offer, at: when })
    },
  }
}
