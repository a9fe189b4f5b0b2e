import {
  chmodSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { reachCrashPoint } from '../../domain/crash-points.ts'
import type {
  RestoreProblem,
  SnapshotFacts,
  SnapshotRepository,
} from '../../domain/ports/snapshots.ts'
import { StoreOpenError } from '../errors.ts'
import { databaseFile } from './database.ts'
import { sealKeyFile } from './sealing.ts'
import { migrate, rebuild } from './migrate.ts'
import { syncFolder } from './atomic-files.ts'

const SUFFIX = '.sqlite'
/** Prefix of temporary folders. No snapshot's name starts with it. */
const TEMP_PREFIX = '.work-'

const pathOf = (folder: string, name: string): string => join(folder, name + SUFFIX)

/** The facts of a snapshot, undefined when there is none. */
function factsOf(folder: string, name: string): SnapshotFacts | undefined {
  const found = statSync(pathOf(folder, name), { throwIfNoEntry: false })
  return found?.isFile() === true
    ? { name, createdAt: Math.round(found.mtimeMs), bytes: found.size }
    : undefined
}

/** Makes a file's content and its date, which is the snapshot's, durable. */
function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Deletes the unnamed, unfinished files of a killed process. */
function deleteTempFolders(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })) return
  for (const name of readdirSync(folder))
    if (name.startsWith(TEMP_PREFIX)) rmSync(join(folder, name), { recursive: true, force: true })
}

/** Runs `work` with a temporary folder that is deleted afterwards. */
function withTempFolder<T>(folder: string, work: (path: string) => T): T {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) syncFolder(dirname(folder))
  const path = mkdtempSync(join(folder, TEMP_PREFIX))
  try {
    return work(path)
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}

/** Replaces the database's content with that of another file, in one transaction with `finish`. */
function replaceWith(
  database: Database.Database,
  path: string,
  onReplaced: () => void,
  finish: () => void,
): void {
  database.prepare('ATTACH @path AS saved').run({ path })
  try {
    database
      .transaction(() => {
        rebuild(database)
        onReplaced()
        reachCrashPoint('restore.emptied')
        copyTables(database)
        reachCrashPoint('restore.filled')
        finish()
      })
      .immediate()
  } finally {
    onReplaced()
    database.exec('DETACH saved')
  }
}

/**
 * Snapshots as separate files in a folder beside the database, readable only by its owner because
 * they contain keys. `onReplaced` is called whenever the content of the database is replaced.
 */
export function createSnapshots(
  database: Database.Database,
  folder: string,
  onReplaced: () => void,
): SnapshotRepository {
  deleteTempFolders(folder)
  return {
    save: (name, at) =>
      withTempFolder(folder, (work) => {
        const path = join(work, name)
        closeSync(openSync(path, 'wx', 0o600))
        reachCrashPoint('snapshot.begun')
        database.prepare('VACUUM INTO @path').run({ path })
        chmodSync(path, 0o600)
        utimesSync(path, at / 1000, at / 1000)
        syncFile(path)
        reachCrashPoint('snapshot.written')
        renameSync(path, pathOf(folder, name))
        syncFolder(folder)
        reachCrashPoint('snapshot.named')
        const saved = factsOf(folder, name)
        if (!saved) throw new Error(`snapshot ${name} was not written`)
        return saved
      }),
    copyTo(target) {
      const path = join(target, databaseFile)
      writeFileSync(path, database.serialize(), { mode: 0o600, flag: 'wx' })
      copyFileSync(join(folder, '..', sealKeyFile), join(target, sealKeyFile))
    },
    list() {
      const names = statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : []
      return names
        .filter((file) => file.endsWith(SUFFIX))
        .toSorted()
        .flatMap((file) => factsOf(folder, file.slice(0, -SUFFIX.length)) ?? [])
    },
    remove(name) {
      if (!factsOf(folder, name)) return false
      rmSync(pathOf(folder, name))
      syncFolder(folder)
      return true
    },
    restore(name, finish) {
      const found = factsOf(folder, name)
      if (!found) return 'absent'
      return withTempFolder(folder, (work): SnapshotFacts | RestoreProblem => {
        const path = join(work, 'copy')
        copyFileSync(pathOf(folder, name), path)
        try {
          prepare(path)
        } catch (error) {
          return error instanceof StoreOpenError && error.failure === 'newer'
            ? 'newer'
            : 'unreadable'
        }
        reachCrashPoint('restore.copied')
        replaceWith(database, path, onReplaced, () => finish(found))
        return found
      })
    },
  }
}

/** Migrates a copy to the newest version. The snapshot itself stays unchanged. */
function prepare(path: string): void {
  const copy = new Database(path, { fileMustExist: true })
  try {
    copy.pragma('journal_mode = DELETE')
    if (copy.pragma('user_version', { simple: true }) === 0)
      throw new Error('no database of this service')
    migrate(copy)
  } finally {
    copy.close()
  }
}

/** Copies every table of the attached database `saved` into the main one. */
function copyTables(database: Database.Database): void {
  const tables = database
    .prepare<[], string>(
      `SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid`,
    )
    .pluck()
    .all()
  for (const table of tables) {
    const columns = database
      .prepare<{ table: string }, string>('SELECT name FROM pragma_table_info(@table)')
      .pluck()
      .all({ table })
    const named = columns.map((column) => `"${column}"`).join(', ')
    database.exec(`INSERT INTO main."${table}" (${named}) SELECT ${named} FROM saved."${table}"`)
  }
}
