import type { Database } from 'better-sqlite3'
import type { Problem } from '../../contract/base.ts'
import type { Import } from '../../contract/keys/import-records.ts'
import type { OfferPurchase } from './plan/purchases.ts'

export type ImportState = Import['state']

/** One import as stored. */
export type ImportRow = {
  number: number
  import_id: string
  state: ImportState
  created_at: number
  started_at: number | null
  ended_at: number | null
  sums: string
  problems: string
  problem: string | null
}

/** One file as stored; `choices` and `result` are sealed. */
export type FileRow = {
  file_id: string
  import_number: number
  position: number
  name: string
  size: number
  received: number
  state: 'receiving' | 'checking' | 'checked' | 'failed'
  problem: string | null
  offer_id: string | null
  revision: number
  lines: number
  choices: Buffer | null
  result: Buffer | null
}

export const noTotals: Import['sums'] = {
  read: 0,
  ready: 0,
  noOffer: 0,
  duplicate: 0,
  refused: 0,
  setAside: 0,
  cleaned: 0,
  warned: 0,
  requests: 0,
}

const json = (value: Problem | null): string | null =>
  value === null ? null : JSON.stringify(value)

/** Stores imports and their files. */
export function createDraftStore(db: Database) {
  // SQLite overwrites deleted fingerprints and sealed values in the file.
  db.pragma('secure_delete = ON')
  return {
    ...importsTable(db),
    ...filesTable(db),
    ...purchasesTable(db),
    ...repeatsTable(db),
    remove: removal(db),
    transaction: (task: () => void): void => db.transaction(task)(),
  }
}
export type DraftStore = ReturnType<typeof createDraftStore>

function importsTable(db: Database) {
  const add = db.prepare<{ importId: string; at: number; sums: string }>(
    `INSERT INTO imports (import_id, state, created_at, sums, problems) VALUES (:importId, 'draft', :at, :sums, '[]')`,
  )
  const find = db.prepare<{ importId: string }, ImportRow>(
    'SELECT * FROM imports WHERE import_id = :importId',
  )
  const list = db.prepare<[], ImportRow>('SELECT * FROM imports ORDER BY number DESC LIMIT 500')
  const setTotals = db.prepare<{ number: number; sums: string; problems: string }>(
    'UPDATE imports SET sums = :sums, problems = :problems WHERE number = :number',
  )
  return {
    add(importId: string, at: number): void {
      add.run({ importId, at, sums: JSON.stringify(noTotals) })
    },
    find: (importId: string): ImportRow | undefined => find.get({ importId }),
    list: (): ImportRow[] => list.all(),
    setTotals(number: number, sums: Import['sums'], problems: Import['problems']): void {
      setTotals.run({ number, sums: JSON.stringify(sums), problems: JSON.stringify(problems) })
    },
  }
}

function filesTable(db: Database) {
  const files = db.prepare<{ number: number }, FileRow>(
    'SELECT * FROM import_files WHERE import_number = :number ORDER BY position',
  )
  const findFile = db.prepare<{ fileId: string }, FileRow>(
    'SELECT * FROM import_files WHERE file_id = :fileId',
  )
  const addFile = db.prepare<{
    fileId: string
    number: number
    name: string
    size: number
    offerId: string | null
    choices: Buffer | null
  }>(`
    INSERT INTO import_files (file_id, import_number, position, name, size, state, offer_id, choices)
    VALUES (:fileId, :number, (SELECT coalesce(max(position) + 1, 0) FROM import_files
    WHERE import_number = :number), :name, :size, 'receiving', :offerId, :choices)`)
  const removeFile = db.prepare<{ fileId: string }>(
    'DELETE FROM import_files WHERE file_id = :fileId',
  )
  return {
    ...fileChecks(db),
    files: (number: number): FileRow[] => files.all({ number }),
    file: (fileId: string): FileRow | undefined => findFile.get({ fileId }),
    addFile(file: {
      fileId: string
      number: number
      name: string
      size: number
      offerId: string | null
      choices: Buffer | null
    }): void {
      addFile.run(file)
    },
    removeFile(fileId: string): void {
      removeFile.run({ fileId })
    },
  }
}

/** The state of each file from its arrival to the result of its check. */
function fileChecks(db: Database) {
  const setState = db.prepare<{
    fileId: string
    state: string
    problem: string | null
    received: number
  }>(
    'UPDATE import_files SET state = :state, problem = :problem, received = :received WHERE file_id = :fileId',
  )
  const choose = db.prepare<{
    fileId: string
    choices: Buffer
    offerId: string | null
    state: string
  }>(
    `
      UPDATE import_files SET choices = :choices, offer_id = :offerId, state = :state, problem = NULL,
        revision = revision + 1 WHERE file_id = :fileId`,
  )
  const settle = db.prepare<{
    fileId: string
    revision: number
    state: string
    problem: string | null
    lines: number
    result: Buffer | null
  }>(
    `
      UPDATE import_files SET state = :state, problem = :problem, lines = :lines, result = :result
      WHERE file_id = :fileId AND revision = :revision`,
  )
  return {
    setFileState(
      fileId: string,
      state: FileRow['state'],
      received: number,
      problem: Problem | null,
    ): void {
      setState.run({ fileId, state, received, problem: json(problem) })
    },
    /** Saves the user's choices; the result of a check that started earlier is discarded. */
    choose(fileId: string, choices: Buffer, offerId: string | null, readAgain: boolean): void {
      choose.run({ fileId, choices, offerId, state: readAgain ? 'checking' : 'checked' })
    },
    /**
     * Saves a check's result for a file, unless the file was reconfigured since the check started.
     */
    settleFile(
      fileId: string,
      revision: number,
      answer: { problem: Problem | null; lines: number; result: Buffer | null },
    ): void {
      settle.run({
        fileId,
        revision,
        state: answer.problem === null ? 'checked' : 'failed',
        problem: json(answer.problem),
        lines: answer.lines,
        result: answer.result,
      })
    },
  }
}

function purchasesTable(db: Database) {
  const purchases = db
    .prepare<{ number: number }, string>(
      'SELECT purchases FROM import_purchases WHERE import_number = :number',
    )
    .pluck()
  const setPurchases = db.prepare<{ number: number; purchases: string }>(
    'INSERT OR REPLACE INTO import_purchases (import_number, purchases) VALUES (:number, :purchases)',
  )
  const forgetPurchases = db.prepare<{ number: number }>(
    'DELETE FROM import_purchases WHERE import_number = :number',
  )
  return {
    /** Saves the costs of an import's keys; nothing is stored if no file contains them. */
    setPurchases(number: number, found: readonly OfferPurchase[]): void {
      if (found.length === 0) forgetPurchases.run({ number })
      else setPurchases.run({ number, purchases: JSON.stringify(found) })
    },
    // Trusts the JSON because this store wrote it itself.
    purchases: (number: number): OfferPurchase[] =>
      JSON.parse(purchases.get({ number }) ?? '[]') as OfferPurchase[],
  }
}

function repeatsTable(db: Database) {
  const repeats = db
    .prepare<{ importId: string }, number>(
      'SELECT 1 FROM import_repeats WHERE import_id = :importId',
    )
    .pluck()
  const sendRepeats = db.prepare<{ importId: string }>(
    'INSERT OR IGNORE INTO import_repeats (import_id) VALUES (:importId)',
  )
  const skipRepeats = db.prepare<{ importId: string }>(
    'DELETE FROM import_repeats WHERE import_id = :importId',
  )
  return {
    /** Whether keys that were uploaded before are sent anyway. */
    sendsRepeats: (importId: string): boolean => repeats.get({ importId }) === 1,
    setRepeats(importId: string, send: boolean): void {
      if (send) sendRepeats.run({ importId })
      else skipRepeats.run({ importId })
    },
  }
}

/** Removes an import with its files and purchases in one transaction. */
function removal(db: Database): (number: number) => void {
  const forgetFiles = db.prepare<{ number: number }>(
    'DELETE FROM import_files WHERE import_number = :number',
  )
  const forgetPurchases = db.prepare<{ number: number }>(
    'DELETE FROM import_purchases WHERE import_number = :number',
  )
  const remove = db.prepare<{ number: number }>('DELETE FROM imports WHERE number = :number')
  const erase = db.transaction((number: number): void => {
    forgetFiles.run({ number })
    forgetPurchases.run({ number })
    remove.run({ number })
  })
  return (number) => erase(number)
}
