import { closeSync, openSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { migrate } from './migrate.ts'
import type { FeatureSchema } from '../schema.ts'

/**
 * The files of one database: the database, SQLite's companion files, and the copy that earlier
 * versions of Keydesk saved before a migration.
 */
export const FILE_SUFFIXES = ['', '-wal', '-shm', '-journal', '.before-update'] as const

/**
 * Opens a database of the data folder, creating it with mode 0600 if needed, and migrates its
 * tables. Uses WAL and synchronous FULL.
 */
export function openDatabase(path: string, schemas: readonly FeatureSchema[]): Database {
  closeSync(openSync(path, 'a', 0o600))
  const database = new SqliteDatabase(path)
  try {
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    // Overwrite erased data: an uploaded key must not stay readable in a free page, encrypted or
    // not.
    database.pragma('secure_delete = ON')
    migrate(database, schemas)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
