import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { os } from '@orpc/server'
import type { Host } from '../platform/host.ts'
import { createAccounts, accountsSchema } from './accounts/accounts.ts'
import { createAccountsRouter } from './accounts/router.ts'
import { activitySchema, createActivity, createLog, createRedactor } from './activity/activity.ts'
import { createAppRouter } from './app/router.ts'
import { catalogueSchema, createCatalogue } from './catalogue/catalogue.ts'
import { createCatalogueRouter } from './catalogue/router.ts'
import { createChanges } from './changes.ts'
import { systemClock } from './clock.ts'
import type { Clock } from './clock.ts'
import type { CoreContext } from './context.ts'
import { lockDesk } from './desk/lock.ts'
import { createReporter } from './desk/reporter.ts'
import { createJobs } from './jobs/jobs.ts'
import { createMirrors } from './mirror/mirrors.ts'
import { openDatabase } from './mirror/open-database.ts'
import { createOffers, offersSchema } from './offers/offers.ts'
import { createOffersRouter } from './offers/router.ts'
import { createOrders, ordersSchema } from './orders/orders.ts'
import { createOrdersRouter } from './orders/router.ts'
import { systemRandomness } from './randomness.ts'
import type { Randomness } from './randomness.ts'
import { guard } from './rpc.ts'
import { createSandboxRouter } from './sandbox/router.ts'
import { createSandbox } from './sandbox/sandbox.ts'
import { createServiceClient, serviceRates } from './service-client/service-client.ts'
import type { Rates } from './service-client/service-client.ts'
import { createSettings, settingsSchema } from './settings/settings.ts'
import { createVaultRouter } from './vault/router.ts'
import { createVault, vaultSchema } from './vault/vault.ts'

export { DeskInUse } from './desk/lock.ts'
export type { DeskHolder } from './desk/lock.ts'

export type CoreOptions = {
  clock?: Clock
  random?: Randomness
  /** The rates to keep to; null for none, where the service has none either (benchmarks). */
  rates?: Rates | null
}

export type Core = Awaited<ReturnType<typeof createCore>>

/** How often the request budget of a busy account is told anew, in milliseconds. */
const budgetEveryMs = 1000

/**
 * The whole console but its screen: opens the data folder, starts the accounts' work, and answers the contract.
 * Throws `DeskInUse` when another console has the folder, Failure `NEWER_DATA` when a newer Keydesk wrote it.
 */
export async function createCore(host: Host, options: CoreOptions = {}) {
  const { clock = systemClock, random = systemRandomness, rates = serviceRates } = options
  const { dataDir } = host
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32') chmodSync(dataDir, 0o700)
  const lock = lockDesk(dataDir, { pid: process.pid, host: host.kind, since: clock.now() })
  try {
    return await openDesk()
  } catch (error) {
    lock.release()
    throw error
  }

  async function openDesk() {
    const database = openDatabase(join(dataDir, 'keydesk.db'), [accountsSchema, activitySchema, settingsSchema, vaultSchema])
    const changes = createChanges()
    const redactor = createRedactor()
    const activity = createActivity({ database, clock, random, changes, redactor })
    const report = createReporter({ log: createLog(dataDir, clock, redactor), activity, random })
    const settings = createSettings(database, changes)
    const jobs = createJobs(changes, clock)
    const mirrors = createMirrors(dataDir, [catalogueSchema, offersSchema, ordersSchema])
    const pulse = createPulse((accountId) => changes.tell('connection', accountId))
    const client = createServiceClient({
      clock, random, rates,
      activity: { add: (entry) => { activity.add(entry); if (entry.accountId !== null) pulse(entry.accountId) } },
    })
    const accounts = createAccounts({
      database, keychain: host.keychain, clock, random, changes, client, learn: redactor.learn, report,
      erase(accountId) {
        mirrors.remove(accountId)
        activity.removeAccount(accountId)
        rmSync(join(dataDir, 'spool', accountId), { recursive: true, force: true })
        if (settings.get().currentAccountId === accountId) settings.change({ currentAccountId: null })
      },
    })
    const vault = createVault({ database, keychain: host.keychain, clock, random, changes, entries: () => keysKept() })
    const context: CoreContext = { host, clock, random, changes, accounts, vault, mirrors, jobs, activity, settings, line: accounts.line, report }
    const sandbox = createSandbox({ dataDir, backends: host.backends, accounts, settings, clock, changes, learn: redactor.learn, report })

    const catalogue = createCatalogue(context)
    const offers = createOffers(context)
    const orders = createOrders(context, catalogue.orderable)

    accounts.describe(({ id, role }) => {
      if (role !== 'partner') return {}
      const { balance, orders: count } = orders.summary(id)
      return { balance, counts: { orders: count } }
    })
    const keysKept = (): number => accounts.list().reduce((sum, { id, role }) => sum + (role === 'partner' ? orders.keysKept(id) : 0), 0)

    const closing = new AbortController()
    const router = os.use(guard(report)).router({
      app: createAppRouter({ host, settings, jobs, activity, changes, closing: closing.signal }),
      accounts: createAccountsRouter(accounts),
      vault: createVaultRouter(vault),
      sandbox: createSandboxRouter(sandbox),
      catalogue: createCatalogueRouter(catalogue),
      offers: createOffersRouter(offers),
      orders: createOrdersRouter(orders),
    })

    await Promise.all([vault.begin(), accounts.begin()])
    sandbox.begin()

    let closed: Promise<void> | undefined
    async function end(): Promise<void> {
      closing.abort()
      accounts.close()
      await Promise.allSettled([offers.close(), catalogue.close(), orders.close(), sandbox.close()])
      activity.close()
      mirrors.close()
      database.close()
      lock.release()
    }
    return {
      /** Every procedure of the contract. */
      router,
      /** Tells later consoles of this data folder where the screen is; without any token. */
      announce: (address: string): void => lock.announce(address),
      /** Ends all work, the sandbox too, and lets go of the data folder. What was written down goes on at the next start. */
      close: (): Promise<void> => (closed ??= end()),
    }
  }

  /** At most one call per account and {@link budgetEveryMs}. */
  function createPulse(tell: (accountId: string) => void): (accountId: string) => void {
    const due = new Set<string>()
    return (accountId) => {
      if (due.has(accountId)) return
      due.add(accountId)
      clock.after(budgetEveryMs, () => { due.delete(accountId); tell(accountId) })
    }
  }
}
