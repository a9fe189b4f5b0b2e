import { closeSync, openSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { migrate } from './migrate.ts'
import type { FeatureSchema } from './schema.ts'

/** Opens a database of the data folder, made when absent with mode 0600, and brings its tables up to date. WAL, synchronous FULL. */
export function openDatabase(path: string, schemas: readonly FeatureSchema[]): Database {
  closeSync(openSync(path, 'a', 0o600))
  const database = new SqliteDatabase(path)
  try {
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    // What is erased is overwritten: an uploaded key must not stay readable in a free page, encrypted or not.
    database.pragma('secure_delete = ON')
    migrate(database, schemas)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
