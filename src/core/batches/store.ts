import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'
import { prepared } from '../mirror/mirror.ts'

export type BatchNote = { name: string; supplier: string; note: string; costCents: Cents | null }
const nothing: BatchNote = { name: '', supplier: '', note: '', costCents: null }

/** Stores the user's notes about batches. */
export function batchStore(db: Database) {
  const put = prepared(
    db,
    `
      INSERT INTO batch_notes (import_number, offer, name, supplier, note, cost_cents)
      VALUES (:importNumber, :offer, :name, :supplier, :note, :costCents)
      ON CONFLICT (import_number, offer) DO UPDATE SET name = excluded.name, supplier = excluded.supplier,
        note = excluded.note, cost_cents = excluded.cost_cents`,
  )
  const read = prepared(
    db,
    `
      SELECT name, supplier, note, cost_cents AS costCents FROM batch_notes
      WHERE import_number = :importNumber AND offer = :offer`,
  )
  return {
    read: (importNumber: number, offer: number): BatchNote =>
      (read.get({ importNumber, offer }) as BatchNote | undefined) ?? nothing,
    write: (importNumber: number, offer: number, note: BatchNote): void =>
      void put.run({ importNumber, offer, ...note }),
    transaction: (task: () => void): void => db.transaction(task)(),
  }
}
