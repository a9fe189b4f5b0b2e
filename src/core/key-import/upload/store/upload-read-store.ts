import type { Database } from 'better-sqlite3'
import type { Import } from '../../../../contract/keys/import-records.ts'
import { readMessage } from '../../../../contract/localization/localized.ts'
import type { ImportState } from '../../draft-store.ts'

/** One request of the journal. */
export type RequestRow = {
  import_number: number
  position: number
  offer: number
  keys: number
  frame: number
  frame_offset: number
  frame_length: number
  idempotency_key: string
  state: 'waiting' | 'sent' | 'settled' | 'refused'
  attempts: number
  /** The first attempt since it was certainly not on the service. */
  sent_at: number | null
  settled_at: number | null
  stock_before: number | null
  sold_before: number | null
  in_doubt: number
  added: number
  duplicates: number
  stock: number | null
  /** Indexes of keys the service rejected. */
  left_out: string
}

export type PlannedOffer = {
  offerId: string
  product: string
  name: string
  platform: string
  region: string
  deliveryType: string
}
export type OfferRow = PlannedOffer & {
  position: number
  problem: string | null
  total: number
  answered: number
  added: number
  duplicates: number
  refused: number
  excluded: number
  stock: number | null
}
export type RequestTotals = {
  requests: number
  settled: number
  keys: number
  keysSettled: number
  /** Sent without a known result. */
  keysInDoubt: number
}

/** A request that may have arrived: it has no response, or waits to be sent again. */
const IN_DOUBT = `(state = 'sent' OR (state = 'waiting' AND in_doubt = 1))`

/** Reads the upload journal of one account. */
export const createUploadReadStore = (db: Database) => ({
  ...requestReads(db),
  ...progressReads(db),
  ...importReads(db),
})

/** The requests of an import one by one, with the offer each belongs to. */
function requestReads(db: Database) {
  const next = db.prepare<{ number: number }, RequestRow>(
    `
      SELECT * FROM import_requests WHERE import_number = :number AND state IN ('sent', 'waiting')
      ORDER BY state = 'waiting', position LIMIT 1`,
  )
  const inFlight = db.prepare<{ number: number }, RequestRow>(
    `SELECT * FROM import_requests WHERE import_number = :number AND state = 'sent' ORDER BY position LIMIT 1`,
  )
  const inDoubt = db.prepare<{ number: number }, RequestRow>(
    `SELECT * FROM import_requests WHERE import_number = :number AND ${IN_DOUBT} ORDER BY position`,
  )
  const openOf = db.prepare<{ number: number; offer: number }, RequestRow>(
    `
      SELECT * FROM import_requests WHERE import_number = :number AND offer = :offer
        AND state IN ('waiting', 'sent') ORDER BY position`,
  )
  const before = db.prepare<{ number: number; offer: number; position: number }, { keys: number }>(
    `
      SELECT coalesce(sum(keys), 0) AS keys FROM import_requests
      WHERE import_number = :number AND offer = :offer AND position < :position`,
  )
  const settledFrames = db.prepare<{ number: number }, { offset: number; length: number }>(
    `
      SELECT frame_offset AS offset, frame_length AS length FROM import_requests
      WHERE import_number = :number AND state IN ('settled', 'refused')`,
  )
  const offer = db.prepare<
    { number: number; offer: number },
    { offerId: string; product: string; name: string }
  >(
    'SELECT offer_id AS offerId, product, name FROM import_offers WHERE import_number = :number AND position = :offer',
  )
  return {
    /** The next request: first those sent without a response, then those waiting. */
    next: (number: number): RequestRow | undefined => next.get({ number }),
    inFlight: (number: number): RequestRow | undefined => inFlight.get({ number }),
    /** Requests that may have arrived. */
    inDoubt: (number: number): RequestRow[] => inDoubt.all({ number }),
    /** Unanswered requests of the same offer. */
    openOf: (request: RequestRow): RequestRow[] =>
      openOf.all({ number: request.import_number, offer: request.offer }),
    keysBefore: (request: RequestRow): number =>
      before.get({
        number: request.import_number,
        offer: request.offer,
        position: request.position,
      })?.keys ?? 0,
    settledFrames: (number: number) => settledFrames.all({ number }),
    offer: (request: RequestRow) =>
      offer.get({ number: request.import_number, offer: request.offer }) ?? {
        offerId: '',
        product: '',
        name: '',
      },
  }
}

/** How many requests and keys are settled: by offer, in total, and over time. */
function progressReads(db: Database) {
  const offers = db.prepare<{ number: number }, OfferRow>(`
    SELECT o.position, o.offer_id AS offerId, o.product, o.name, o.platform, o.region,
      o.delivery_type AS deliveryType, o.problem,
      coalesce(sum(r.keys), 0) AS total,
        coalesce(sum(CASE WHEN r.state IN ('settled', 'refused') THEN r.keys
          ELSE json_array_length(r.left_out) END), 0) AS answered,
      coalesce(sum(r.added), 0) AS added, coalesce(sum(r.duplicates), 0) AS duplicates,
      coalesce(sum(CASE WHEN r.state IN ('settled', 'refused')
          THEN r.keys - r.added - r.duplicates - r.excluded
          ELSE json_array_length(r.left_out) END), 0) AS refused,
      coalesce(sum(r.excluded), 0) AS excluded,
      (SELECT stock FROM import_requests s WHERE s.import_number = o.import_number AND s.offer = o.position
        AND s.stock IS NOT NULL ORDER BY s.settled_at DESC, s.position DESC LIMIT 1) AS stock
    FROM import_offers o LEFT JOIN import_requests r ON r.import_number = o.import_number AND r.offer = o.position
    WHERE o.import_number = :number GROUP BY o.position ORDER BY o.position`)
  const totals = db.prepare<{ number: number }, RequestTotals>(`
    SELECT count(*) AS requests, coalesce(sum(state IN ('settled', 'refused')), 0) AS settled,
      coalesce(sum(keys), 0) AS keys,
      coalesce(sum(CASE WHEN state IN ('settled', 'refused') THEN keys
        ELSE json_array_length(left_out) END), 0) AS keysSettled,
      coalesce(sum(CASE WHEN ${IN_DOUBT} THEN keys - json_array_length(left_out) ELSE 0 END), 0)
        AS keysInDoubt
      FROM import_requests WHERE import_number = :number`)
  const marks = db.prepare<{ number: number }, { state: RequestRow['state']; attempts: number }>(
    'SELECT state, attempts FROM import_requests WHERE import_number = :number ORDER BY position',
  )
  const recent = db.prepare<{ number: number; since: number }, { keys: number; at: number }>(
    `
      SELECT keys, settled_at AS at FROM import_requests
      WHERE import_number = :number AND state = 'settled' AND settled_at >= :since ORDER BY settled_at`,
  )
  const settledIn = db.prepare<
    { number: number; from: number; stepMs: number },
    { step: number; keys: number }
  >(`
    -- Numbers are bound as reals, so the division is not one of integers.
    SELECT CAST((settled_at - :from) / :stepMs AS INTEGER) AS step, sum(keys) AS keys FROM import_requests
    WHERE import_number = :number AND state = 'settled' AND settled_at >= :from GROUP BY step`)
  return {
    offers: (number: number): OfferRow[] => offers.all({ number }),
    totals: (number: number): RequestTotals =>
      totals.get({ number }) ?? {
        requests: 0,
        settled: 0,
        keys: 0,
        keysSettled: 0,
        keysInDoubt: 0,
      },
    marks: (number: number) => marks.all({ number }),
    recent: (number: number, since: number) => recent.all({ number, since }),
    /** Keys settled per step of this many milliseconds; empty steps are omitted. */
    settledIn: (number: number, from: number, stepMs: number) =>
      settledIn.all({ number, from, stepMs }),
  }
}

/** The imports: those that run, their journal, reports and continuation. */
function importReads(db: Database) {
  const active = db.prepare<[], { number: number; importId: string; state: ImportState }>(
    `
      SELECT number, import_id AS importId, state FROM imports WHERE state IN ('uploading', 'waiting')
      ORDER BY started_at, number`,
  )
  const journal = db.prepare<{ number: number }, { at: number; what: string; detail: string }>(
    'SELECT at, what, detail FROM import_journal WHERE import_number = :number ORDER BY position DESC LIMIT 200',
  )
  const fileReports = db.prepare<
    { number: number },
    { position: number; refused: number; cleaned: number; lines: string; tally: string | null }
  >(
    `SELECT position, refused, cleaned, refused_lines AS lines, tally FROM import_file_reports
      WHERE import_number = :number`,
  )
  const continuation = db
    .prepare<{ number: number }, string>(
      'SELECT import_id FROM import_continuations WHERE import_number = :number',
    )
    .pluck()
  const returned = db.prepare<{ number: number }>(
    'SELECT 1 FROM import_returns WHERE import_number = :number',
  )
  return {
    /** Uploads that run without user action, oldest first. */
    active: () => active.all(),
    journal: (number: number): Import['journal'] =>
      journal.all({ number }).map(({ at: when, what, detail }) => ({
        at: when,
        what: readMessage(what),
        detail: detail === '' ? null : readMessage(detail),
      })),
    fileReports: (number: number) => fileReports.all({ number }),
    /** Whether an import returns withdrawn keys to their offer. */
    returnsKeys: (number: number): boolean => returned.get({ number }) !== undefined,
    /** The import that continues with an import's remaining lines. */
    continuation: (number: number): string | undefined => continuation.get({ number }),
  }
}
