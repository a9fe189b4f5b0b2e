import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { lockFilesFolder } from '../../api/user-folders.ts'
import { StoreOpenError } from '../errors.ts'

/** A folder lock held by this process until it is released. */
export interface FolderLock {
  release(): void
}

/**
 * Locks a data folder for this process. The operating system holds the locks on open files, so they
 * end with the process, whatever ends it: one in the folder, and one outside it, which still holds
 * when someone deletes the first. Throws StoreOpenError `locked` when another process holds one.
 */
export function lockFolder(folder: string): FolderLock {
  const inside = lockFile(folder, join(folder, 'keydesk.lock'))
  const path = outsideFile(folder)
  try {
    const outside = path === null ? null : lockFile(folder, path)
    return {
      release() {
        if (path !== null) rmSync(path, { force: true })
        outside?.close()
        inside.close()
      },
    }
  } catch (error) {
    inside.close()
    throw error
  }
}

function lockFile(folder: string, path: string): Database.Database {
  // SQLite would create it readable for everyone. Never open an existing file here: closing it
  // would end this process's own lock on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  else if (process.platform !== 'win32') chmodSync(path, 0o600)
  const database = new Database(path, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
    return database
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
}

/** The lock file outside the folder; null where another user has taken its place. */
function outsideFile(folder: string): string | null {
  const { uid, username } = userInfo()
  const locks = lockFilesFolder(tmpdir(), uid === -1 ? username : String(uid))
  try {
    mkdirSync(locks, { recursive: true, mode: 0o700 })
    if (uid !== -1 && statSync(locks).uid !== uid) return null
  } catch {
    return null
  }
  const name = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)
  return join(locks, `${name}.lock`)
}
