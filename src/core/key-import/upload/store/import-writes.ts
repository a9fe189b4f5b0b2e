import type { Database } from 'better-sqlite3'
import type { Problem } from '../../../../contract/base.ts'
import type { Import } from '../../../../contract/keys/import-records.ts'
import { storeMessage } from '../../../../contract/localization/localized.ts'
import type { Localized } from '../../../../contract/localization/localized.ts'
import type { ImportState } from '../../draft-store.ts'
import type { FileReport } from '../../report/file-reports.ts'
import type { PlannedOffer } from './upload-read-store.ts'

/** Writes all of an import: its state, offers, file reports and journal. */
export function importWrites(db: Database) {
  const begin = db.prepare<{ number: number; at: number; sums: string; problems: string }>(
    `
      UPDATE imports SET state = 'uploading', started_at = :at, sums = :sums, problems = :problems,
        problem = NULL WHERE number = :number AND state = 'draft'`,
  )
  const addOffer = db.prepare<PlannedOffer & { number: number; position: number }>(
    `
      INSERT INTO import_offers (import_number, position, offer_id, product, name, platform, region,
        delivery_type)
      VALUES (:number, :position, :offerId, :product, :name, :platform, :region, :deliveryType)`,
  )
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
  const offerProblem = db.prepare<{ number: number; offer: number; problem: string }>(
    'UPDATE import_offers SET problem = :problem WHERE import_number = :number AND position = :offer',
  )
  const continueWith = db.prepare<{ number: number; importId: string }>(
    'INSERT OR REPLACE INTO import_continuations (import_number, import_id) VALUES (:number, :importId)',
  )
  /** The same function in one transaction. */
  const insertNote = db.prepare<{ number: number; at: number; what: string; detail: string }>(`
    INSERT INTO import_journal (import_number, position, at, what, detail)
    VALUES (:number, (SELECT coalesce(max(position) + 1, 0) FROM import_journal WHERE import_number = :number),
      :at, :what, :detail)`)
  return {
    /** Turns a draft into an upload. Throws if it isn't a draft any more. */
    begin(number: number, at: number, { sums, problems }: Pick<Import, 'sums' | 'problems'>): void {
      const { changes } = begin.run({
        number,
        at,
        sums: JSON.stringify(sums),
        problems: JSON.stringify(problems),
      })
      if (changes !== 1) throw new Error('The import isn’t a draft any more')
    },
    addOffer(number: number, offer: PlannedOffer & { position: number }): void {
      addOffer.run({ ...offer, number })
    },
    addFileReport(number: number, { position, ...tally }: FileReport): void {
      const { refused, cleaned } = tally
      fileReport.run({ number, position, refused, cleaned, tally: JSON.stringify(tally) })
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
    setOfferProblem(number: number, offer: number, problem: Problem): void {
      offerProblem.run({ number, offer, problem: JSON.stringify(problem) })
    },
    /** Saves which import continues with an import's remaining lines. */
    continueWith(number: number, importId: string): void {
      continueWith.run({ number, importId })
    },
    note(number: number, at: number, what: Localized, detail: Localized | null): void {
      insertNote.run({
        number,
        at,
        what: storeMessage(what),
        detail: detail === null ? '' : storeMessage(detail),
      })
    },
  }
}
