import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { z } from 'zod'

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
  release(): void
}

/**
 * Locks the data folder, which it creates if needed, for this console, across both hosts. The operating system holds the lock on
 * an open file, so that it ends with the process. Throws {@link DataFolderInUse}.
 */
export function lockDataFolder(dataDir: string, me: Omit<FolderHolder, 'address'>): FolderLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32') chmodSync(dataDir, 0o700)
  const path = join(dataDir, 'console.lock')
  const infoPath = join(dataDir, 'console.json')
  closeSync(openSync(path, 'a', 0o600))
  const database = new SqliteDatabase(path, { timeout: 0 })
  try {
    database.pragma('locking_mode = EXCLUSIVE')
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw new DataFolderInUse(dataDir, readHolder(infoPath))
    throw error
  }
  const write = (address: string | null): void =>
    writeFileSync(infoPath, JSON.stringify({ ...me, address }), { mode: 0o600 })
  write(null)
  return {
    announce: write,
    release() {
      rmSync(infoPath, { force: true })
      database.close()
    },
  }
}

function readHolder(path: string): FolderHolder | null {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}
