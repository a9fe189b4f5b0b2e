import type { Database } from 'better-sqlite3'

export type BatchNote = { name: string; supplier: string; note: string; costCents: number | null }
const nothing: BatchNote = { name: '', supplier: '', note: '', costCents: null }

/** The SQL of what people noted of batches. */
export function batchStore(db: Database) {
  const put = db.prepare<BatchNote & { importNumber: number; offer: number }>(`
    INSERT INTO batch_notes (import_number, offer, name, supplier, note, cost_cents) VALUES (:importNumber, :offer, :name, :supplier, :note, :costCents)
    ON CONFLICT (import_number, offer) DO UPDATE SET name = excluded.name, supplier = excluded.supplier, note = excluded.note, cost_cents = excluded.cost_cents`)
  const read = db.prepare<{ importNumber: number; offer: number }, BatchNote>(
    'SELECT name, supplier, note, cost_cents AS costCents FROM batch_notes WHERE import_number = :importNumber AND offer = :offer')
  return {
    read: (importNumber: number, offer: number): BatchNote => read.get({ importNumber, offer }) ?? nothing,
    write: (importNumber: number, offer: number, note: BatchNote): void => void put.run({ importNumber, offer, ...note }),
    transaction: (task: () => void): void => db.transaction(task)(),
  }
}
