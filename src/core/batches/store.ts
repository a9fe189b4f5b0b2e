import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'
import { importedPurchase } from '../key-import/key-import.ts'
import { prepared } from '../mirror/mirror.ts'

export type BatchNote = { name: string; supplier: string; note: string; costCents: Cents | null }
/** Characters of a supplier's name, as the contract allows. */
const MOST_SUPPLIER = 120
const nothing: BatchNote = { name: '', supplier: '', note: '', costCents: null }

/** Until the user edits a batch, its cost and supplier are those in the imported files. */
function fromImport(db: Database, importNumber: number, offer: number): BatchNote {
  const found = importedPurchase(db, importNumber, offer)
  if (found === null) return nothing
  const supplier = found.suppliers.join(', ').slice(0, MOST_SUPPLIER)
  return { ...nothing, supplier, costCents: found.costCents }
}

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
      (read.get({ importNumber, offer }) as BatchNote | undefined) ??
      fromImport(db, importNumber, offer),
    write: (importNumber: number, offer: number, note: BatchNote): void =>
      void put.run({ importNumber, offer, ...note }),
    transaction: (task: () => void): void => db.transaction(task)(),
  }
}
