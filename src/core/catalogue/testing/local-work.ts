import type { Database } from 'better-sqlite3'
import type { ServiceConnection } from '../../context.ts'
import { execute } from '../records/commands.ts'
import type { Execute } from '../records/commands.ts'
import { localPageSource } from '../sync/page-source.ts'
import type { PageSource } from '../sync/page-source.ts'

/** Pages fetched and written by the test's own thread. */
export function localWork(
  db: Database,
  line: Pick<ServiceConnection, 'call'>,
): { pages: PageSource; execute: Execute } {
  const parts = { db, products: (held: unknown) => held as never, lender: () => db }
  return {
    pages: localPageSource(line),
    execute: (deed, signal) => execute(parts, deed, signal) as never,
  }
}
