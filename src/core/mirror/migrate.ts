import type { Database } from 'better-sqlite3'
import { failure } from '../failure.ts'
import type { FeatureSchema } from './schema.ts'

/**
 * Brings every feature's tables to their newest version, all in one transaction. Throws Failure `NEWER_DATA` for tables that a newer
 * Keydesk wrote, and leaves them untouched.
 */
export function migrate(database: Database, schemas: readonly FeatureSchema[]): void {
  database.transaction(() => {
    database.exec('CREATE TABLE IF NOT EXISTS schema_version (feature TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID')
    const read = database.prepare<{ feature: string }, { version: number }>('SELECT version FROM schema_version WHERE feature = :feature')
    const write = database.prepare<{ feature: string; version: number }>(
      'INSERT INTO schema_version (feature, version) VALUES (:feature, :version) ON CONFLICT (feature) DO UPDATE SET version = excluded.version',
    )
    for (const { feature, steps } of schemas) {
      const version = read.get({ feature })?.version ?? 0
      if (version > steps.length) {
        throw failure('NEWER_DATA', `This data was written by a newer Keydesk (${feature}, version ${version}).`, 'Start that newer version again, or use another data folder.')
      }
      for (const step of steps.slice(version)) database.exec(step)
      if (version < steps.length) write.run({ feature, version: steps.length })
    }
  }).immediate()
}
