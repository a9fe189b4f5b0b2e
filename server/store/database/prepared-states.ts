import { closeSync, constants, openSync } from 'node:fs'
import { copyFile, open } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { yieldToRequests } from '../../domain/clock/yield-to-requests.ts'
import type { PreparedState } from '../../domain/ports/snapshots.ts'
import type { Repositories } from '../../domain/ports/repositories.ts'
import { StoreOpenError } from '../errors.ts'
import type { OpenedDatabase } from './database.ts'
import { versionOf } from './migrate.ts'
import type { WorkFolders } from './work-folders.ts'

/** Opens other states in files beside the present database. */
export interface StateOpener {
  empty(folders: WorkFolders): PreparedState
  /** The copy of a file, migrated; the file itself stays unchanged. */
  copyOf(file: string, folders: WorkFolders): Promise<PreparedState | 'newer' | 'unreadable'>
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Throws for a file that isn't a database of this service. */
function assertDatabase(path: string): void {
  const database = new Database(path, { fileMustExist: true })
  try {
    if (versionOf(database) === 0) throw new Error('no database of this service')
  } finally {
    database.close()
  }
}

const schemaOf = (database: Database.Database): string =>
  JSON.stringify(
    database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all(),
  )

/**
 * Reads every page of a database, table by table, so that requests are processed in between.
 * Throws if one is damaged, or if tables, indexes or triggers differ from another database's.
 */
async function assertIntact(database: Database.Database, other: Database.Database): Promise<void> {
  if (schemaOf(database) !== schemaOf(other)) throw new Error('its schema differs')
  const tables = database
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
    .pluck()
    .all()
  for (const table of tables) {
    await yieldToRequests()
    if (database.pragma(`quick_check('${table}')`, { simple: true }) !== 'ok')
      throw new Error(`${table} is damaged`)
  }
}

/**
 * @param repositoriesOf the repositories of a database
 * @param onReplaced called after the present database was replaced
 */
export function createStateOpener(
  opened: Pick<OpenedDatabase, 'database' | 'openBeside' | 'replaceBy'>,
  repositoriesOf: (database: Database.Database) => Repositories,
  onReplaced: () => void,
): StateOpener {
  function openFile(path: string, discard: () => void): PreparedState & { check(): Promise<void> } {
    const database = opened.openBeside(path)
    return {
      ...repositoriesOf(database),
      check: () => assertIntact(database, opened.database),
      async complete() {
        database.close()
        await syncFile(path)
      },
      adopt() {
        try {
          opened.replaceBy(path)
        } finally {
          onReplaced()
        }
      },
      discard() {
        database.close()
        discard()
      },
    }
  }

  return {
    empty(folders) {
      const folder = folders.create()
      const path = join(folder, 'state')
      closeSync(openSync(path, 'wx', 0o600))
      return openFile(path, () => folders.remove(folder))
    },
    async copyOf(file, folders) {
      const folder = folders.create()
      const path = join(folder, 'state')
      let discard = () => folders.remove(folder)
      try {
        await copyFile(file, path, constants.COPYFILE_FICLONE)
        assertDatabase(path)
        const state = openFile(path, discard)
        discard = state.discard
        await state.check()
        return state
      } catch (error) {
        discard()
        return error instanceof StoreOpenError && error.failure === 'newer' ? 'newer' : 'unreadable'
      }
    },
  }
}
