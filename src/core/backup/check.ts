import { existsSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { failure } from '../failure.ts'
import type { FeatureSchema } from '../mirror/schema.ts'
import { dataFiles, isDatabase } from './folder.ts'

/**
 * Checks unpacked data: every database opens and isn't from a newer Keydesk, and the data folder's
 * database and the journals, which can't be loaded from the service again, are intact. Throws
 * Failure `BACKUP_DAMAGED` or `NEWER_DATA`.
 */
export function checkData(folder: string, schemas: readonly FeatureSchema[]): void {
  if (!existsSync(join(folder, 'keydesk.db'))) throw damaged()
  for (const path of dataFiles(folder).filter(
    (file) => isDatabase(file) && !file.startsWith('sandbox/'),
  )) {
    const database = openIntact(
      join(folder, path),
      path === 'keydesk.db' || path.startsWith('journals/'),
    )
    try {
      const known = new Map(
        schemas
          .filter(
            ({ place }) =>
              path === 'keydesk.db' || (place === 'journal') === path.startsWith('journals/'),
          )
          .map(({ feature, steps }) => [feature, steps.length]),
      )
      const versions = database
        .prepare<[], { feature: string; version: number }>(
          'SELECT feature, version FROM schema_version',
        )
        .all()
      const newer = versions.find(
        ({ feature, version }) => version > (known.get(feature) ?? Number.POSITIVE_INFINITY),
      )
      if (newer !== undefined)
        throw failure(
          'NEWER_DATA',
          `This backup was created by a newer Keydesk (${newer.feature}, version ${newer.version}).`,
          'Restore it with that version.',
          { effect: 'Nothing was replaced.' },
        )
    } finally {
      database.close()
    }
  }
}

function openIntact(path: string, isIntact: boolean): SqliteDatabase.Database {
  let database: SqliteDatabase.Database | null = null
  try {
    database = new SqliteDatabase(path, { fileMustExist: true })
    const found: unknown = isIntact ? database.pragma('quick_check(1)', { simple: true }) : 'ok'
    if (
      found === 'ok' &&
      database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'").get() !==
        undefined
    )
      return database
  } catch {
    // Reported below.
  }
  database?.close()
  throw damaged()
}

const damaged = () =>
  failure('BACKUP_DAMAGED', 'The data in this backup is damaged.', 'Use an earlier backup.', {
    effect: 'Nothing was replaced.',
  })
