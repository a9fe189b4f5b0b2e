import { copyFileSync, constants, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { ActivityEntry } from '../../../contract/app/app.ts'
import type { Notice } from '../../../contract/app/notices.ts'
import { localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import { MAIN_DATABASE } from '../inspect/assess.ts'
import { readSafetyCopy, restoreFromSafetyCopy } from '../keep/safety-copy.ts'
import { syncFile, syncFolder, writeAtomically } from '../../durable-files.ts'
import { FILE_SUFFIXES, damagedName, openDatabase, salvage } from '../../mirror/mirror.ts'
import type { FeatureSchema } from '../../mirror/schema.ts'
import { localEntry } from '../../local-entry.ts'

const reportSchema = z.object({
  /** The name of the damaged file, which is kept; null if there was none. */
  kept: z.string().nullable(),
  /** Records carried over from it. */
  carried: z.number().int(),
  /** Tables that weren't completely readable. */
  lost: z.array(z.string()),
  /** Accounts that came from the safety copy. */
  accounts: z.number().int(),
})
export type RepairReport = z.infer<typeof reportSchema>

const reportPath = (dataDir: string): string => join(dataDir, 'repaired.json')

/**
 * Rebuilds the data folder's database from its readable records, then from the safety copy. The new
 * database replaces the damaged one, of which a copy is kept, in one step, so that a kill leaves
 * either of them.
 */
export function repairMainDatabase(
  dataDir: string,
  schemas: readonly FeatureSchema[],
  now: number,
): RepairReport {
  const path = join(dataDir, MAIN_DATABASE)
  const beside = `${path}.repair`
  const removeNew = (): void => {
    for (const suffix of FILE_SUFFIXES) rmSync(beside + suffix, { force: true })
  }
  removeNew()
  const kept = existsSync(path) ? damagedName(path, now) : null
  if (kept !== null)
    for (const suffix of ['', '-wal'])
      if (existsSync(path + suffix)) {
        copyFileSync(path + suffix, kept + suffix, constants.COPYFILE_FICLONE)
        syncFile(kept + suffix)
      }
  const database = openDatabase(beside, schemas)
  try {
    const saved = kept === null ? { carried: 0, lost: [] } : salvage(database, kept)
    const copy = readSafetyCopy(dataDir)
    const restored = copy === null ? { accounts: 0 } : restoreFromSafetyCopy(database, copy, now)
    database.pragma('wal_checkpoint(TRUNCATE)')
    database.pragma('journal_mode = DELETE')
    database.close()
    const report = {
      kept: kept === null ? null : kept.slice(dataDir.length + 1),
      ...saved,
      ...restored,
    }
    writeAtomically(reportPath(dataDir), JSON.stringify(report))
    // The old log must not be applied to the new database.
    for (const suffix of ['-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true })
    renameSync(beside, path)
    syncFolder(dataDir)
    return report
  } catch (error) {
    if (database.open) database.close()
    removeNew()
    throw error
  }
}

/** The report of a repair since the last start, once; null for none. */
export function takeRepairReport(dataDir: string): RepairReport | null {
  const path = reportPath(dataDir)
  if (!existsSync(path)) return null
  try {
    return reportSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  } finally {
    rmSync(path, { force: true })
  }
}

const detailOf = ({ carried, accounts, kept, lost }: RepairReport): Localized =>
  localized('mirror.database-carried', {
    carried,
    accounts,
    kept: kept ?? '—',
    tables: lost.length === 0 ? '—' : lost.join(', '),
  })

/** The activity's entry about a repair. */
export const repairEntry = (report: RepairReport): Omit<ActivityEntry, 'id' | 'at'> =>
  localEntry({
    accountId: null,
    what: localized('mirror.database-repaired'),
    detail: detailOf(report),
    outcome: 'failed',
    code: 'DATABASE_DAMAGED',
  })

/** The notice about a repair. */
export const repairNotice = (report: RepairReport): Omit<Notice, 'noticeId' | 'at' | 'seen'> => ({
  accountId: null,
  kind: 'file-repaired',
  title: localized('mirror.database-repaired'),
  text: detailOf(report),
  path: '/activity',
})
