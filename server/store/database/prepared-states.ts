import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
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
  /** See SnapshotRepository.openKept. */
  kept(fits: (note: string) => boolean, folders: WorkFolders): Promise<PreparedState | null>
  /** The copy of a file, migrated; the file itself stays unchanged. */
  copyOf(file: string, folders: WorkFolders): Promise<PreparedState | 'newer' | 'unreadable'>
}

/** The kept state, and the note about it. */
const keptFile = 'state'
const noteFile = 'note'

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

function syncFileNow(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
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
  function keep(source: string, note: string, folders: WorkFolders): void {
    const folder = folders.create()
    copyFileSync(source, join(folder, keptFile), constants.COPYFILE_FICLONE)
    syncFileNow(join(folder, keptFile))
    writeFileSync(join(folder, noteFile), note, { mode: 0o600, flush: true })
    rmSync(folders.kept, { recursive: true, force: true })
    renameSync(folder, folders.kept)
  }

  function openFile(
    path: string,
    folders: WorkFolders,
    discard: () => void,
  ): PreparedState & { check(): Promise<void> } {
    const database = opened.openBeside(path)
    return {
      ...repositoriesOf(database),
      check: () => assertIntact(database, opened.database),
      keep: (note) => keep(path, note, folders),
      async complete() {
        database.close()
        await syncFile(path)
      },
      completeNow() {
        database.close()
        syncFileNow(path)
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
      return openFile(path, folders, () => folders.remove(folder))
    },
    async kept(fits, folders) {
      const note = join(folders.kept, noteFile)
      if (!statSync(note, { throwIfNoEntry: false })?.isFile()) return null
      if (!fits(readFileSync(note, 'utf8'))) return null
      const state = await copyOf(join(folders.kept, keptFile), folders)
      return typeof state === 'string' ? null : state
    },
    copyOf,
  }

  async function copyOf(
    file: string,
    folders: WorkFolders,
  ): Promise<PreparedState | 'newer' | 'unreadable'> {
    const folder = folders.create()
    const path = join(folder, 'state')
    let discard = () => folders.remove(folder)
    try {
      await copyFile(file, path, constants.COPYFILE_FICLONE)
      assertDatabase(path)
      const state = openFile(path, folders, discard)
      discard = state.discard
      await state.check()
      return state
    } catch (error) {
      discard()
      return error instanceof StoreOpenError && error.failure === 'newer' ? 'newer' : 'unreadable'
    }
  }
}
