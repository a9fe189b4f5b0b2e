import { join } from 'node:path'
import Database from 'better-sqlite3'
import { StoreOpenError } from '../errors.ts'

/** A folder lock held by this process until it is released. */
export interface FolderLock {
  release(): void
}

/**
 * Locks a data folder for this process. The operating system holds the lock on an open file, so it
 * ends with the process, whatever ends it. Throws StoreOpenError `locked` when another process
 * holds it.
 */
export function lockFolder(folder: string): FolderLock {
  const database = new Database(join(folder, 'keydesk.lock'), { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new StoreOpenError(
        'locked',
        `The data folder ${folder} is in use by another process.`,
        { cause: error },
      )
    }
    throw error
  }
  return { release: () => database.close() }
}
