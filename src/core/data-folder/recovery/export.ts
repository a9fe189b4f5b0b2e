import { readdirSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { csvText } from '../../../contract/csv.ts'
import type { CsvCell } from '../../../contract/csv.ts'
import { zipOf } from './zip.ts'
import type { ZipEntry } from './zip.ts'

/** Tables of SQLite and of the word search, which can be rebuilt. */
const INTERNAL = /^(?:sqlite_|schema_version$)|_(?:words|word_uses|fts)/

export type ReadableData = {
  bytes: Buffer
  /** Files and tables that couldn't be read completely: `mirrors/a.db sales`. */
  unreadable: string[]
}

/**
 * Every readable record of a folder's databases as a zip file with a CSV file per table. Encrypted
 * values are left out: they can't be read without the vault.
 *
 * @param dataDir a copy for reading, because opening a database can change it
 */
export function exportReadable(dataDir: string, now: number): ReadableData {
  const unreadable: string[] = []
  const entries = databasesIn(dataDir).flatMap((path) => {
    try {
      return [...tablesOf(dataDir, path, unreadable)]
    } catch {
      unreadable.push(path)
      return []
    }
  })
  return { bytes: zipOf(entries, now), unreadable }
}

function databasesIn(dataDir: string): string[] {
  return ['', 'journals', 'mirrors', 'catalogues'].flatMap((folder) =>
    (existsSync(join(dataDir, folder)) ? readdirSync(join(dataDir, folder)) : [])
      .filter((name) => name.endsWith('.db'))
      .map((name) => (folder === '' ? name : `${folder}/${name}`)),
  )
}

function* tablesOf(
  dataDir: string,
  path: string,
  unreadable: string[],
): Generator<ZipEntry, void, void> {
  const database = new SqliteDatabase(join(dataDir, path), { fileMustExist: true })
  try {
    const tables = database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all()
      .filter((name) => !INTERNAL.test(name))
    for (const table of tables) {
      const text = readTable(database, table, () => unreadable.push(`${path} ${table}`))
      if (text !== null)
        yield { name: `${path.replace(/\.db$/, '')}/${table}.csv`, bytes: Buffer.from(text) }
    }
  } finally {
    database.close()
  }
}

/** The table's rows up to the first damaged page; null if none is readable. */
function readTable(
  database: SqliteDatabase.Database,
  table: string,
  onDamage: () => void,
): string | null {
  const rows: CsvCell[][] = []
  let columns: string[] = []
  try {
    const read = database.prepare<[], unknown[]>(`SELECT * FROM "${table}"`).raw()
    columns = read.columns().map(({ name }) => name)
    for (const row of read.iterate()) rows.push(row.map(cellOf))
  } catch {
    onDamage()
  }
  return rows.length === 0 ? null : `\uFEFF${csvText([columns, ...rows])}`
}

function cellOf(value: unknown): CsvCell {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
