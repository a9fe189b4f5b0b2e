import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { StoreOpenError } from '../errors.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { syncFolder } from './atomic-files.ts'
import { migrate } from './migrate.ts'
import { registerSealing, sealKey } from './sealing.ts'
import { reachCrashPoint } from '../../domain/crash-points.ts'

/** The file of the database in a data folder. */
export const databaseFile = 'keydesk.sqlite'

export interface OpenedDatabase {
  database: Database.Database
  close(): void
}

/**
 * Opens the database of a data folder (created if missing, readable only by its owner), or one in
 * memory, and migrates it to the newest version. Throws StoreOpenError. Without `durable`, commits
 * do not wait for the disk; use that only for temporary folders.
 */
export function openDatabase(
  folder: string,
  { durable = true }: { durable?: boolean } = {},
): OpenedDatabase {
  if (folder === ':memory:') {
    const database = prepared(new Database(folder), folder, durable)
    return { database, close: () => database.close() }
  }
  const lock = takeFolder(folder)
  try {
    const path = join(folder, databaseFile)
    closeSync(openSync(path, 'a', 0o600))
    const database = prepared(new Database(path), folder, durable)
    return {
      database,
      close: () => {
        reachCrashPoint('store.closing')
        database.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw unreadable(folder, error)
  }
}

function takeFolder(folder: string): FolderLock {
  try {
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined)
      syncFolder(dirname(resolve(folder)))
    return lockFolder(folder)
  } catch (error) {
    throw unreadable(folder, error)
  }
}

function unreadable(folder: string, error: unknown): StoreOpenError {
  if (error instanceof StoreOpenError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new StoreOpenError('unreadable', `The data folder ${folder} can't be used: ${reason}`, {
    cause: error,
  })
}

/**
 * Configures the connection. In a durable database every commit is on disk before it is
 * acknowledged: write-ahead log with synchronous FULL.
 */
function prepared(
  database: Database.Database,
  folder: string,
  durable: boolean,
): Database.Database {
  try {
    registerSealing(database, sealKey(folder, database))
    database.pragma('journal_mode = WAL')
    database.pragma(`synchronous = ${durable ? 'FULL' : 'OFF'}`)
    database.pragma('foreign_keys = ON')
    database.pragma('temp_store = MEMORY')
    database.pragma('cache_size = -65536')
    database.pragma('mmap_size = 1073741824')
    database.pragma('wal_autocheckpoint = 4000')
    migrate(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
