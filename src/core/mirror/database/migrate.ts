import type { Database } from 'better-sqlite3'
import { isDiskFull } from '../../disk-full.ts'
import { failure } from '../../failure.ts'
import { isDamage } from '../repair/damage.ts'
import type { FeatureSchema } from '../schema.ts'

const VERSIONS =
  'CREATE TABLE IF NOT EXISTS schema_version (feature TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID'

type VersionRow = { feature: string; version: number }

const versionsOf = (database: Database): Map<string, number> =>
  new Map(
    database
      .prepare<[], VersionRow>('SELECT feature, version FROM schema_version')
      .all()
      .map(({ feature, version }) => [feature, version]),
  )

/**
 * Whether the database has tables from an earlier Keydesk that {@link migrate} would change. A new
 * database has none.
 */
export function needsMigration(database: Database, schemas: readonly FeatureSchema[]): boolean {
  if (
    database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'").get() ===
    undefined
  )
    return false
  const versions = versionsOf(database)
  return (
    versions.size > 0 &&
    schemas.some(({ feature, steps }) => (versions.get(feature) ?? 0) < steps.length)
  )
}

/** A step doesn't fit the tables it found. None of the database's tables changed. */
export class MigrationFailed extends Error {
  constructor(feature: string, version: number, cause: unknown) {
    super(`The tables of ${feature} can’t be migrated to version ${version}.`, { cause })
  }
}

/**
 * Migrates every feature's tables to their newest version in one transaction. Throws Failure
 * `NEWER_DATA` if a newer Keydesk wrote any of them, and {@link MigrationFailed} if a step fails;
 * then nothing is changed.
 */
export function migrate(database: Database, schemas: readonly FeatureSchema[]): void {
  database
    .transaction(() => {
      database.exec(VERSIONS)
      const versions = versionsOf(database)
      const write = database.prepare<VersionRow>(
        `INSERT INTO schema_version (feature, version) VALUES (:feature, :version)
        ON CONFLICT (feature) DO UPDATE SET version = excluded.version`,
      )
      for (const { feature, steps } of schemas) {
        const version = versions.get(feature) ?? 0
        if (version > steps.length) {
          throw failure(
            'NEWER_DATA',
            `This data was written by a newer Keydesk (${feature}, version ${version}).`,
            'Start that newer version, or use another data folder.',
          )
        }
        for (const [index, step] of steps.slice(version).entries())
          try {
            database.exec(step)
          } catch (error) {
            if (isDiskFull(error) || isDamage(error)) throw error
            throw new MigrationFailed(feature, version + index + 1, error)
          }
        if (version < steps.length) write.run({ feature, version: steps.length })
      }
    })
    .immediate()
}
