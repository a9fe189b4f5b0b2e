import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import type { Mirrors } from '../context.ts'
import { openDatabase } from './open-database.ts'
import type { FeatureSchema } from './schema.ts'

export interface MirrorFiles extends Mirrors {
  /** Closes an account's mirror and removes its files. */
  remove(accountId: string): void
  close(): void
}

/** One database file an account, in `<dataDir>/mirrors`: removing an account removes all of it. Opened at the first use. */
export function createMirrors(dataDir: string, schemas: readonly FeatureSchema[]): MirrorFiles {
  const folder = join(dataDir, 'mirrors')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const open = new Map<string, Database>()
  const path = (accountId: string): string => {
    if (!/^[A-Za-z0-9-]{1,64}$/.test(accountId)) throw new Error('not an account id')
    return join(folder, `${accountId}.db`)
  }
  return {
    path,
    database(accountId) {
      let database = open.get(accountId)
      if (database === undefined) {
        database = openDatabase(path(accountId), schemas)
        open.set(accountId, database)
      }
      return database
    },
    remove(accountId) {
      open.get(accountId)?.close()
      open.delete(accountId)
      for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path(accountId) + suffix, { force: true })
    },
    close() {
      for (const database of open.values()) database.close()
      open.clear()
    },
  }
}
