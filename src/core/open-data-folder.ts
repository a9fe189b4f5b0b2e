import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { localized } from '../contract/localization/localized.ts'
import type { Host } from '../platform/host.ts'
import { accountsSchema } from './accounts/accounts.ts'
import { activitySchema, createActivity, createLog, createRedactor } from './activity/activity.ts'
import type { Activity, Redactor } from './activity/activity.ts'
import { UpdateStopped, applyScheduledRestore, backUpBeforeUpdate } from './backup/backup.ts'
import { createChanges } from './changes.ts'
import type { Changes } from './changes.ts'
import type { Clock } from './clock.ts'
import type { CoreContext, SafetyCopy } from './context.ts'
import { assertUsable } from './data-folder/inspect/assess.ts'
import { StartProblem } from './data-folder/inspect/start-problem.ts'
import { assertWritable } from './data-folder/inspect/writable.ts'
import { createSafetyCopy } from './data-folder/keep/safety-copy.ts'
import { createDiskSpace, folderProbe } from './data-folder/disk-space.ts'
import type { DiskSpace } from './data-folder/disk-space.ts'
import { createReporter } from './data-folder/reporter.ts'
import { repairEntry, takeRepairReport } from './data-folder/recovery/repair.ts'
import type { RepairReport } from './data-folder/recovery/repair.ts'
import { localEntry } from './local-entry.ts'
import { openDatabase } from './mirror/database/open-database.ts'
import type { FeatureSchema } from './mirror/schema.ts'
import { quarantineNetwork } from './network/network.ts'
import { noticesSchema } from './notices/notices.ts'
import type { Randomness } from './randomness.ts'
import { createSettings, settingsSchema } from './settings/settings.ts'
import type { SettingsStore } from './settings/settings.ts'
import { vaultSchema } from './vault/vault.ts'

/** The tables of `keydesk.db`, which all accounts share. */
export const dataFolderSchemas = [
  accountsSchema,
  activitySchema,
  settingsSchema,
  vaultSchema,
  noticesSchema,
]

/** What every service needs to store and report. */
export interface OpenDataFolder {
  database: Database
  changes: Changes
  diskSpace: DiskSpace
  /** Runs a task again when there may be space, if it fails because the disk is full. */
  clock: Clock
  redactor: Redactor
  settings: SettingsStore
  activity: Activity
  /** The repair of the database since the last start; null if there was none. */
  repaired: RepairReport | null
  report: CoreContext['report']
  safetyCopy: SafetyCopy
  /** The accounts whose files an earlier Keydesk wrote; null if all files are current. */
  outdated: readonly string[] | null
}

/**
 * Opens a locked data folder. First applies a scheduled restore, and copies data that an earlier
 * Keydesk wrote; records the restore, and a repair since the last start, as activity.
 *
 * @param accountSchemas the tables of the accounts' files; null for a copy for reading, which needs
 *   no copy before an update
 */
export function openDataFolder(
  { dataDir, version }: Pick<Host, 'dataDir' | 'version'>,
  {
    given,
    random,
    accountSchemas,
  }: { given: Clock; random: Randomness; accountSchemas: readonly FeatureSchema[] | null },
): OpenDataFolder {
  assertWritable(dataDir)
  const restored = applyScheduledRestore(dataDir)
  const { isCopied } = assertUsable(dataDir, dataFolderSchemas)
  const outdated =
    accountSchemas === null ? null : backUp({ dataDir, version }, accountSchemas, given.now())
  const database = openDatabase(join(dataDir, 'keydesk.db'), dataFolderSchemas)
  const changes = createChanges()
  const diskSpace = createDiskSpace({ clock: given, changes, tryOut: folderProbe(dataDir) })
  const clock = diskSpace.retryingClock(given)
  const redactor = createRedactor()
  const settings = createSettings(database, changes)
  // A restore that an earlier version scheduled hasn't done this yet.
  if (restored !== null) quarantineNetwork(settings)
  const activity = createActivity({
    database,
    clock,
    random,
    changes,
    redactor,
    keptDays: () => settings.get().activityDays,
    noted: diskSpace.isCausedBy,
  })
  const repaired = takeRepairReport(dataDir)
  if (repaired !== null) activity.add(repairEntry(repaired))
  if (restored !== null)
    activity.add(
      localEntry({
        accountId: null,
        what: localized('backup.restored'),
        detail: localized('backup.restored-from', {
          madeAt: new Date(restored.madeAt).toISOString(),
          folder: restored.aside,
        }),
      }),
    )
  const report = createReporter({
    log: createLog(dataDir, clock, redactor),
    activity,
    random,
    room: diskSpace,
  })
  const safetyCopy = createSafetyCopy(dataDir, database, report)
  // A migration can change the copied rows.
  if (!isCopied || outdated !== null) safetyCopy.update()
  return {
    database,
    changes,
    diskSpace,
    clock,
    redactor,
    settings,
    activity,
    repaired,
    report,
    safetyCopy,
    outdated,
  }
}

/**
 * Copies the data folder if an earlier Keydesk wrote it. Throws a `StartProblem` when a newer one did
 * or the disk has too little space.
 */
function backUp(
  { dataDir, version }: Pick<Host, 'dataDir' | 'version'>,
  accounts: readonly FeatureSchema[],
  now: number,
): string[] | null {
  try {
    const known = { main: dataFolderSchemas, accounts }
    return backUpBeforeUpdate({ dataDir, known, version, now })?.accounts ?? null
  } catch (error) {
    if (!(error instanceof UpdateStopped)) throw error
    throw new StartProblem(error.kind, error.file, error.detail, dataDir, { cause: error })
  }
}
