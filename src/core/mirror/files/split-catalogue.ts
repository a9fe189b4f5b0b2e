import { existsSync, renameSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { isDamage } from '../repair/damage.ts'
import { openDatabase } from '../database/open-database.ts'
import type { FeatureSchema } from '../schema.ts'

/**
 * Turns a mirror that also holds the catalogue, which is most of such a file, into the catalogue's
 * own file. {@link moveListsToMirror} then moves the other tables back. Does nothing if the two are
 * already separate.
 */
export function splitCatalogueFile(
  mirror: string,
  catalogue: string,
  schemas: readonly FeatureSchema[],
  catalogueSchemas: readonly FeatureSchema[],
): void {
  if (existsSync(catalogue) || !existsSync(mirror)) return
  try {
    if (!holds(mirror, catalogueSchemas)) return
    const whole = openDatabase(mirror, schemas)
    whole.pragma('wal_checkpoint(TRUNCATE)')
    whole.close()
    renameSync(mirror, catalogue)
  } catch (error) {
    if (!isDamage(error)) throw error
  }
}

function holds(mirror: string, schemas: readonly FeatureSchema[]): boolean {
  const database = new SqliteDatabase(mirror, { readonly: true })
  try {
    if (
      database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'").get() ===
      undefined
    )
      return false
    const features = database.prepare('SELECT feature FROM schema_version').pluck().all()
    return schemas.some(({ feature }) => features.includes(feature))
  } finally {
    database.close()
  }
}

/**
 * Moves the tables of other features from the attached catalogue file into the mirror's own. If
 * Keydesk is killed midway, it starts over: nothing has used the mirror before this finishes.
 */
export function moveListsToMirror(
  mirror: Database,
  catalogueSchemas: readonly FeatureSchema[],
): void {
  const own = JSON.stringify(catalogueSchemas.map(({ feature }) => feature))
  const foreign = mirror
    .prepare(
      'SELECT feature FROM catalogue.schema_version WHERE feature NOT IN (SELECT value FROM json_each(:own))',
    )
    .pluck()
    .all({ own })
  if (foreign.length === 0) return
  // Virtual tables of word indexes need no copy: the tables behind them are copied and dropped
  // instead.
  const tables = mirror
    .prepare<[], { name: string; isIndex: number }>(
      `
    SELECT here.name, there.sql LIKE 'CREATE VIRTUAL%' AS isIndex
    FROM main.sqlite_schema here
    JOIN catalogue.sqlite_schema there ON there.name = here.name AND there.type = 'table'
    WHERE here.type = 'table' AND here.name <> 'schema_version' AND here.name NOT LIKE 'sqlite_%'`,
    )
    .all()
  const foreignKeys = mirror.pragma('foreign_keys', { simple: true })
  mirror.pragma('foreign_keys = OFF')
  // Otherwise SQLite refuses to write the tables behind a word index.
  mirror.unsafeMode(true)
  mirror.transaction(() => {
    for (const { name, isIndex } of tables)
      if (isIndex === 0)
        mirror.exec(`INSERT OR REPLACE INTO main.${name} SELECT * FROM catalogue.${name}`)
  })()
  mirror.transaction(() => {
    for (const { name } of tables.toSorted((a, b) => b.isIndex - a.isIndex))
      mirror.exec(`DROP TABLE IF EXISTS catalogue.${name}`)
    mirror
      .prepare(
        'DELETE FROM catalogue.schema_version WHERE feature NOT IN (SELECT value FROM json_each(:own))',
      )
      .run({ own })
  })()
  mirror.unsafeMode(false)
  mirror.pragma(`foreign_keys = ${Number(foreignKeys)}`)
}
