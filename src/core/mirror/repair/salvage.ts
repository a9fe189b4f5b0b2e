import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'

/**
 * The first page states the file's length. If it claims more than this beyond the actual size, that
 * page is damaged itself.
 */
const MAX_CUT_OFF = 4 * 2 ** 30

/**
 * Carries the readable records of a damaged file into a new one, table by table and
 * record by record. Returns the number of records carried over and the tables that couldn't be read
 * completely. The damaged file doesn't change.
 */
export function salvage(journal: Database, aside: string): { carried: number; lost: string[] } {
  const tables = journal
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'schema_version'",
    )
    .pluck()
    .all()
  if (statSync(aside).size === 0) return { carried: 0, lost: [] }
  const lost: string[] = []
  let carried = 0
  journal.pragma('foreign_keys = OFF')
  const copy = `${aside}.copy`
  for (const suffix of ['', '-wal'])
    if (existsSync(aside + suffix))
      copyFileSync(aside + suffix, copy + suffix, constants.COPYFILE_FICLONE)
  const damaged = openReadable(copy)
  for (const table of tables) {
    try {
      if (damaged === null) throw new Error('not a database')
      for (const row of damaged
        .prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`)
        .iterate()) {
        const columns = Object.keys(row)
        carried += journal
          .prepare(
            `INSERT OR IGNORE INTO ${table} (${columns.join(', ')})
            VALUES (${columns.map((column) => `:${column}`).join(', ')})`,
          )
          .run(row).changes
      }
    } catch {
      lost.push(table)
    }
  }
  damaged?.close()
  for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true })
  journal.pragma('foreign_keys = ON')
  return { carried, lost }
}

const PAGE_SIZE_AT = 16
const PAGES_AT = 28

/**
 * SQLite doesn't open a file that is shorter than its first page states, so pad a copy with zeros.
 */
function fillUp(copy: string): void {
  const head = Buffer.alloc(100)
  const file = openSync(copy, 'r')
  readSync(file, head)
  closeSync(file)
  const bytes = head.readUInt16BE(PAGE_SIZE_AT) * head.readUInt32BE(PAGES_AT)
  const { size } = statSync(copy)
  if (bytes > size && bytes < size + MAX_CUT_OFF) truncateSync(copy, bytes)
}

function openReadable(copy: string): Database | null {
  try {
    fillUp(copy)
    const database = new SqliteDatabase(copy)
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return database
  } catch {
    return null
  }
}
