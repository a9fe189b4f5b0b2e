import type { Database, Statement } from 'better-sqlite3'
import type { KeyOutcome } from '../../contract/keys/batches.ts'
import { perDatabase } from '../mirror/mirror.ts'

/** The origin of a key and its outcome. Instants in milliseconds. */
export type KeyRecord = {
  fingerprint: Buffer
  product: string
  importNumber: number
  /** Number of the offer in the import; null for keys uploaded by an older version of Keydesk. */
  offer: number | null
  request: number | null
  /** Number of the file in the import. */
  file: number
  line: number
  fate: KeyOutcome
  at: number | null
  /** When it was withdrawn from its offer; null while it is on the offer or sold. */
  goneAt: number | null
}
export type OutcomeCount = { file: number; fate: KeyOutcome; count: number }
/** One key of an import. `fits` and `gone` are 0 or 1. */
export type Place = Pick<KeyRecord, 'fingerprint' | 'file' | 'line'> & {
  fits: number
  gone: number
}
/** The keys of one import on one offer, by its number in the import. */
type Batch = { importNumber: number; offer: number; product: string }
export type NewKeyRecord = Omit<KeyRecord, 'goneAt'>

/** Stored bytes of a fingerprint: the first of the vault's. */
export const FINGERPRINT_BYTES = 16

const COLUMNS =
  'fingerprint, product_id AS product, import_number AS importNumber, offer, request, file, line, fate, at'
const CURRENT = `SELECT ${COLUMNS}, NULL AS goneAt FROM import_uploaded_keys`
const HISTORY = `SELECT ${COLUMNS}, gone_at AS goneAt FROM import_key_history`

/** The keys of an account's imports by fingerprint. Call the writers inside a transaction. */
export const keyRecords = perDatabase(createKeyRecords)
export type KeyRecords = ReturnType<typeof createKeyRecords>

function createKeyRecords(db: Database) {
  const current = db.prepare<{ fingerprint: Buffer; product: string }, KeyRecord>(
    `${CURRENT} WHERE fingerprint = :fingerprint AND product_id = :product`,
  )
  return {
    ...keyWrites(db, current),
    ...keyReads(db, current),
    ...lineReads(db),
    ...countReads(db),
  }
}

type CurrentRecord = Statement<{ fingerprint: Buffer; product: string }, KeyRecord>

const isSameLine = (a: NewKeyRecord, b: NewKeyRecord): boolean =>
  a.importNumber === b.importNumber && a.file === b.file && a.line === b.line

function keyWrites(db: Database, current: CurrentRecord) {
  const insert = db.prepare<NewKeyRecord>(`
    INSERT INTO import_uploaded_keys (fingerprint, product_id, import_number, offer, request, file, line, fate, at)
    VALUES (:fingerprint, :product, :importNumber, :offer, :request, :file, :line, :fate, :at)
    ON CONFLICT (fingerprint, product_id) DO NOTHING`)
  const archive = db.prepare<KeyRecord>(`
    INSERT INTO import_key_history (fingerprint, product_id, import_number, offer, request, file, line, fate,
      at, gone_at)
    VALUES (:fingerprint, :product, :importNumber, :offer, :request, :file, :line, :fate, :at, :goneAt)`)
  const drop = db.prepare<{ fingerprint: Buffer; product: string }>(
    'DELETE FROM import_uploaded_keys WHERE fingerprint = :fingerprint AND product_id = :product',
  )
  const gone = db.prepare<{ fingerprint: Buffer; product: string }, KeyRecord & { number: number }>(
    `
      SELECT number, ${COLUMNS}, gone_at AS goneAt FROM import_key_history
      WHERE fingerprint = :fingerprint AND product_id = :product AND gone_at IS NOT NULL
      ORDER BY gone_at DESC, number DESC LIMIT 1`,
  )
  const unarchive = db.prepare<{ number: number }>(
    'DELETE FROM import_key_history WHERE number = :number',
  )
  return {
    /**
     * Saves the outcome of a key. A key that was on the service before keeps the line it came from,
     * unless the service reports that it was added again.
     */
    settle(record: NewKeyRecord): void {
      if (record.fate === 'refused' || record.fate === 'excluded')
        return void archive.run({ ...record, goneAt: null })
      if (insert.run(record).changes === 1) return
      const before = current.get(record)
      if (before === undefined || isSameLine(before, record)) return
      if (record.fate !== 'added') return void archive.run({ ...record, goneAt: null })
      archive.run({ ...before, goneAt: before.goneAt })
      drop.run(record)
      insert.run(record)
    },
    /**
     * Saves a key that was sent without a known result. It doesn't count as uploaded, so it can be
     * sent again.
     */
    leaveInDoubt(record: NewKeyRecord): void {
      archive.run({ ...record, goneAt: null })
    },
    /**
     * Marks keys as withdrawn. They can be uploaded again, so they don't count as uploaded any
     * more.
     */
    withdraw(product: string, fingerprints: readonly Buffer[], at: number): void {
      for (const fingerprint of fingerprints) {
        const record = current.get({ fingerprint, product })
        if (record === undefined) continue
        archive.run({ ...record, goneAt: at })
        drop.run({ fingerprint, product })
      }
    },
    /**
     * Restores the origin of withdrawn keys that were uploaded again. Returns false if none is
     * known.
     */
    restore(product: string, fingerprint: Buffer): boolean {
      const record = gone.get({ fingerprint, product })
      if (record === undefined) return false
      const { number, goneAt: _goneAt, ...back } = record
      if (insert.run(back).changes === 1) unarchive.run({ number })
      return true
    },
  }
}

const byTime = (a: KeyRecord, b: KeyRecord): number =>
  (a.at ?? -1) - (b.at ?? -1) || a.importNumber - b.importNumber

function keyReads(db: Database, current: CurrentRecord) {
  // One query over both tables takes four times as long as one query per table.
  const [currentOf, historyOf] = [CURRENT, HISTORY].map((rows) =>
    db.prepare<{ fingerprint: Buffer }, KeyRecord>(`${rows} WHERE fingerprint = :fingerprint`),
  )
  const products = db
    .prepare<{ offerId: string }, string>(
      'SELECT DISTINCT product FROM import_offers WHERE offer_id = :offerId',
    )
    .pluck()
  const returned = db.prepare<{ importNumber: number }>(
    'SELECT 1 FROM import_returns WHERE import_number = :importNumber',
  )
  return {
    /** Whether an import returns keys that an undo withdrew. */
    isReturn: (importNumber: number): boolean => returned.get({ importNumber }) !== undefined,
    /** The products under which imports recorded keys of an offer. */
    productsOf: (offerId: string): string[] => products.all({ offerId }),
    /** Everything known about a key, across products and imports, earliest first. */
    of(fingerprint: Buffer): KeyRecord[] {
      const key = { fingerprint: fingerprint.subarray(0, FINGERPRINT_BYTES) }
      return [currentOf, historyOf].flatMap((rows) => rows?.all(key) ?? []).sort(byTime)
    },
    /** The line a product's key on the service came from; null if this console didn't upload it. */
    present: (product: string, fingerprint: Buffer): KeyRecord | null =>
      current.get({ product, fingerprint: fingerprint.subarray(0, FINGERPRINT_BYTES) }) ?? null,
  }
}

/** The keys of one import, line by line. */
function lineReads(db: Database) {
  const between = db.prepare<
    { importNumber: number; file: number; from: number; to: number },
    KeyRecord
  >(`
    ${CURRENT} WHERE import_number = :importNumber AND file = :file AND line BETWEEN :from AND :to
    UNION ALL ${HISTORY} WHERE import_number = :importNumber AND file = :file AND line BETWEEN :from AND :to
    ORDER BY line`)
  const walk = (table: string, more: string) =>
    db.prepare<Batch & { file: number; line: number; limit: number }, Place>(`
    -- Keys the service already had aren't on the offer because of this batch.
    SELECT fingerprint, file, line, product_id = :product AND (offer IS NULL OR offer = :offer)
      AND fate <> 'duplicate' AS fits ${more} FROM ${table}
    WHERE import_number = :importNumber AND (file, line) > (:file, :line) ORDER BY file, line LIMIT :limit`)
  const present = walk('import_uploaded_keys', ', 0 AS gone')
  const left = walk('import_key_history', ', gone_at IS NOT NULL AS gone')
  const lines = db.prepare<
    { importNumber: number; fate: string; limit: number; offset: number },
    KeyRecord
  >(`
    SELECT * FROM (${CURRENT} WHERE import_number = :importNumber AND fate = :fate AND fate <> 'added'
    UNION ALL ${HISTORY} WHERE import_number = :importNumber AND fate = :fate)
    ORDER BY file, line LIMIT :limit OFFSET :offset`)
  return {
    /** Lines of one file within a range. */
    between: (importNumber: number, file: number, from: number, to: number): KeyRecord[] =>
      between.all({ importNumber, file, from, to }),
    /**
     * The next keys of an import after a line, in file order: present keys, or keys that were
     * withdrawn or replaced. `fits`: belongs to the batch.
     */
    after: (
      which: 'present' | 'left',
      { importNumber, offer, product }: Batch,
      { file, line }: { file: number; line: number },
      limit: number,
    ): Place[] =>
      (which === 'present' ? present : left).all({
        importNumber,
        offer,
        product,
        file,
        line,
        limit,
      }),
    /** Lines with one outcome other than `added`, by file and line. */
    lines: (
      importNumber: number,
      fate: KeyOutcome,
      window: { limit: number; offset: number },
    ): KeyRecord[] => lines.all({ importNumber, fate, ...window }),
  }
}

function countReads(db: Database) {
  // The index by line covers these queries for present keys, so that counting a million takes some
  // ten milliseconds.
  const inFiles = db.prepare<{ importNumber: number }, { file: number; count: number }>(
    'SELECT file, count(*) AS count FROM import_uploaded_keys WHERE import_number = :importNumber GROUP BY file',
  )
  const odd = db.prepare<{ importNumber: number }, OutcomeCount>(
    `
      SELECT file, fate, count(*) AS count FROM import_uploaded_keys
      WHERE import_number = :importNumber AND fate <> 'added' GROUP BY fate, file`,
  )
  const past = db.prepare<{ importNumber: number }, OutcomeCount>(
    `
      SELECT file, fate, count(*) AS count FROM import_key_history WHERE import_number = :importNumber
      GROUP BY fate, file`,
  )
  const goneOf = db
    .prepare<{ importNumber: number; offer: number }, number>(
      `
        SELECT count(*) FROM import_key_history WHERE import_number = :importNumber AND offer = :offer
          AND gone_at IS NOT NULL`,
    )
    .pluck()
  return {
    /** The number of lines per file and outcome. */
    countsOf(importNumber: number): OutcomeCount[] {
      const few = odd.all({ importNumber })
      const added = inFiles.all({ importNumber }).map(({ file, count }) => ({
        file,
        fate: 'added' as const,
        count: count - few.reduce((sum, each) => sum + (each.file === file ? each.count : 0), 0),
      }))
      return [...added, ...few, ...past.all({ importNumber })]
    },
    goneOf: (importNumber: number, offer: number): number =>
      goneOf.get({ importNumber, offer }) ?? 0,
  }
}
