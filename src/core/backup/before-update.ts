import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { z } from 'zod'
import type { UpdateBackup } from '../../contract/app/backup.ts'
import { isDiskFull } from '../disk-full.ts'
import { makeFolder, syncFile, syncFolder, writeAtomically } from '../durable-files.ts'
import type { FeatureSchema } from '../mirror/schema.ts'
import { parseOnce } from '../parse-once.ts'
import {
  BEFORE_UPDATE,
  OPENED_BY,
  UPDATE_BACKUP,
  WORK,
  dataFiles,
  folderSize,
  isDatabase,
} from './folder.ts'
import { inspectTables, newestVersions } from './table-versions.ts'
import type { KnownTables } from './table-versions.ts'

/** How many backups from before updates are kept. */
const KEPT = 3

const versionsSchema = z.record(z.string(), z.number().int())
const recordSchema = z.object({
  /** The Keydesk that last used the data, and the versions of its tables. */
  version: z.string(),
  tables: versionsSchema,
  /** The backup from before its update; null if the update changed nothing. */
  backup: z.string().nullable(),
  /** Whether all tables have those versions. */
  done: z.boolean(),
})
const backupSchema = z.object({
  /** The Keydesk that was about to update the data. */
  version: z.string(),
  madeAt: z.number().int(),
  tables: versionsSchema,
})

/** The data can't be updated. Nothing in it changed. */
export class UpdateStopped extends Error {
  readonly kind: 'newer' | 'update-disk-full'
  /** The file of a newer Keydesk, relative to the data folder. */
  readonly file: string | null
  readonly detail: string

  constructor(kind: UpdateStopped['kind'], file: string | null, detail: string) {
    super(`${kind}: ${detail}`)
    this.kind = kind
    this.file = file
    this.detail = detail
  }
}

type Parts = {
  dataDir: string
  known: KnownTables
  version: string
  now: number
  /** Called with each file when it was copied, then with `named` and `recorded` (for tests). */
  step?: (what: string) => void
}

/**
 * Copies the data folder before this Keydesk changes the tables of an earlier one: every file of a
 * backup, unencrypted like the folder itself, in a folder `before-update-VERSION-TIME`. If Keydesk
 * is killed, the next start repeats it. Throws {@link UpdateStopped} when a newer Keydesk wrote the
 * data or the disk has too little space.
 *
 * @returns the accounts whose tables are to be migrated; null if all tables are current. Call
 *   {@link recordUpdate} when they are migrated
 */
export function backUpBeforeUpdate(parts: Parts): { accounts: string[] } | null {
  const { dataDir, known, version, step = () => {} } = parts
  const tables = newestVersions(known)
  const record = readRecord(dataDir)
  const isSame = JSON.stringify(record?.tables) === JSON.stringify(tables)
  if (isSame && record?.done === true) return null
  const found = inspectTables(dataDir, known)
  if (found.newer !== null) throw new UpdateStopped('newer', found.newer.path, found.newer.detail)
  let backup = isSame ? (record?.backup ?? null) : null
  if (found.outdated.length > 0 && (backup === null || !existsSync(join(dataDir, backup))))
    backup = writeBackup(parts, found.versions)
  writeRecord(dataDir, { version, tables, backup, done: false })
  step('recorded')
  prune(dataDir)
  return { accounts: [...new Set(found.outdated.flatMap(({ accountId }) => accountId ?? []))] }
}

/** Records that all tables have the versions of this Keydesk. */
export function recordUpdate(dataDir: string): void {
  const record = readRecord(dataDir)
  if (record !== null) writeRecord(dataDir, { ...record, done: true })
}

function readRecord(dataDir: string): z.output<typeof recordSchema> | null {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(join(dataDir, OPENED_BY), 'utf8')), parseOnce)
  } catch {
    return null
  }
}

const writeRecord = (dataDir: string, record: z.output<typeof recordSchema>): void =>
  writeAtomically(join(dataDir, OPENED_BY), JSON.stringify(record))

function writeBackup(
  { dataDir, version, now, step = () => {} }: Parts,
  tables: Record<string, number>,
): string {
  const unfinished = join(dataDir, WORK, 'before-update')
  try {
    makeFolder(unfinished)
    copyData(dataDir, unfinished, step)
    writeAtomically(
      join(unfinished, UPDATE_BACKUP),
      JSON.stringify({ version, madeAt: now, tables } satisfies z.output<typeof backupSchema>),
    )
    const name = unusedName(dataDir, version, now)
    renameSync(unfinished, join(dataDir, name))
    syncFolder(dataDir)
    step('named')
    return name
  } catch (error) {
    if (!isDiskFull(error)) throw error
    throw new UpdateStopped('update-disk-full', null, 'ENOSPC')
  } finally {
    rmSync(join(dataDir, WORK), { recursive: true, force: true })
  }
}

function unusedName(dataDir: string, version: string, now: number): string {
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')
  const name = `${BEFORE_UPDATE}${version}-${time}Z`
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? name : `${name}-${number}`
    if (!existsSync(join(dataDir, numbered))) return numbered
  }
}

/**
 * Copies the files of a backup between two folders, each database as of one moment, and flushes them
 * to the disk. The data folder must be locked, so that only the sandbox's service may be writing.
 *
 * @returns the number of files
 */
export function copyData(
  from: string,
  into: string,
  step: (path: string) => void = () => {},
): number {
  const folders = new Set([into])
  let files = 0
  for (const path of dataFiles(from)) {
    const [source, target] = [join(from, path), join(into, path)]
    const found = statSync(source, { throwIfNoEntry: false })
    if (found === undefined) continue
    makeFolder(dirname(target))
    if (isDatabase(path)) copyDatabase(source, target)
    else copyFileSync(source, target, constants.COPYFILE_FICLONE)
    chmodSync(target, 0o600)
    // The sandbox's snapshots are dated by their files.
    utimesSync(target, found.atime, found.mtime)
    syncFile(target)
    folders.add(dirname(target))
    files += 1
    step(path)
  }
  for (const folder of folders) syncFolder(folder)
  return files
}

function copyDatabase(source: string, target: string): void {
  const release = holdWrites(source)
  try {
    for (const suffix of ['', '-wal'])
      if (suffix === '' || (statSync(source + suffix, { throwIfNoEntry: false })?.size ?? 0) > 0)
        copyFileSync(source + suffix, target + suffix, constants.COPYFILE_FICLONE)
  } finally {
    release()
  }
  if (!existsSync(`${target}-wal`)) return
  const copy = new SqliteDatabase(target, { fileMustExist: true })
  try {
    copy.pragma('journal_mode = DELETE')
  } finally {
    copy.close()
  }
}

/** Keeps other processes from writing. A damaged database is copied as it is. */
function holdWrites(path: string): () => void {
  let database: SqliteDatabase.Database | undefined
  try {
    database = new SqliteDatabase(path, { fileMustExist: true })
    database.pragma('wal_checkpoint(TRUNCATE)')
    database.exec('BEGIN IMMEDIATE')
  } catch {
    // The copy contains the write-ahead log too.
  }
  return () => database?.close()
}

type Named = { name: string; facts: z.output<typeof backupSchema> }

/** The complete backups from before updates, newest first. */
function backupsIn(dataDir: string): Named[] {
  const found = existsSync(dataDir) ? readdirSync(dataDir) : []
  return found
    .filter((name) => name.startsWith(BEFORE_UPDATE))
    .flatMap((name) => {
      try {
        const text = readFileSync(join(dataDir, name, UPDATE_BACKUP), 'utf8')
        return [{ name, facts: backupSchema.parse(JSON.parse(text)) }]
      } catch {
        return []
      }
    })
    .toSorted((a, b) => b.facts.madeAt - a.facts.madeAt || (a.name < b.name ? 1 : -1))
}

/**
 * The backups from before updates, newest first, and whether this Keydesk can read them.
 *
 * @param schemas the tables of the data folder and of the accounts
 */
export function updateBackups(dataDir: string, schemas: readonly FeatureSchema[]): UpdateBackup[] {
  const newest = newestVersions({ main: [], accounts: schemas })
  return backupsIn(dataDir).map(({ name, facts }) => ({
    name,
    version: facts.version,
    at: facts.madeAt,
    bytes: folderSize(join(dataDir, name)),
    readable: Object.entries(facts.tables).every(
      ([table, version]) => version <= (newest[table] ?? Number.POSITIVE_INFINITY),
    ),
  }))
}

/** Removes all but the newest backups. */
function prune(dataDir: string): void {
  for (const { name } of backupsIn(dataDir).slice(KEPT)) removeFolder(dataDir, name)
}

/** Removes a folder of the data folder. A kill never leaves a part that looks complete. */
export function removeFolder(dataDir: string, name: string): void {
  const doomed = join(dataDir, WORK, `gone-${name}`)
  makeFolder(join(dataDir, WORK))
  rmSync(doomed, { recursive: true, force: true })
  renameSync(join(dataDir, name), doomed)
  rmSync(doomed, { recursive: true, force: true })
}

/** Removes the files of an account from the backups from before updates. */
export function removeFromUpdateBackups(dataDir: string, accountId: string): void {
  for (const { name } of backupsIn(dataDir))
    for (const path of [
      ...['mirrors', 'catalogues', 'journals'].map((folder) => join(folder, `${accountId}.db`)),
      join('spool', accountId),
    ])
      rmSync(join(dataDir, name, path), { recursive: true, force: true })
}

/** Removes all backups from before updates: their values are encrypted with a retired key. */
export function removeUpdateBackups(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(BEFORE_UPDATE)) removeFolder(dataDir, name)
}
