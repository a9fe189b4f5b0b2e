import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { features } from '../../src/core/create-core.ts'
import { createMirrors } from '../../src/core/mirror/files/mirrors.ts'

/**
 * Opens a new account's database in a folder with the tables of every feature, as the product does,
 * so that a benchmark can't fall behind a query that joins another feature's table.
 */
export function openAccountDatabase(folder: string): { db: Database; close: () => void } {
  const mirrors = createMirrors(folder, features.schemas)
  return { db: mirrors.database(randomUUID()), close: () => mirrors.close() }
}
