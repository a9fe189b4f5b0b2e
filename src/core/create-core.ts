import { implement } from '@orpc/server'
import { contract } from '../contract/index.ts'
import type { Contract } from '../contract/index.ts'
import type { Host } from '../platform/host.ts'
import { createAccountsRouter } from './accounts/router.ts'
import { openAccounts } from './accounts/accounts.ts'
import { createActivityRouter } from './activity/router.ts'
import { createAppRouter } from './app/router.ts'
import { createBackup } from './backup/backup.ts'
import { createBackupRouter } from './backup/router.ts'
import { balanceFeature } from './balance/balance.ts'
import { createBalanceRouter } from './balance/router.ts'
import { batchesFeature } from './batches/batches.ts'
import { createBatchesRouter, createCostsRouter } from './batches/router.ts'
import { catalogueFeature } from './catalogue/catalogue.ts'
import { createCatalogueRouter } from './catalogue/router.ts'
import { disputesFeature } from './dispute-dependencies.ts'
import { claimsFeature } from './claims/claims.ts'
import { claimRecordsFeature } from './claims/records.ts'
import { createClaimsRouter } from './claims/router.ts'
import { createDiagnostics } from './diagnostics/diagnostics.ts'
import { createDiagnosticsRouter } from './diagnostics/router.ts'
import { createDisputesRouter } from './disputes/router.ts'
import { createCoreServices } from './core-services.ts'
import type { CoreOptions, CoreServices } from './core-services.ts'
import { startProblemOf } from './data-folder/inspect/start-problem.ts'
import { keyImportFeature } from './key-import/key-import.ts'
import { createKeyImportRouter } from './key-import/router.ts'
import { createKeyHistory } from './key-history/key-history.ts'
import { createKeyHistoryRouter } from './key-history/router.ts'
import { featureScope, listFeatures } from './lifecycle/lifecycle.ts'
import type { Scope } from './lifecycle/lifecycle.ts'
import { createNetworkRouter } from './network/router.ts'
import { createNoticesRouter } from './notices/router.ts'
import { offersFeature } from './offers/offers.ts'
import { createOffersRouter } from './offers/router.ts'
import { ordersFeature } from './orders/orders.ts'
import { outboxFeature } from './outbox/outbox.ts'
import { dataFolderSchemas } from './open-data-folder.ts'
import { createOutboxRouter } from './outbox/router.ts'
import { outboxSenderFeature } from './outbox/sender.ts'
import { createOrdersRouter } from './orders/router.ts'
import { priceWatchFeature } from './price-watch/price-watch.ts'
import { priceRulesFeature } from './price-watch/rules/price-rules.ts'
import { createPriceWatchRouter } from './price-watch/router.ts'
import { isReading, passThrough, readOnlyGuard } from './data-folder/recovery/readable.ts'
import { createRecoveryRouter } from './data-folder/recovery/router.ts'
import { createPassphrases } from './passphrases/passphrases.ts'
import type { Passphrases } from './passphrases/passphrases.ts'
import { createPassphrasesRouter } from './passphrases/router.ts'
import { guard } from './rpc.ts'
import { createSalesRouter } from './sales/router.ts'
import { salesFeature } from './sales/sales.ts'
import { createSandboxRouter } from './sandbox/router.ts'
import { createSandbox } from './sandbox/sandbox.ts'
import type { Dashboard } from './sandbox/sandbox.ts'
import { onFirstCall } from './served.ts'
import type { ServedRouter } from './served.ts'
import { createSessionsRouter } from './sessions/router.ts'
import { createPageAccess } from './sessions/sessions.ts'
import { createSpendingRouter } from './spending/router.ts'
import { spendingFeature } from './spending/spending.ts'
import { busyWork } from './updates/busy.ts'
import { createUpdatesRouter } from './updates/router.ts'
import { createUpdates } from './updates/updates.ts'
import { createVaultService } from './vault/vault-service.ts'
import { createSecondProofRouter, createVaultRouter, requireSecondProof } from './vault/router.ts'
import { createWebhookInspectorRouter } from './webhook-inspector/router.ts'
import { webhookInspectorFeature } from './webhook-inspector/webhook-inspector.ts'

export { DataFolderInUse } from './data-folder/lock.ts'
export type { CoreOptions } from './core-services.ts'

/** The features of the core, each after the features that it needs. */
export const features = listFeatures<{ dashboard: Dashboard }>()
  .add(catalogueFeature)
  .add(outboxFeature)
  .add(priceRulesFeature)
  .add(offersFeature)
  .add(keyImportFeature)
  .add(claimRecordsFeature)
  .add(ordersFeature)
  .add(claimsFeature)
  .add(spendingFeature)
  .add(webhookInspectorFeature)
  .add(salesFeature)
  .add(balanceFeature)
  .add(priceWatchFeature)
  .add(batchesFeature)
  .add(disputesFeature)
  .add(outboxSenderFeature)

export interface Core {
  /** Every procedure of the contract. */
  readonly router: ServedRouter<Contract>
  /**
   * Shares the address of the screen, without any token, with consoles that are started later on
   * this data folder.
   */
  announce(address: string): void
  /**
   * Stops all work, including the sandbox, and releases the data folder. Stored work resumes at the
   * next start.
   */
  close(): Promise<void>
}

/**
 * The complete console except its screen: opens the data folder, starts the accounts' work, and
 * implements the contract. Throws `DataFolderInUse` when another console uses the folder,
 * `StartProblem` when Keydesk can't start with it.
 */
export async function createCore(host: Host, options: CoreOptions = {}): Promise<Core> {
  const services = createCoreServices(host, options, features)
  try {
    return await startCore(services, host, options)
  } catch (error) {
    services.quiet()
    services.close()
    throw startProblemOf(error, host.dataDir)
  }
}

/** Starts the features and the accounts' work on opened services. */
async function startCore(services: CoreServices, host: Host, options: CoreOptions): Promise<Core> {
  const { context, accounts, vault, settings, activity, jobs, report } = services
  const { changes, clock } = context

  const sandbox = createSandbox({
    dataDir: host.dataDir,
    backends: host.backends,
    accounts,
    settings,
    clock,
    changes,
    jobs,
    learn: services.learn,
    resync: services.rebuildMirror,
    report,
  })
  const started = features.start(context, { dashboard: sandbox.dashboard })
  const vaultService = createVaultService({
    context,
    host,
    vault,
    stock: services.stock,
    accounts: accounts.list,
    cost: options.passphraseCost,
  })
  const facts = accounts.summary('facts', [], (id) => started.facts(accounts.get(id)))
  accounts.onDuty((account) =>
    jobs.list().some(({ accountId }) => accountId === account.id) ? 'stay' : started.duty(account),
  )
  const passphrases = createPassphrases(context.random, () =>
    accounts.list().map(({ name }) => name),
  )
  const pageAccess = createPageAccess(context)
  const updatesScope = featureScope(context, 'updates')
  const updates = createCoreUpdates(services, started.apis, host, options, updatesScope)
  const closing = new AbortController()
  const router = guardedContract(services, started.apis, options).router(
    onFirstCall({
      ...featureRouters(context, started.apis),
      ...supportRouters(services, host, options, passphrases),
      app: () =>
        createAppRouter({
          host,
          settings,
          jobs,
          activity,
          changes,
          attention: context.attention,
          diskSpace: context.diskSpace,
          clock,
          closing: closing.signal,
        }),
      accounts: () =>
        createAccountsRouter(accounts, facts, (account) => ({
          keys: services.stock.keysOf(account.id),
          ...started.unfinished(account),
        })),
      vault: () => createVaultRouter({ ...vaultService, passphrases }),
      sandbox: () => createSandboxRouter(sandbox),
      sessions: () => createSessionsRouter(pageAccess),
      updates: () => createUpdatesRouter(updates),
    }),
  )

  await services.start()
  vaultService.start()
  if (options.readOnly === undefined) sandbox.begin()

  let closed: Promise<void> | undefined
  async function end(): Promise<void> {
    closing.abort()
    pageAccess.close()
    services.quiet()
    await Promise.allSettled([
      updatesScope.end(),
      started.end(),
      sandbox.close(),
      vaultService.end(),
    ])
    try {
      accounts.keepSummaries()
    } catch (error) {
      report('account summaries', error)
    }
    services.close()
  }
  return { router, announce: services.announce, close: () => (closed ??= end()) }
}

/** The contract behind the checks that every request passes. */
const guardedContract = (
  { accounts, settings, vault, report }: CoreServices,
  { keyImport }: FeatureApis,
  { readOnly }: CoreOptions,
) =>
  implement(contract)
    .use(guard(report))
    .use(readOnly === undefined ? passThrough : readOnlyGuard)
    .use(requireSecondProof(vault.secondProof))
    .use(
      openAccounts({
        accounts,
        currentId: () => settings.get().currentAccountId,
        isReading,
        accountOfImport: keyImport.accountOf,
      }),
    )

/** Updates of this program, which wait for running work; none while a copy is open. */
const createCoreUpdates = (
  services: CoreServices,
  apis: FeatureApis,
  host: Host,
  { readOnly }: CoreOptions,
  scope: Scope,
) =>
  createUpdates(
    {
      context: services.context,
      settings: services.settings,
      updates: readOnly === undefined ? host.updates : undefined,
    },
    scope,
    () => busyWork(services.jobs.list(), unansweredOrders(services, apis)),
  )

type FeatureApis = ReturnType<(typeof features)['start']>['apis']

/** How many orders of all partners wait for a response of the service. */
const unansweredOrders = ({ accounts }: CoreServices, { orders }: FeatureApis): number =>
  accounts
    .list()
    .filter(({ role }) => role === 'partner')
    .reduce((sum, { id }) => sum + orders.unanswered(id), 0)

/** The answers of the features that work on accounts. */
const featureRouters = (context: CoreServices['context'], apis: FeatureApis) => ({
  catalogue: () => createCatalogueRouter(apis.catalogue),
  offers: () => createOffersRouter(apis.offers),
  imports: () => createKeyImportRouter(apis.keyImport),
  batches: () => createBatchesRouter(apis.batches),
  costs: () => createCostsRouter(apis.batches),
  keyHistory: () => createKeyHistoryRouter(createKeyHistory(context, apis.batches)),
  orders: () => createOrdersRouter(apis.orders),
  claims: () => createClaimsRouter(apis.claims),
  spending: () => createSpendingRouter(apis.spending),
  webhookInspector: () => createWebhookInspectorRouter(apis.webhookInspector),
  outbox: () => createOutboxRouter(apis.outbox, apis.outboxSender),
  priceWatch: () => createPriceWatchRouter(apis.priceWatch),
  sales: () => createSalesRouter(apis.sales),
  disputes: () => createDisputesRouter(apis.disputes),
  balance: () => createBalanceRouter(apis.balance),
})

/** The answers about the data folder and its protection: logs, backups, repairs, passphrases. */
const supportRouters = (
  { context, accounts, vault, activity, report, ...services }: CoreServices,
  host: Host,
  options: CoreOptions,
  passphrases: Passphrases,
) => ({
  activity: () => createActivityRouter(activity),
  notices: () => createNoticesRouter(services.notices),
  network: () => createNetworkRouter(services.network),
  backup: () =>
    createBackupRouter(
      createBackup({
        context,
        vault,
        schemas: [...dataFolderSchemas, ...features.schemas],
        cost: options.passphraseCost,
        presentAddresses: () => new Map(accounts.list().map(({ id, baseUrl }) => [id, baseUrl])),
      }),
      passphrases,
    ),
  recovery: () =>
    createRecoveryRouter({
      host,
      clock: context.clock,
      readOnly: options.readOnly,
      report,
    }),
  diagnostics: () =>
    createDiagnosticsRouter(
      createDiagnostics({ context, activity, vault, redactor: services.redactor }),
    ),
  passphrases: () => createPassphrasesRouter(passphrases),
  secondProof: () => createSecondProofRouter(vault.secondProof, passphrases),
})
