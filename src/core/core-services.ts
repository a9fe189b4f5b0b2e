import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RecoveryProblem } from '../contract/app/recovery.ts'
import { localized } from '../contract/localization/localized.ts'
import type { Host } from '../platform/host.ts'
import {
  accountsSchema,
  createAccounts,
  createHeldAddresses,
  createSandboxProof,
} from './accounts/accounts.ts'
import { activitySchema, createActivity, createLog, createRedactor } from './activity/activity.ts'
import { applyScheduledRestore } from './backup/backup.ts'
import { createChanges } from './changes.ts'
import { systemClock } from './clock.ts'
import type { Clock } from './clock.ts'
import type { CoreContext } from './context.ts'
import { assertUsable } from './data-folder/inspect/assess.ts'
import { assertWritable } from './data-folder/inspect/writable.ts'
import { createSafetyCopy } from './data-folder/keep/safety-copy.ts'
import { withStartProblems } from './data-folder/inspect/start-problem.ts'
import { lockDataFolder } from './data-folder/lock.ts'
import type { FolderLock } from './data-folder/lock.ts'
import { createReporter } from './data-folder/reporter.ts'
import { createDiskSpace, folderProbe } from './data-folder/disk-space.ts'
import { createJobs } from './jobs/jobs.ts'
import { createMirrors } from './mirror/files/mirrors.ts'
import { openDatabase } from './mirror/database/open-database.ts'
import { createFileRepairs } from './mirror/repair/file-repairs.ts'
import { failure } from './failure.ts'
import type { Failure } from './failure.ts'
import type { FeatureList } from './lifecycle/lifecycle.ts'
import { createNetwork, quarantineNetwork } from './network/network.ts'
import { createNotices, noticesSchema } from './notices/notices.ts'
import { createAttention } from './polling/polling.ts'
import { systemRandomness } from './randomness.ts'
import type { Randomness } from './randomness.ts'
import { repairEntry, repairNotice, takeRepairReport } from './data-folder/recovery/repair.ts'
import { createServiceClient, serviceRates } from './service-client/service-client.ts'
import type { Rates } from './service-client/service-client.ts'
import { createSettings, settingsSchema } from './settings/settings.ts'
import { createSealedValueStore } from './vault/values/sealed-value-store.ts'
import type { ScryptCost } from './vault/keys/passphrase.ts'
import { createVault, vaultSchema } from './vault/vault.ts'
import { localEntry } from './local-entry.ts'

export type CoreOptions = {
  clock?: Clock
  random?: Randomness
  /** The rate limits to respect; null for a service without any (benchmarks). */
  rates?: Rates | null
  /** The cost of deriving a key from a passphrase, when it differs from the default. */
  passphraseCost?: ScryptCost
  /** The data folder is a copy for reading: nothing is sent, and no key is read or stored. */
  readOnly?: ReadOnly
  /** Maximum number of accounts with open files; more accounts take turns. */
  accountSeats?: number
}

/** Why a copy is open, and how to try the original data folder again. */
export type ReadOnly = { problem: RecoveryProblem; leave: () => Promise<void> }

/** The tables of `keydesk.db`, which all accounts share. */
export const dataFolderSchemas = [
  accountsSchema,
  activitySchema,
  settingsSchema,
  vaultSchema,
  noticesSchema,
]

/** Maximum number of accounts with open files, about twelve each. */
const accountSeats = 14

/** How often the lock of the data folder is checked, in milliseconds. */
const lockCheckMs = 2000
/** How often the request budget of a busy account is reported, in milliseconds. */
const budgetIntervalMs = 1000

export type CoreServices = ReturnType<typeof createCoreServices>

/** How features store data: their tables, and their own files. */
export type FeatureStorage = Pick<FeatureList<unknown, unknown>, 'schemas' | 'reencryptFiles'>

/**
 * The services that all features depend on: the data folder, locked for this console, with its
 * databases, log, accounts, vault, and the context. Throws `DataFolderInUse` when another console
 * uses the folder, `StartProblem` when Keydesk can't start with it.
 *
 * @param storage tables of the features in each account's mirror, and their own files
 */
export function createCoreServices(
  host: Host,
  options: CoreOptions,
  { schemas, reencryptFiles }: FeatureStorage,
) {
  const { clock: given = systemClock, random = systemRandomness, rates = serviceRates } = options
  const { dataDir, keychain } = host
  return withStartProblems(dataDir, () => {
    const lock = lockDataFolder(dataDir, { pid: process.pid, host: host.kind, since: given.now() })
    try {
      return createServices(lock)
    } catch (error) {
      lock.release()
      throw error
    }
  })

  function createServices(lock: FolderLock) {
    assertWritable(dataDir)
    const replaced = applyScheduledRestore(dataDir)
    assertUsable(dataDir, dataFolderSchemas)
    const database = openDatabase(join(dataDir, 'keydesk.db'), dataFolderSchemas)
    const changes = createChanges()
    const diskSpace = createDiskSpace({ clock: given, changes, tryOut: folderProbe(dataDir) })
    const clock = diskSpace.retryingClock(given)
    const redactor = createRedactor()
    const settings = createSettings(database, changes)
    // A restore that an earlier version scheduled hasn't done this yet.
    if (replaced !== null) quarantineNetwork(settings)
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
    if (replaced !== null)
      activity.add(
        localEntry({
          accountId: null,
          what: localized('backup.restored'),
          detail: localized('backup.restored-from', {
            madeAt: new Date(replaced.madeAt).toISOString(),
            folder: replaced.aside,
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
    safetyCopy.update()
    const jobs = createJobs(changes, clock, settings, activity)
    const mirrors = createMirrors(
      dataDir,
      schemas,
      (accountId, damage) => repairs.found(accountId, damage),
      clock,
    )
    const notifyConnection = createThrottle(clock, (accountId) =>
      changes.notify('connection', accountId),
    )
    const network = createNetwork({ given: host.network, settings, clock, activity })
    const client = createServiceClient({
      clock,
      random,
      rates,
      network: network.network,
      activity: {
        add: (entry) => {
          activity.add(entry)
          if (entry.accountId !== null) notifyConnection(entry.accountId)
        },
      },
    })
    const accounts = createAccounts({
      database,
      keychain,
      clock,
      random,
      changes,
      client,
      safetyCopy,
      heldAddresses: createHeldAddresses(settings),
      proveSandbox: createSandboxProof(host.sandboxKeysDir),
      registerSecret: redactor.addSecret,
      report,
      files: mirrors,
      seats: options.accountSeats ?? accountSeats,
      currentId: () => settings.get().currentAccountId,
      deleteData(account, removal) {
        const { id: accountId } = account
        mirrors.remove(accountId)
        if (removal === null) activity.removeAccount(accountId)
        else activity.retireAccount(account, removal)
        notices.removeAccount(accountId)
        rmSync(join(dataDir, 'spool', accountId), { recursive: true, force: true })
        if (settings.get().currentAccountId === accountId)
          settings.change({ currentAccountId: null })
      },
    })
    const attention = createAttention(clock)
    const repairs = createFileRepairs({
      host,
      clock,
      activity,
      notices: { notify: (notice) => notices.notify(notice) },
      attention,
      changes,
      mirrors,
      accounts,
      report,
    })
    const sealedValues = createSealedValueStore({
      dataDir,
      mirrors,
      schemas,
      reencryptFiles,
      accounts,
    })
    const notices = createNotices({
      database,
      changes,
      clock,
      random,
      system: host.notifications,
      accountName: (accountId) => accounts.get(accountId).name,
      stop: () => settings.get().quietNotices,
    })
    if (repaired !== null) notices.notify(repairNotice(repaired))
    const vault = createVault({
      database,
      keychain,
      clock,
      random,
      changes,
      activity,
      notices,
      values: sealedValues,
      safetyCopy,
      cost: options.passphraseCost,
      report,
    })
    const context: CoreContext = {
      host: { ...host, network: network.network },
      clock,
      random,
      changes,
      accounts,
      vault,
      mirrors,
      jobs,
      activity,
      settings,
      notices,
      attention,
      connection: accounts.serviceConnection,
      report,
      diskSpace: diskSpace,
    }
    const stopLockChecks = checkLock(given, lock, report, () => accounts.close())
    // There is space again: resume interrupted work from the stored state, as after a kill.
    diskSpace.onSpaceFreed(() => {
      activity.flush()
      safetyCopy.update()
      void vault.resumeRekeying()
      for (const { id } of accounts.list().filter((account) => !accounts.isAsleep(account.id)))
        void accounts.restart(id, () => {}).catch((error: unknown) => report('room', error))
    })
    return {
      context,
      accounts,
      vault,
      jobs,
      stock: sealedValues,
      settings,
      activity,
      notices,
      network,
      report,
      room: diskSpace,
      learn: redactor.addSecret,
      redactor,
      /** Rebuilds an account's mirror. Its journal is unaffected. */
      rebuildMirror: (accountId: string): Promise<void> =>
        accounts.restart(accountId, () => mirrors.discard(accountId)),
      announce: lock.announce,
      /** Reads the keys and starts the background work of every account. */
      start: async (): Promise<void> => {
        if (options.readOnly !== undefined) {
          accounts.showOnly()
          return vault.start()
        }
        await Promise.all([vault.start(), accounts.start()])
        repairs.begin()
        void vault.resumeRekeying()
      },
      /** Stops the accounts' work. Their calls fail from now on. */
      quiet: (): void => {
        stopLockChecks()
        repairs.end()
        accounts.close()
      },
      /**
       * Closes the files and releases the data folder. Call it after {@link quiet}, when the
       * features have stopped.
       */
      close(): void {
        activity.close()
        mirrors.close()
        database.close()
        lock.release()
      },
    }
  }
}

/**
 * Locks the data folder again when its lock file disappears. Stops all sends when another console
 * has locked it in the meantime, because two consoles would send the same work.
 */
function checkLock(
  clock: Clock,
  lock: FolderLock,
  report: (where: string, error: unknown) => void,
  stopSending: () => void,
): () => void {
  let cancel = clock.after(lockCheckMs, check)
  function check(): void {
    try {
      if (!lock.renew()) {
        report('data folder', folderTaken())
        return stopSending()
      }
    } catch (error) {
      report('data folder', error)
    }
    cancel = clock.after(lockCheckMs, check)
  }
  return () => cancel()
}

const folderTaken = (): Failure =>
  failure(
    'CONFLICT',
    'Another Keydesk is using this data folder, because its lock file was deleted.',
    'Quit this Keydesk and use the other one.',
    { effect: 'Keydesk stopped sending.' },
  )

/** Calls `tell` at most once per account every {@link budgetIntervalMs}. */
function createThrottle(
  clock: Clock,
  notify: (accountId: string) => void,
): (accountId: string) => void {
  const due = new Set<string>()
  return (accountId) => {
    if (due.has(accountId)) return
    due.add(accountId)
    clock.after(budgetIntervalMs, () => {
      due.delete(accountId)
      notify(accountId)
    })
  }
}
