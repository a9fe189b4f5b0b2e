import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Account, Removal } from '../contract/app/accounts.ts'
import type { Host } from '../platform/host.ts'
import type { Network } from '../platform/network.ts'
import { createAccounts, createHeldAddresses, createSandboxProof } from './accounts/accounts.ts'
import type { Accounts } from './accounts/accounts.ts'
import type { Activity } from './activity/activity.ts'
import { removeFromUpdateBackups } from './backup/backup.ts'
import type { Clock } from './clock.ts'
import type { MirrorFiles } from './mirror/files/mirrors.ts'
import type { Notices } from './notices/notices.ts'
import type { OpenDataFolder } from './open-data-folder.ts'
import { systemRandomness } from './randomness.ts'
import type { Randomness } from './randomness.ts'
import { createServiceClient, serviceRates } from './service-client/service-client.ts'
import type { Rates } from './service-client/service-client.ts'
import type { SettingsStore } from './settings/settings.ts'

/** Maximum number of accounts with open files, about twelve each. */
const accountSeats = 14
/** How often the request budget of a busy account is reported, in milliseconds. */
const budgetIntervalMs = 1000

/**
 * The account registry, with the connection to the service. Deletes the local data of removed
 * accounts.
 *
 * @param notices read when an account is removed, because notices need the names of accounts
 */
export function createAccountServices({
  host,
  options: { random = systemRandomness, rates = serviceRates, accountSeats: seats },
  folder,
  mirrors,
  network,
  notices,
}: {
  host: Host
  options: { random?: Randomness; rates?: Rates | null; accountSeats?: number }
  folder: OpenDataFolder
  mirrors: MirrorFiles
  network: Network | undefined
  notices: () => Notices
}): Accounts {
  const { dataDir } = host
  const { database, changes, clock, redactor, settings, activity, report, safetyCopy } = folder
  return createAccounts({
    database,
    keychain: host.keychain,
    clock,
    random,
    changes,
    client: createReportingClient(folder, { random, rates, network }),
    safetyCopy,
    heldAddresses: createHeldAddresses(settings),
    proveSandbox: createSandboxProof(host.sandboxKeysDir),
    registerSecret: redactor.addSecret,
    report,
    files: mirrors,
    seats: seats ?? accountSeats,
    currentId: () => settings.get().currentAccountId,
    deleteData: (account, removal) =>
      deleteAccountData(
        { dataDir, mirrors, activity, notices: notices(), settings },
        account,
        removal,
      ),
  })
}

/** The connection to the service, which records its calls and reports an account's new ones. */
function createReportingClient(
  { clock, activity, changes }: OpenDataFolder,
  options: { random: Randomness; rates: Rates | null; network: Network | undefined },
) {
  const notifyConnection = createPacedNotifier(clock, (accountId) =>
    changes.notify('connection', accountId),
  )
  return createServiceClient({
    ...options,
    clock,
    activity: {
      add: (entry) => {
        activity.add(entry)
        if (entry.accountId !== null) notifyConnection(entry.accountId)
      },
    },
  })
}

interface AccountStores {
  dataDir: string
  mirrors: MirrorFiles
  activity: Activity
  notices: Notices
  settings: SettingsStore
}

/**
 * Deletes an account's data except its record and key. With `removal`, a person removed it: its
 * activity is kept.
 */
function deleteAccountData(
  { dataDir, mirrors, activity, notices, settings }: AccountStores,
  account: Account,
  removal: Removal | null,
): void {
  const { id: accountId } = account
  mirrors.remove(accountId)
  removeFromUpdateBackups(dataDir, accountId)
  if (removal === null) activity.removeAccount(accountId)
  else activity.retireAccount(account, removal)
  notices.removeAccount(accountId)
  rmSync(join(dataDir, 'spool', accountId), { recursive: true, force: true })
  if (settings.get().currentAccountId === accountId) settings.change({ currentAccountId: null })
}

/** Calls `notify` at most once per account every {@link budgetIntervalMs}. */
function createPacedNotifier(
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
