import type { Database } from 'better-sqlite3'
import type { Problem } from '../../contract/base.ts'
import type { Import } from '../../contract/keys/import-records.ts'
import { localized, storeMessage } from '../../contract/localization/localized.ts'
import type { Localized } from '../../contract/localization/localized.ts'
import type { FileReport } from './report/file-reports.ts'
import type { ImportState } from './draft-store.ts'
import { saveHints } from './key-hints.ts'
import { keyRecords } from './key-records.ts'
import type { PlannedRequest, WaitingKey } from './plan/plan-requests.ts'
import { outcomeOf } from './upload/responses.ts'
import { createUploadReadStore } from './upload-read-store.ts'
import type { PlannedOffer, RequestRow } from './upload-read-store.ts'
import type { Counted } from './upload/responses.ts'

export type Answer = { added: number; duplicates: number; stock: number | null }

/** A problem's sentence and the request to name to the service's support. */
export const problemMessage = ({ what, requestId }: Problem): Localized =>
  localized('text', {
    text: [what, requestId].filter((part) => part !== null).join(' · '),
  })

/**
 * Stores the upload journal: requests to send, sent requests and their results. Each change is one
 * transaction.
 */
export function createUploadStore(db: Database) {
  const reads = createUploadReadStore(db)
  const begin = db.prepare<{ number: number; at: number; sums: string; problems: string }>(
    `
      UPDATE imports SET state = 'uploading', started_at = :at, sums = :sums, problems = :problems,
        problem = NULL WHERE number = :number AND state = 'draft'`,
  )
  const addOffer = db.prepare<PlannedOffer & { number: number; position: number }>(
    `
      INSERT INTO import_offers (import_number, position, offer_id, product, name, platform, region)
      VALUES (:number, :position, :offerId, :product, :name, :platform, :region)`,
  )
  const addRequest = db.prepare<
    PlannedRequest & { number: number; position: number; key: string }
  >(`
    INSERT INTO import_requests (import_number, position, offer, keys, frame, frame_offset, frame_length,
      idempotency_key)
    VALUES (:number, :position, :offer, :keys, :frame, :offset, :length, :key)`)
  const insertNote = db.prepare<{ number: number; at: number; what: string; detail: string }>(`
    INSERT INTO import_journal (import_number, position, at, what, detail)
    VALUES (:number, (SELECT coalesce(max(position) + 1, 0) FROM import_journal WHERE import_number = :number),
      :at, :what, :detail)`)
  const note = (number: number, at: number, what: Localized, detail: Localized | null): void =>
    void insertNote.run({
      number,
      at,
      what: storeMessage(what),
      detail: detail === null ? '' : storeMessage(detail),
    })
  const setState = db.prepare<{
    number: number
    state: string
    problem: string | null
    ended: number | null
  }>(
    `
      UPDATE imports SET state = :state, problem = :problem, ended_at = coalesce(:ended, ended_at)
      WHERE number = :number`,
  )
  const sent = db.prepare<{
    number: number
    position: number
    at: number
    stock: number | null
    sold: number | null
  }>(
    `
      UPDATE import_requests SET state = 'sent', attempts = attempts + 1, sent_at = :at, stock_before = :stock,
        sold_before = :sold WHERE import_number = :number AND position = :position`,
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
  const exclude = db.prepare<{ number: number; position: number; leftOut: string; key: string }>(
    `
      UPDATE import_requests SET state = 'waiting', attempts = attempts - 1, left_out = :leftOut,
        idempotency_key = :key WHERE import_number = :number AND position = :position`,
  )
  const settle = db.prepare<
    Answer & { number: number; position: number; at: number; state: string }
  >(`
    UPDATE import_requests SET state = :state, settled_at = :at, added = :added, duplicates = :duplicates,
      stock = :stock WHERE import_number = :number AND position = :position`)
  const rejectOffer = db.prepare<{ number: number; offer: number; at: number }>(
    `
      UPDATE import_requests SET state = 'refused', settled_at = :at
      WHERE import_number = :number AND offer = :offer AND state IN ('waiting', 'sent')`,
  )
  const offerProblem = db.prepare<{ number: number; offer: number; problem: string }>(
    'UPDATE import_offers SET problem = :problem WHERE import_number = :number AND position = :offer',
  )
  const returned = db.prepare<{ number: number }>(
    'SELECT 1 FROM import_returns WHERE import_number = :number',
  )
  const records = keyRecords(db)
  const fileReport = db.prepare<{
    number: number
    position: number
    refused: number
    cleaned: number
    tally: string
  }>(
    `
      INSERT OR REPLACE INTO import_file_reports (import_number, position, refused, cleaned, refused_lines, tally)
      VALUES (:number, :position, :refused, :cleaned, '', :tally)`,
  )
  const continueWith = db.prepare<{ number: number; importId: string }>(
    'INSERT OR REPLACE INTO import_continuations (import_number, import_id) VALUES (:number, :importId)',
  )
  /** The same function in one transaction. */
  const inOne = <Given extends unknown[]>(
    task: (...given: Given) => void,
  ): ((...given: Given) => void) => {
    const transaction = db.transaction(task)
    return (...given) => transaction(...given)
  }
  const at = ({
    import_number: number,
    position,
  }: RequestRow): { number: number; position: number } => ({ number, position })

  const productOf = (request: RequestRow): string => reads.offer(request).product
  function rejectKeys(request: RequestRow, keys: readonly WaitingKey[], when: number): void {
    const product = productOf(request)
    for (const { fingerprint, file, line } of keys) {
      records.settle({
        fingerprint,
        product,
        importNumber: request.import_number,
        offer: request.offer,
        request: request.position,
        file,
        line,
        fate: 'refused',
        at: when,
      })
    }
  }

  return {
    ...reads,
    /**
     * Saves the complete plan in one transaction, so that every key is either in the journal or
     * still in the draft.
     */
    begin: inOne(
      (plan: {
        number: number
        at: number
        sums: Import['sums']
        problems: Import['problems']
        offers: readonly (PlannedOffer & { position: number })[]
        requests: readonly PlannedRequest[]
        fileReports?: readonly FileReport[]
        keyOf: () => string
      }): void => {
        const { number } = plan
        if (
          begin.run({
            number,
            at: plan.at,
            sums: JSON.stringify(plan.sums),
            problems: JSON.stringify(plan.problems),
          }).changes !== 1
        )
          throw new Error('The import isn’t a draft any more')
        for (const each of plan.offers) addOffer.run({ ...each, number })
        for (const { position, ...tally } of plan.fileReports ?? []) {
          const { refused, cleaned } = tally
          fileReport.run({ number, position, refused, cleaned, tally: JSON.stringify(tally) })
        }
        for (const [position, request] of plan.requests.entries())
          addRequest.run({ ...request, number, position, key: plan.keyOf() })
        const count = plan.requests.length
        note(
          number,
          plan.at,
          localized('imports.started'),
          localized('imports.requests-saved', { requests: count }),
        )
      },
    ),
    note,
    /** Saves which import continues with an import's remaining lines. */
    continueWith(number: number, importId: string): void {
      continueWith.run({ number, importId })
    },
    setState(
      number: number,
      state: ImportState,
      problem: Problem | null,
      ended: number | null = null,
    ): void {
      setState.run({
        number,
        state,
        problem: problem === null ? null : JSON.stringify(problem),
        ended,
      })
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
    /**
     * Excludes keys the service rejected. The rest is a different request, so it gets a new
     * Idempotency-Key.
     */
    leaveOut: inOne(
      (
        request: RequestRow,
        indexes: readonly number[],
        refused: readonly WaitingKey[],
        key: string,
        when: number,
        detail: Localized,
      ): void => {
        exclude.run({ ...at(request), leftOut: JSON.stringify(indexes), key })
        rejectKeys(request, refused, when)
        note(request.import_number, when, localized('imports.key-rejected'), detail)
      },
    ),
    /**
     * Saves in one transaction the response, the fingerprints of the keys on the service with their
     * sealed `hints`, and whether the request was rejected.
     */
    settle: inOne(
      (
        request: RequestRow,
        when: number,
        answer: Answer,
        keys: readonly WaitingKey[],
        hints: Buffer | null = null,
      ): void => {
        const inDoubt = request.in_doubt === 1
        const counted = inDoubt
          ? { ...answer, added: answer.added + answer.duplicates, duplicates: 0 }
          : answer
        settle.run({ ...at(request), at: when, state: 'settled', ...counted })
        const fate = outcomeOf(answer, keys.length, inDoubt)
        const product = productOf(request)
        const puts = returned.get({ number: request.import_number }) !== undefined
        if (hints !== null) saveHints(db, request.import_number, request.position, hints)
        for (const { fingerprint, file, line } of keys) {
          if (puts && records.restore(product, fingerprint)) continue
          records.settle({
            fingerprint,
            product,
            importNumber: request.import_number,
            offer: request.offer,
            request: request.position,
            file,
            line,
            fate,
            at: when,
          })
        }
      },
    ),
    reject: inOne(
      (
        request: RequestRow,
        when: number,
        problem: Problem,
        whole: 'request' | 'offer',
        what: Localized,
        keys: readonly { request: RequestRow; keys: readonly WaitingKey[] }[],
      ): void => {
        const number = request.import_number
        for (const each of keys) rejectKeys(each.request, each.keys, when)
        if (whole === 'request')
          settle.run({
            ...at(request),
            at: when,
            state: 'refused',
            added: 0,
            duplicates: 0,
            stock: null,
          })
        else rejectOffer.run({ number, offer: request.offer, at: when })
        offerProblem.run({ number, offer: request.offer, problem: JSON.stringify(problem) })
        note(number, when, what, problemMessage(problem))
      },
    ),
  }
}
export type UploadStore = ReturnType<typeof createUploadStore>
