import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { features } from '../../create-core.ts'
import { dataFolderSchemas } from '../../open-data-folder.ts'
import { migrate } from '../../mirror/database/migrate.ts'
import type { FeatureSchema } from '../../mirror/schema.ts'

/** The account of an old data folder. */
export const oldAccount = '11111111-aaaa-4aaa-8aaa-111111111111'

/** The tables of the first version of every feature. */
const oldest = (schemas: readonly FeatureSchema[]): FeatureSchema[] =>
  schemas.map((schema) => ({ ...schema, steps: schema.steps.slice(0, 1) }))

/** The files of an account by the place of their tables. */
export const accountFiles = {
  mirror: `mirrors/${oldAccount}.db`,
  catalogue: `catalogues/${oldAccount}.db`,
  journal: `journals/${oldAccount}.db`,
} as const

/** Runs a task on a database of a folder, which it creates if needed. */
export function withDatabase<Result>(
  folder: string,
  path: string,
  task: (database: SqliteDatabase.Database) => Result,
): Result {
  mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
  const database = new SqliteDatabase(join(folder, path))
  try {
    return task(database)
  } finally {
    database.close()
  }
}

/**
 * Writes a data folder as the oldest schema steps made it: an account with its three files, and a
 * sandbox.
 */
export function writeOldFolder(folder: string): void {
  withDatabase(folder, 'keydesk.db', (database) => {
    database.pragma('journal_mode = WAL')
    migrate(database, oldest(dataFolderSchemas))
    database.exec(`
      INSERT INTO account (id, name, role, mode, base_url, masked_key, kept, idempotency, created_at)
      VALUES ('${oldAccount}', 'Kestrel', 'seller', 'test', 'http://127.0.0.1:9', 'kd_…7QX2', 'session', 1, 1)`)
  })
  for (const [place, path] of Object.entries(accountFiles))
    withDatabase(folder, path, (database) => {
      database.pragma('journal_mode = WAL')
      migrate(
        database,
        oldest(features.schemas.filter((schema) => (schema.place ?? 'mirror') === place)),
      )
    })
  withDatabase(folder, accountFiles.journal, (database) =>
    database.exec('INSERT INTO balance_readings VALUES (1, 4200, 0)'),
  )
  withDatabase(folder, 'sandbox/keydesk.sqlite', (database) => {
    database.exec('CREATE TABLE kept (value TEXT) STRICT')
    database.exec("INSERT INTO kept VALUES ('sandbox')")
    database.pragma('user_version = 1')
  })
}
