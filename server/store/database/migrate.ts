import type { Database } from 'better-sqlite3'
import { StoreOpenError } from '../errors.ts'
import { foldCase } from '../catalogue/fold-case.ts'
import { migrations } from '../migrations/index.ts'
import type { Migration } from '../migrations/migration.ts'
import { reachCrashPoint } from '../../domain/crash-points.ts'

/** The version of the database schema; 0 for an empty file. */
export function versionOf(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }))
}

/**
 * Migrates a database to the newest version, all steps in one transaction. Throws StoreOpenError
 * `newer` for a database written by a newer version, and leaves it unchanged.
 *
 * @param before called before an older database is changed, with its version
 */
export function migrate(
  database: Database,
  steps: readonly Migration[] = migrations,
  before: (present: number) => void = () => {},
): void {
  const newest = steps.at(-1)?.version ?? 0
  const present = versionOf(database)
  if (present > newest) {
    throw new StoreOpenError(
      'newer',
      `The database has version ${present}, this program knows versions up to ${newest}: a newer program wrote it.`,
    )
  }
  if (present === newest) return
  if (present > 0) before(present)
  database.transaction(() => apply(database, steps, present)).immediate()
}

/** Applies the steps after `from`, which may call `fold_case`. The caller holds the transaction. */
function apply(database: Database, steps: readonly Migration[], from: number): void {
  database.function('fold_case', { deterministic: true, directOnly: true }, (text: unknown) =>
    foldCase(String(text)),
  )
  for (const step of steps) {
    if (step.version <= from) continue
    database.exec(step.sql)
    reachCrashPoint('migration.step')
    database.pragma(`user_version = ${step.version}`)
  }
}
