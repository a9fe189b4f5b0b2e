import { closeSync, mkdirSync, openSync, renameSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { sandboxDatabase } from '../../api/sandbox-database.ts'
import type { StateCopy } from '../../domain/ports/snapshots.ts'
import { StoreOpenError } from '../errors.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { copyFileAtomic, syncFolder } from './atomic-files.ts'
import { migrations } from '../migrations/index.ts'
import { migrate } from './migrate.ts'
import { registerSealing, sealKey } from './sealing.ts'
import { reachCrashPoint } from '../../domain/crash-points.ts'

/** The file of the database in a data folder. */
export const databaseFile = sandboxDatabase.file

/** A commit writes the log into the database's file when it has at least this many pages. */
export const LOG_PAGES = 4000

/** How commits reach the disk; `beside`: in one step at the end, for a database that isn't in use yet. */
type Commits = 'durable' | 'fast' | 'beside'

export interface OpenedDatabase {
  /** The present connection; `replaceBy` replaces it. */
  readonly database: Database.Database
  /** Opens another database with the same sealed stock, and migrates it. Throws StoreOpenError. */
  openBeside(path: string): Database.Database
  /**
   * Replaces the database by a complete, closed, durable file on the same disk: all or nothing,
   * also when the computer crashes. If it fails, the present database is open again.
   */
  replaceBy(path: string): void
  close(): void
}

/**
 * Opens the database of a data folder (created if missing, readable only by its owner), or one in
 * memory, and migrates it to the newest version; the file of an older version is first copied next
 * to it. Throws StoreOpenError. Without `durable`, commits do not wait for the disk; use that only
 * for temporary folders.
 */
export function openDatabase(
  folder: string,
  { durable = true }: { durable?: boolean } = {},
): OpenedDatabase {
  const commits = durable ? 'durable' : 'fast'
  if (folder === ':memory:') return connected(folder, folder, commits)
  const lock = takeFolder(folder, durable)
  try {
    const path = join(folder, databaseFile)
    closeSync(openSync(path, 'a', 0o600))
    const opened = connected(folder, path, commits)
    return {
      ...opened,
      get database() {
        return opened.database
      },
      close: () => {
        reachCrashPoint('store.closing')
        opened.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw unreadable(folder, error)
  }
}

function connected(folder: string, path: string, commits: Commits): OpenedDatabase {
  let database = new Database(path)
  const key = prepared(
    database,
    commits,
    () => sealKey(folder, database),
    (version) => copyBeforeUpdate(database, path, version),
  )
  return {
    get database() {
      return database
    },
    openBeside: (file) => openBeside(file, key),
    replaceBy(file) {
      // Closing writes the complete log into the file and deletes it. A log that is left would
      // be applied to the other database.
      database.close()
      try {
        syncFolder(folder)
        reachCrashPoint('state.closed')
        renameSync(file, path)
        syncFolder(folder)
        reachCrashPoint('state.replaced')
      } finally {
        database = new Database(path)
        prepared(database, commits, () => key)
      }
    },
    close: () => database.close(),
  }
}

/**
 * Copies an open database of an earlier version to `NAME.before-update-VERSION`, which a person can
 * put in its place for an earlier program.
 */
function copyBeforeUpdate(database: Database.Database, path: string, version: number): void {
  if (path === ':memory:') return
  database.pragma('wal_checkpoint(TRUNCATE)')
  copyFileAtomic(path, `${path}.before-update-${version}`)
}

/** Opens a database that isn't in use yet, and migrates it. Throws StoreOpenError. */
export function openBeside(path: string, key: Buffer): Database.Database {
  const database = new Database(path)
  prepared(database, 'beside', () => key)
  return database
}

/** Opens a copy in memory, inside a transaction that rolls everything back when it ends. */
export function openCopy({ bytes, sealKey: key }: StateCopy): Database.Database {
  const database = new Database(bytes)
  registerSealing(database, key)
  database.pragma('foreign_keys = ON')
  database.exec('BEGIN')
  return database
}

/** A temporary folder, whose name is random, needs no lock. */
function takeFolder(folder: string, durable: boolean): FolderLock {
  try {
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined)
      syncFolder(dirname(resolve(folder)))
    return durable ? lockFolder(folder) : { release: () => undefined }
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
 * Configures the connection and returns the key that seals its stock. In a durable database every
 * commit is on disk before it is acknowledged: write-ahead log with synchronous FULL.
 */
function prepared(
  database: Database.Database,
  commits: Commits,
  keyOf: () => Buffer,
  beforeMigration?: (version: number) => void,
): Buffer {
  try {
    const key = keyOf()
    registerSealing(database, key)
    // First: a change of the journal is itself a commit.
    database.pragma(`synchronous = ${commits === 'durable' ? 'FULL' : 'OFF'}`)
    database.pragma(`journal_mode = ${commits === 'beside' ? 'MEMORY' : 'WAL'}`)
    database.pragma('foreign_keys = ON')
    database.pragma('temp_store = MEMORY')
    database.pragma('cache_size = -65536')
    database.pragma('mmap_size = 1073741824')
    database.pragma(`wal_autocheckpoint = ${LOG_PAGES}`)
    migrate(database, migrations, beforeMigration)
    return key
  } catch (error) {
    database.close()
    throw error
  }
}
