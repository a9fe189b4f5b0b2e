import type { Database } from 'better-sqlite3'
import type { ServiceConnection } from '../../context.ts'
import { carryOut } from '../deeds.ts'
import type { CarryOut } from '../deeds.ts'
import { pagesReadHere } from '../pages.ts'
import type { CataloguePages } from '../pages.ts'

/** Pages fetched and written by the test's own thread. */
export function workedHere(
  db: Database,
  line: Pick<ServiceConnection, 'call'>,
): { pages: CataloguePages; carryOut: CarryOut } {
  const parts = { db, products: (held: unknown) => held as never, lender: () => db }
  return {
    pages: pagesReadHere(line),
    carryOut: (deed, signal) => carryOut(parts, deed, signal) as never,
  }
}
