import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { sandboxDatabase } from '../../../server/api/sandbox-database.ts'
import { needsMigration } from '../mirror/mirror.ts'
import type { FeatureSchema } from '../mirror/schema.ts'

/** The tables that this Keydesk knows: those of `keydesk.db`, and those of each account's files. */
export type KnownTables = {
  main: readonly FeatureSchema[]
  accounts: readonly FeatureSchema[]
}

/** A database of the data folder. Its path is relative, with `/` separators. */
type DatabaseFile = { path: string; accountId: string | null; place: FeatureSchema['place'] }
export type OutdatedFile = Pick<DatabaseFile, 'path' | 'accountId'>

const SANDBOX = 'sandbox'
const placeOf = ({ place = 'mirror' }: Pick<FeatureSchema, 'place'>) => place
const keyOf = (place: FeatureSchema['place'], feature: string): string =>
  `${place ?? 'mirror'} ${feature}`

/** The newest version of every feature's tables, and of the sandbox's database. */
export const newestVersions = ({ main, accounts }: KnownTables): Record<string, number> => ({
  ...Object.fromEntries(
    [...main, ...accounts].map(({ place, feature, steps }) => [
      keyOf(place, feature),
      steps.length,
    ]),
  ),
  [SANDBOX]: sandboxDatabase.version,
})

function databasesIn(dataDir: string): DatabaseFile[] {
  const folders = { mirrors: 'mirror', catalogues: 'catalogue', journals: 'journal' } as const
  return [
    { path: 'keydesk.db', accountId: null, place: undefined },
    ...Object.entries(folders).flatMap(([folder, place]) =>
      (existsSync(join(dataDir, folder)) ? readdirSync(join(dataDir, folder)) : [])
        .filter((name) => name.endsWith('.db'))
        .toSorted()
        .map((name) => ({ path: `${folder}/${name}`, accountId: name.slice(0, -3), place })),
    ),
  ]
}

/**
 * Compares the tables in a data folder with those that this Keydesk knows, and changes nothing. A
 * file that can't be read is left out: opening it reports its damage.
 *
 * @returns the files to migrate, the versions found, and the first file of a newer Keydesk. The
 *   sandbox's service reports a newer database itself
 */
export function inspectTables(
  dataDir: string,
  known: KnownTables,
): {
  outdated: OutdatedFile[]
  versions: Record<string, number>
  newer: { path: string; detail: string } | null
} {
  const outdated: OutdatedFile[] = []
  const versions: Record<string, number> = {}
  let newer: { path: string; detail: string } | null = null
  const newest = newestVersions(known)
  for (const { path, accountId, place } of databasesIn(dataDir)) {
    const schemas =
      accountId === null ? known.main : known.accounts.filter((schema) => placeOf(schema) === place)
    read(join(dataDir, path), (database) => {
      if (needsMigration(database, schemas)) outdated.push({ path, accountId })
      for (const { feature, version } of rowsOf(database)) {
        const key = keyOf(place, feature)
        versions[key] = Math.max(versions[key] ?? 0, version)
        if (version > (newest[key] ?? Number.POSITIVE_INFINITY))
          newer ??= { path, detail: `${feature} ${version}` }
      }
    })
  }
  const path = `${SANDBOX}/${sandboxDatabase.file}`
  read(join(dataDir, path), (database) => {
    const version = Number(database.pragma('user_version', { simple: true }))
    versions[SANDBOX] = version
    if (version > 0 && version < sandboxDatabase.version) outdated.push({ path, accountId: null })
  })
  return { outdated, versions, newer }
}

const rowsOf = (database: SqliteDatabase.Database): { feature: string; version: number }[] =>
  database
    .prepare<[], { feature: string; version: number }>(
      'SELECT feature, version FROM schema_version',
    )
    .all()

function read(path: string, task: (database: SqliteDatabase.Database) => void): void {
  if (!existsSync(path)) return
  let database: SqliteDatabase.Database | undefined
  try {
    database = new SqliteDatabase(path, { readonly: true, fileMustExist: true })
    task(database)
  } catch {
    // Damaged, or not a database.
  } finally {
    database?.close()
  }
}
