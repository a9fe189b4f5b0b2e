import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from '../platform/host.ts'
import { accountsSchema, createAccounts } from './accounts/accounts.ts'
import { activitySchema, createActivity, createLog, createRedactor } from './activity/activity.ts'
import { replaceAtStart } from './backup/backup.ts'
import { createChanges } from './changes.ts'
import { systemClock } from './clock.ts'
import type { Clock } from './clock.ts'
import type { CoreContext } from './context.ts'
import { lockDataFolder } from './data-folder/lock.ts'
import { createReporter } from './data-folder/reporter.ts'
import { createDiskSpace, tryFolder } from './data-folder/disk-space.ts'
import { createJobs } from './jobs/jobs.ts'
import { createMirrors } from './mirror/mirrors.ts'
import { openDatabase } from './mirror/open-database.ts'
import { createRepairs } from './mirror/repairs.ts'
import type { FeatureSchema } from './mirror/schema.ts'
import { createNetwork } from './network/network.ts'
import { createNotices, noticesSchema } from './notices/notices.ts'
import { createAttention } from './polling/polling.ts'
import { systemRandomness } from './randomness.ts'
import type { Randomness } from './randomness.ts'
import { createServiceClient, serviceRates } from './service-client/service-client.ts'
import type { Rates } from './service-client/service-client.ts'
import { createSettings, settingsSchema } from './settings/settings.ts'
import { createSealedStock } from './vault/sealed-stock.ts'
import type { ScryptCost } from './vault/passphrase.ts'
import { createVault, vaultSchema } from './vault/vault.ts'

export type CoreOptions = {
  clock?: Clock
  random?: Randomness
  /** The rate limits to respect; null for a service without any (benchmarks). */
  rates?: Rates | null
  /** The cost of deriving a key from a passphrase, when it differs from the default. */
  passphraseCost?: ScryptCost
}

/** The tables of `keydesk.db`, which all accounts share. */
export const dataFolderSchemas = [
  accountsSchema,
  activitySchema,
  settingsSchema,
  vaultSchema,
  noticesSchema,
]

/** How often the request budget of a busy account is reported, in milliseconds. */
const budgetEveryMs = 1000

export type CoreServices = ReturnType<typeof createCoreServices>

/**
 * The services that all features depend on: the data folder, locked for this console, with its
 * databases, log, accounts, vault, and the context. Throws `DataFolderInUse` when another console
 * uses the folder, Failure `NEWER_DATA` when a newer Keydesk wrote it.
 *
 * @param schemas tables of the features in each account's mirror
 */
export function createCoreServices(
  host: Host,
  options: CoreOptions,
  schemas: readonly FeatureSchema[],
) {
  const { clock: given = systemClock, random = systemRandomness, rates = serviceRates } = options
  const { dataDir, keychain } = host
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32') chmodSync(dataDir, 0o700)
  const lock = lockDataFolder(dataDir, { pid: process.pid, host: host.kind, since: given.now() })
  try {
    return lay()
  } catch (error) {
    lock.release()
    throw error
  }

  function lay() {
    const replaced = replaceAtStart(dataDir)
    const database = openDatabase(join(dataDir, 'keydesk.db'), dataFolderSchemas)
    const changes = createChanges()
    const room = createDiskSpace({ clock: given, changes, tryOut: tryFolder(dataDir) })
    const clock = room.patient(given)
    const redactor = createRedactor()
    const settings = createSettings(database, changes)
    const activity = createActivity({
      database,
      clock,
      random,
      changes,
      redactor,
      keptDays: () => settings.get().activityDays,
      noted: room.isCausedBy,
    })
    if (replaced !== null)
      activity.add({
        accountId: null,
        what: 'Backup restored',
        detail: `From ${new Date(replaced.madeAt).toISOString()}; the previous data is in ${replaced.aside}`,
        outcome: 'ok',
        code: null,
        status: null,
        requestId: null,
        durationMs: null,
      })
    const report = createReporter({
      log: createLog(dataDir, clock, redactor),
      activity,
      random,
      room,
    })
    const jobs = createJobs(changes, clock, settings, activity)
    const mirrors = createMirrors(dataDir, schemas, (accountId, damage) =>
      repairs.found(accountId, damage),
    )
    const pulse = createPulse(clock, (accountId) => changes.notify('connection', accountId))
    const network = createNetwork({ given: host.network, settings, clock })
    const client = createServiceClient({
      clock,
      random,
      rates,
      network: network.network,
      activity: {
        add: (entry) => {
          activity.add(entry)
          if (entry.accountId !== null) pulse(entry.accountId)
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
      learn: redactor.learn,
      report,
      erase(accountId) {
        mirrors.remove(accountId)
        activity.removeAccount(accountId)
        notices.removeAccount(accountId)
        rmSync(join(dataDir, 'spool', accountId), { recursive: true, force: true })
        if (settings.get().currentAccountId === accountId)
          settings.change({ currentAccountId: null })
      },
    })
    const attention = createAttention(clock)
    const repairs = createRepairs({
      host,
      clock,
      activity,
      attention,
      changes,
      mirrors,
      accounts,
      report,
    })
    const stock = createSealedStock({ dataDir, mirrors, schemas, accounts })
    const vault = createVault({
      database,
      keychain,
      clock,
      random,
      changes,
      activity,
      values: stock,
      cost: options.passphraseCost,
      report,
    })
    const notices = createNotices({
      database,
      changes,
      clock,
      random,
      system: host.notifications,
      accountName: (accountId) => accounts.get(accountId).name,
      quiet: () => settings.get().quietNotices,
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
      connection: accounts.line,
      report,
      diskSpace: room,
    }
    // There is space again: resume interrupted work from what is stored, as after a kill.
    room.onRoom(() => {
      activity.flush()
      void vault.goOn()
      for (const { id } of accounts.list())
        void accounts.restart(id, () => {}).catch((error: unknown) => report('room', error))
    })
    return {
      context,
      accounts,
      vault,
      jobs,
      stock,
      settings,
      activity,
      notices,
      network,
      report,
      room,
      learn: redactor.learn,
      redactor,
      /** Rebuilds an account's mirror. Its journal is unaffected. */
      readAnew: (accountId: string): Promise<void> =>
        accounts.restart(accountId, () => mirrors.forget(accountId)),
      announce: lock.announce,
      /** Reads the keys and starts the background work of every account. */
      begin: async (): Promise<void> => {
        await Promise.all([vault.begin(), accounts.begin()])
        repairs.begin()
        void vault.goOn()
      },
      /** Stops the accounts' work. Their calls fail from now on. */
      quiet: (): void => {
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

/** Calls `tell` at most once per account every {@link budgetEveryMs}. */
function createPulse(clock: Clock, tell: (accountId: string) => void): (accountId: string) => void {
  const due = new Set<string>()
  return (accountId) => {
    if (due.has(accountId)) return
    due.add(accountId)
    clock.after(budgetEveryMs, () => {
      due.delete(accountId)
      tell(accountId)
    })
  }
}
