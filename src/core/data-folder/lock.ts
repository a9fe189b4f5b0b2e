import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { lockFilesFolder } from '../../../server/api/user-folders.ts'
import { makeFolder } from '../durable-files.ts'

const holderSchema = z.object({
  pid: z.number().int(),
  host: z.enum(['electron', 'browser']),
  /**
   * The address of the first console's screen, without a token; null in Electron and before the
   * screen is served.
   */
  address: z.string().nullable(),
  since: z.number().int(),
})
/** The console that uses the data folder. */
export type FolderHolder = z.infer<typeof holderSchema>

/** Another console uses this data folder. The host shows that console instead. */
export class DataFolderInUse extends Error {
  readonly holder: FolderHolder | null

  constructor(dataDir: string, holder: FolderHolder | null) {
    const who =
      holder === null
        ? ''
        : ` (process ${holder.pid}${holder.address === null ? '' : `, ${holder.address}`})`
    super(
      `Another Keydesk${who} is using the data folder ${dataDir}. Use that one, or start this one with another folder.`,
    )
    this.name = 'DataFolderInUse'
    this.holder = holder
  }
}

export interface FolderLock {
  /** Stores the address of this console's screen for consoles that start later. */
  announce(address: string): void
  /**
   * Locks the folder again when its lock file was deleted or replaced. False when another console
   * has locked it in the meantime: then this one must stop.
   */
  renew(): boolean
  release(): void
}

/**
 * Locks the data folder, which it creates if needed, for this console, across both hosts. The
 * operating system holds the locks on open files, so that they end with the process: one in the
 * folder, and one outside it, which still holds when someone deletes the first. Throws
 * {@link DataFolderInUse}.
 */
export function lockDataFolder(dataDir: string, me: Omit<FolderHolder, 'address'>): FolderLock {
  makeFolder(dataDir)
  if (process.platform !== 'win32') chmodSync(dataDir, 0o700)
  const path = join(dataDir, 'console.lock')
  const infoPath = join(dataDir, 'console.json')
  const inUse = (): DataFolderInUse => new DataFolderInUse(dataDir, readHolder(infoPath))
  let inside = lockFile(path)
  if (inside === null) throw inUse()
  const outsidePath = outsideFile(dataDir)
  const outside = outsidePath === null ? null : lockFile(outsidePath)
  if (outsidePath !== null && outside === null) {
    inside.database.close()
    throw inUse()
  }
  const write = (address: string | null): void => {
    try {
      writeFileSync(infoPath, JSON.stringify({ ...me, address }), { mode: 0o600 })
    } catch {
      // The lock holds on a full disk too; a second console then can't name the first one.
    }
  }
  write(null)
  return {
    announce: write,
    renew() {
      if (inside !== null && statSync(path, { throwIfNoEntry: false })?.ino === inside.inode)
        return true
      const again = lockFile(path)
      if (again === null) return false
      inside?.database.close()
      inside = again
      return true
    },
    release() {
      rmSync(infoPath, { force: true })
      if (outsidePath !== null) rmSync(outsidePath, { force: true })
      outside?.database.close()
      inside?.database.close()
    },
  }
}

type LockedFile = { database: Database; inode: number }

/** Locks a file, which it creates if needed; null when another process has locked it. */
function lockFile(path: string): LockedFile | null {
  // Never open an existing file here: closing it would end this process's own lock on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const database = new SqliteDatabase(path, { timeout: 0 })
  try {
    database.pragma('locking_mode = EXCLUSIVE')
    database.exec('BEGIN EXCLUSIVE')
    return { database, inode: statSync(path).ino }
  } catch (error) {
    database.close()
    if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      return null
    throw error
  }
}

/** The lock file outside the data folder; null where another user has taken its place. */
function outsideFile(dataDir: string): string | null {
  const { uid, username } = userInfo()
  const locks = lockFilesFolder(tmpdir(), uid === -1 ? username : String(uid))
  try {
    mkdirSync(locks, { recursive: true, mode: 0o700 })
    if (uid !== -1 && statSync(locks).uid !== uid) return null
  } catch {
    return null
  }
  const name = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 32)
  return join(locks, `${name}.console.lock`)
}

function readHolder(path: string): FolderHolder | null {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}
