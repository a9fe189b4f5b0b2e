import { closeSync, openSync, readSync, statSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import type { FeatureSchema } from '../../mirror/schema.ts'

/**
 * What a database file is. `foreign`: not a database of SQLite. `newer`: a newer Keydesk wrote it.
 * `unreadable`: the system doesn't let Keydesk read it, or the disk can't.
 */
export type FileState =
  | 'ok'
  | 'absent'
  | 'empty'
  | 'truncated'
  | 'foreign'
  | 'damaged'
  | 'newer'
  | 'unreadable'

export type InspectedFile = {
  state: FileState
  /** The system's or SQLite's own code or words, for support; null when intact. */
  detail: string | null
}

const MAGIC = 'SQLite format 3\0'
const HEADER = 100
const PAGE_SIZE_AT = 16
const PAGES_AT = 28
/** Files up to this size are read completely: that takes a fraction of a second. */
const READ_COMPLETELY = 48 * 2 ** 20

/**
 * Classifies a database file and changes nothing in it. A large file is checked in the tables of
 * `essential` only; {@link import('../../mirror/repair/file-check.ts').findDamage} reads all of it.
 *
 * @param read called with the open database when it is intact
 */
export function inspectFile(
  path: string,
  schemas: readonly FeatureSchema[],
  essential: readonly string[],
  read: (database: Database) => void = () => {},
): InspectedFile {
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size
    if (size === undefined) return { state: 'absent', detail: null }
    if (size === 0) return { state: 'empty', detail: null }
    const header = headerOf(path)
    if (header === null) return { state: 'foreign', detail: null }
    return inspectDatabase(path, size, header.bytes, schemas, essential, read)
  } catch (error) {
    return { state: 'unreadable', detail: codeOf(error) }
  }
}

/**
 * Lets SQLite undo a change that was interrupted while the database had a rollback journal, as while
 * it was being created. Reading it without writing is impossible until then.
 */
export function undoInterruptedChange(path: string): void {
  const journal = statSync(`${path}-journal`, { throwIfNoEntry: false })
  if (journal === undefined || journal.size === 0) return
  let database: Database | undefined
  try {
    database = new SqliteDatabase(path, { fileMustExist: true })
    database.pragma('schema_version')
  } catch {
    // The inspection reports the damage.
  } finally {
    database?.close()
  }
}

/** The size that a database's first page states; null if the file isn't a database. */
function headerOf(path: string): { bytes: number } | null {
  const header = Buffer.alloc(HEADER)
  const file = openSync(path, 'r')
  try {
    if (readSync(file, header) < HEADER || header.toString('latin1', 0, MAGIC.length) !== MAGIC)
      return null
    const pageSize = header.readUInt16BE(PAGE_SIZE_AT)
    return { bytes: (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(PAGES_AT) }
  } finally {
    closeSync(file)
  }
}

function inspectDatabase(
  path: string,
  size: number,
  stated: number,
  schemas: readonly FeatureSchema[],
  essential: readonly string[],
  read: (database: Database) => void,
): InspectedFile {
  const broken = (detail: string): InspectedFile => ({
    state: size < stated ? 'truncated' : 'damaged',
    detail,
  })
  let database: Database | undefined
  try {
    database = new SqliteDatabase(path, { readonly: true, fileMustExist: true })
    const damage = findDamageIn(database, size <= READ_COMPLETELY ? null : essential)
    if (damage !== null) return broken(damage)
    const newer = newerFeature(database, schemas)
    if (newer !== null) return { state: 'newer', detail: newer }
    read(database)
    return { state: 'ok', detail: null }
  } catch (error) {
    const code = codeOf(error)
    return /^SQLITE_(?:CORRUPT|NOTADB)/.test(code)
      ? broken(code)
      : { state: 'unreadable', detail: code }
  } finally {
    database?.close()
  }
}

/** The first damage in SQLite's words; null if there is none. Checks all tables for null. */
function findDamageIn(database: Database, tables: readonly string[] | null): string | null {
  if (tables === null) {
    const found = database.pragma('quick_check(1)', { simple: true })
    return found === 'ok' ? null : String(found)
  }
  const isTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
  const check = database.prepare<[string], string>('SELECT quick_check FROM pragma_quick_check(?)')
  for (const table of tables) {
    const found = isTable.get(table) === undefined ? 'ok' : check.pluck().get(table)
    if (found !== 'ok') return String(found)
  }
  return null
}

/** A feature whose tables a newer Keydesk wrote, with their version. */
function newerFeature(database: Database, schemas: readonly FeatureSchema[]): string | null {
  if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'").get())
    return null
  const newest = new Map(schemas.map(({ feature, steps }) => [feature, steps.length]))
  const newer = database
    .prepare<[], { feature: string; version: number }>(
      'SELECT feature, version FROM schema_version',
    )
    .all()
    .find(({ feature, version }) => version > (newest.get(feature) ?? Number.POSITIVE_INFINITY))
  return newer === undefined ? null : `${newer.feature} ${newer.version}`
}

/** The code of an error of the system or SQLite. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'UNKNOWN'
