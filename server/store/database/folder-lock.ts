import { join } from 'node:path'
import Database from 'better-sqlite3'
import { StoreOpenError } from '../errors.ts'

/** A folder held by this process until released. */
export interface FolderLock {
  release(): void
}

/**
 * Takes a data folder for this process alone. The lock is the operating system's own on an open
 * file, so it ends with the process however that ends. Throws StoreOpenError `locked` when somebody
 * else holds it.
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
