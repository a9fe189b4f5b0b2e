import type { Database } from 'better-sqlite3'
import type { Problem } from '../../../../contract/base.ts'
import type { Import } from '../../../../contract/keys/import-records.ts'
import { localized } from '../../../../contract/localization/localized.ts'
import type { Localized } from '../../../../contract/localization/localized.ts'
import { saveHints } from '../../key-hints.ts'
import { keyRecords } from '../../key-records.ts'
import type { NewKeyRecord } from '../../key-records.ts'
import type { PlannedRequest, WaitingKey } from '../../plan/plan-requests.ts'
import type { FileReport } from '../../report/file-reports.ts'
import { outcomeOf } from '../responses.ts'
import { importWrites } from './import-writes.ts'
import { requestWrites } from './request-writes.ts'
import type { Answer } from './request-writes.ts'
import { createUploadReadStore } from './upload-read-store.ts'
import type { PlannedOffer, RequestRow } from './upload-read-store.ts'

export type { Answer } from './request-writes.ts'

/**
 * The service rejected a request, or all open requests of an offer; or the user excluded a request
 * whose response was lost.
 */
export type Rejection = 'request' | 'offer' | 'exclusion'

/** A problem's sentence and the request to name to the service's support. */
export const problemMessage = ({ what, requestId }: Problem): Localized =>
  localized('text', {
    text: [what, requestId].filter((part) => part !== null).join(' · '),
  })

/** A complete plan: the offers of an import, its requests, and what its files contained. */
type Plan = Pick<Import, 'sums' | 'problems'> & {
  number: number
  at: number
  offers: readonly (PlannedOffer & { position: number })[]
  requests: readonly PlannedRequest[]
  fileReports?: readonly FileReport[]
  keyOf: () => string
}

/**
 * Stores the upload journal: requests to send, sent requests and their results. Each change is one
 * transaction.
 */
export function createUploadStore(db: Database) {
  const reads = createUploadReadStore(db)
  const imports = importWrites(db)
  const requests = requestWrites(db)
  const { note, setState, continueWith } = imports
  const { markSent, markUnsent, sendAgain } = requests
  return {
    ...reads,
    note,
    setState,
    continueWith,
    markSent,
    markUnsent,
    sendAgain,
    begin: inTransaction(db, (plan: Plan) => begin(plan, imports, requests)),
    ...outcomes(db, reads, imports, requests),
  }
}
export type UploadStore = ReturnType<typeof createUploadStore>

/** The same function in one transaction. */
function inTransaction<Given extends unknown[]>(
  db: Database,
  task: (...given: Given) => void,
): (...given: Given) => void {
  const transaction = db.transaction(task)
  return (...given) => transaction(...given)
}

type Reads = ReturnType<typeof createUploadReadStore>
type ImportWrites = ReturnType<typeof importWrites>
type RequestWrites = ReturnType<typeof requestWrites>

/** Saves the complete plan, so that every key is either in the journal or still in the draft. */
function begin(plan: Plan, imports: ImportWrites, requests: RequestWrites): void {
  const { number, at } = plan
  imports.begin(number, at, plan)
  for (const offer of plan.offers) imports.addOffer(number, offer)
  for (const report of plan.fileReports ?? []) imports.addFileReport(number, report)
  for (const [position, request] of plan.requests.entries())
    requests.addRequest(number, position, request, plan.keyOf())
  imports.note(
    number,
    at,
    localized('imports.started'),
    localized('imports.requests-saved', { requests: plan.requests.length }),
  )
}

/** Saves responses of the service together with the keys that they are about. */
function outcomes(db: Database, reads: Reads, imports: ImportWrites, requests: RequestWrites) {
  const records = keyRecords(db)
  const recordsOf = (
    request: RequestRow,
    keys: readonly WaitingKey[],
    fate: NewKeyRecord['fate'],
    at: number,
  ): NewKeyRecord[] => {
    const { product } = reads.offer(request)
    return keys.map(({ fingerprint, file, line }) => ({
      fingerprint,
      product,
      importNumber: request.import_number,
      offer: request.offer,
      request: request.position,
      file,
      line,
      fate,
      at,
    }))
  }
  const rejectKeys = (
    request: RequestRow,
    keys: readonly WaitingKey[],
    fate: 'refused' | 'excluded',
    when: number,
  ): void => {
    for (const record of recordsOf(request, keys, fate, when)) records.settle(record)
  }
  return {
    /**
     * Removes keys the service rejected from their request. The others are a different request, so
     * it gets a new Idempotency-Key.
     */
    leaveOut: inTransaction(
      db,
      (
        request: RequestRow,
        indexes: readonly number[],
        refused: readonly WaitingKey[],
        key: string,
        when: number,
        detail: Localized,
      ): void => {
        requests.leaveOut(request, indexes, key)
        rejectKeys(request, refused, 'refused', when)
        imports.note(request.import_number, when, localized('imports.key-rejected'), detail)
      },
    ),
    /**
     * Saves in one transaction the response, the fingerprints of the keys on the service with their
     * sealed `hints`, and whether the request was rejected.
     */
    settle: inTransaction(
      db,
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
        requests.settleRequest(request, when, counted)
        const fate = outcomeOf(answer, keys.length, inDoubt)
        const returns = reads.returnsKeys(request.import_number)
        if (hints !== null) saveHints(db, request.import_number, request.position, hints)
        for (const record of recordsOf(request, keys, fate, when)) {
          if (returns && records.restore(record.product, record.fingerprint)) continue
          records.settle(record)
        }
      },
    ),
    /**
     * Ends a canceled import and saves the keys that may have arrived. Keys that an undo returns
     * aren't saved: they came from other imports, which still have their lines.
     */
    cancel: inTransaction(
      db,
      (
        number: number,
        when: number,
        detail: Localized,
        doubtful: readonly {
          request: RequestRow
          keys: readonly WaitingKey[]
          hints: Buffer | null
        }[],
      ): void => {
        imports.setState(number, 'cancelled', null, when)
        imports.note(number, when, localized('imports.canceled'), detail)
        if (reads.returnsKeys(number)) return
        for (const { request, keys, hints } of doubtful) {
          if (hints !== null) saveHints(db, number, request.position, hints)
          for (const record of recordsOf(request, keys, 'unsure', when))
            records.leaveInDoubt(record)
        }
      },
    ),
    reject: inTransaction(
      db,
      (
        request: RequestRow,
        when: number,
        problem: Problem,
        rejection: Rejection,
        what: Localized,
        keys: readonly { request: RequestRow; keys: readonly WaitingKey[] }[],
      ): void => {
        const { import_number: number, offer } = request
        const isExclusion = rejection === 'exclusion'
        const fate = isExclusion ? 'excluded' : 'refused'
        for (const each of keys) rejectKeys(each.request, each.keys, fate, when)
        if (rejection === 'offer') requests.rejectRestOfOffer(request, when)
        else
          requests.rejectRequest(
            request,
            when,
            isExclusion ? keys.flatMap((each) => each.keys).length : 0,
          )
        imports.setOfferProblem(number, offer, problem)
        imports.note(number, when, what, problemMessage(problem))
      },
    ),
  }
}
