import type { Database } from 'better-sqlite3'
import type { ListingState } from './newest-first.ts'

type ListingRow = { next_page: number; complete: number; pass: number; read_at: number | null }

/**
 * How far a list that grows at the top was read, and when it was read last, in the single row of a
 * mirror's table.
 */
export function createListingStore(db: Database, table: 'sales_sync' | 'disputes_sync') {
  const find = db.prepare<[], ListingRow>(`SELECT next_page, complete, pass, read_at FROM ${table}`)
  const setListing = db.prepare(
    `UPDATE ${table} SET next_page = :nextPage, complete = :complete, pass = :pass`,
  )
  const setReadAt = db.prepare(`UPDATE ${table} SET read_at = :at`)

  return {
    listing(): ListingState {
      const row = find.get()
      return {
        nextPage: row?.next_page ?? 1,
        complete: row?.complete === 1,
        pass: row?.pass ?? 1,
      }
    },
    setListing: ({ nextPage, complete, pass }: ListingState): void =>
      void setListing.run({ nextPage, complete: Number(complete), pass }),
    /** When the list was read last; null before the first time. */
    readAt: (): number | null => find.get()?.read_at ?? null,
    setReadAt: (at: number): void => void setReadAt.run({ at }),
  }
}
