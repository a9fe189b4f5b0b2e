import type { RecoveryProblem } from '../contract/app/recovery.ts'
import type { Host } from '../platform/host.ts'
import { createAccountServices } from './account-services.ts'
import type { Accounts } from './accounts/accounts.ts'
import { recordUpdate, removeUpdateBackups } from './backup/backup.ts'
import { systemClock } from './clock.ts'
import type { Clock } from './clock.ts'
import type { CoreContext } from './context.ts'
import { withStartProblems } from './data-folder/inspect/start-problem.ts'
import { lockDataFolder } from './data-folder/lock.ts'
import type { FolderLock } from './data-folder/lock.ts'
import { createJobs } from './jobs/jobs.ts'
import { createMirrors } from './mirror/files/mirrors.ts'
import type { MirrorFiles } from './mirror/files/mirrors.ts'
import { createFileRepairs } from './mirror/repair/file-repairs.ts'
import { failure } from './failure.ts'
import type { Failure } from './failure.ts'
import type { FeatureList } from './lifecycle/lifecycle.ts'
import { createNetwork } from './network/network.ts'
import { createNotices } from './notices/notices.ts'
import type { Notices } from './notices/notices.ts'
import { openDataFolder } from './open-data-folder.ts'
import type { OpenDataFolder } from './open-data-folder.ts'
import { createAttention } from './polling/polling.ts'
import { systemRandomness } from './randomness.ts'
import type { Randomness } from './randomness.ts'
import { repairNotice } from './data-folder/recovery/repair.ts'
import type { Rates } from './service-client/service-client.ts'
import { createSealedValueStore } from './vault/values/sealed-value-store.ts'
import type { ScryptCost } from './vault/keys/passphrase.ts'
import { createVault } from './vault/vault.ts'
import type { VaultFeature } from './vault/vault.ts'

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

/** How often the lock of the data folder is checked, in milliseconds. */
const lockCheckMs = 2000

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
  const { clock: given = systemClock, random = systemRandomness } = options
  const { dataDir, keychain } = host
  return withStartProblems(dataDir, () => {
    const lock = lockDataFolder(dataDir, { pid: process.pid, host: host.kind, since: given.now() })
    try {
      const accountSchemas = options.readOnly === undefined ? schemas : null
      const folder = openDataFolder(host, { given, random, accountSchemas })
      return createServices(folder, lock)
    } catch (error) {
      lock.release()
      throw error
    }
  })

  function createServices(folder: OpenDataFolder, lock: FolderLock) {
    const { changes, diskSpace, clock, redactor, settings, activity, report } = folder
    const jobs = createJobs(changes, clock, settings, activity)
    const mirrors = createMirrors(
      dataDir,
      schemas,
      (accountId, damage) => repairs.found(accountId, damage),
      clock,
    )
    const network = createNetwork({ given: host.network, settings, clock, activity })
    const accounts = createAccountServices({
      host,
      options,
      folder,
      mirrors,
      network: network.network,
      notices: () => notices,
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
    const notices = openNotices(folder, accounts)
    const { vault, sealedValues } = createProtection({ folder, mirrors, accounts, notices })
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
      diskSpace,
    }
    migrateAccounts(dataDir, folder, mirrors)
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
      ...controlWork({ folder, lock, accounts, vault, repairs, mirrors }),
    }
  }

  /** Creates the notices, and adds one if opening the data folder repaired files. */
  function openNotices(
    { database, changes, clock, settings, repaired }: OpenDataFolder,
    accounts: Accounts,
  ): Notices {
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
    return notices
  }

  /** The vault, and the values that it encrypts. */
  function createProtection({
    folder: { database, clock, changes, activity, safetyCopy, report },
    mirrors,
    accounts,
    notices,
  }: {
    folder: OpenDataFolder
    mirrors: MirrorFiles
    accounts: Accounts
    notices: Notices
  }) {
    const sealedValues = createSealedValueStore({
      dataDir,
      mirrors,
      schemas,
      reencryptFiles,
      accounts,
      removeUpdateBackups: () => removeUpdateBackups(dataDir),
    })
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
    return { vault, sealedValues }
  }

  /** Starts and stops the work of opened services, and resumes it when the disk has space again. */
  function controlWork({
    folder: { diskSpace, activity, safetyCopy, report, database },
    lock,
    accounts,
    vault,
    repairs,
    mirrors,
  }: {
    folder: OpenDataFolder
    lock: FolderLock
    accounts: Accounts
    vault: Pick<VaultFeature, 'start' | 'resumeRekeying'>
    repairs: ReturnType<typeof createFileRepairs>
    mirrors: MirrorFiles
  }) {
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
 * Migrates all accounts' files that an earlier Keydesk wrote, so that a failure leads to the backup
 * from before the update.
 */
function migrateAccounts(
  dataDir: string,
  { outdated, database }: OpenDataFolder,
  mirrors: MirrorFiles,
): void {
  if (outdated === null) return
  try {
    for (const accountId of outdated) mirrors.glance(accountId, () => {})
    recordUpdate(dataDir)
  } catch (error) {
    mirrors.close()
    database.close()
    throw error
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
