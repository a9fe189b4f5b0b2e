import { join } from 'node:path'
import { implement } from '@orpc/server'
import { contract } from '../contract/index.ts'
import type { Contract } from '../contract/index.ts'
import type { Host } from '../platform/host.ts'
import { createAccountsRouter } from './accounts/router.ts'
import { createActivityRouter } from './activity/router.ts'
import { createAppRouter } from './app/router.ts'
import { createBackup } from './backup/backup.ts'
import { createBackupRouter } from './backup/router.ts'
import { balanceSchemas, createBalance } from './balance/balance.ts'
import { createBalanceRouter } from './balance/router.ts'
import { batchesSchema, createBatches } from './batches/batches.ts'
import { createBatchesRouter } from './batches/router.ts'
import { catalogueSchema, createCatalogue } from './catalogue/catalogue.ts'
import { createCatalogueRouter } from './catalogue/router.ts'
import { createDisputeDependencies } from './dispute-dependencies.ts'
import { claimsSchema, createClaims } from './claims/claims.ts'
import { createClaimsRouter } from './claims/router.ts'
import { createDiagnostics } from './diagnostics/diagnostics.ts'
import { createDiagnosticsRouter } from './diagnostics/router.ts'
import { createDisputes, disputesSchemas } from './disputes/disputes.ts'
import { createDisputesRouter } from './disputes/router.ts'
import { createCoreServices, dataFolderSchemas } from './core-services.ts'
import type { CoreOptions } from './core-services.ts'
import { createKeyImport, importsSchemas, resealSpool } from './key-import/key-import.ts'
import { createKeyImportRouter } from './key-import/router.ts'
import { createKeyHistory } from './key-history/key-history.ts'
import { createKeyHistoryRouter } from './key-history/router.ts'
import { createNetworkRouter } from './network/router.ts'
import { createNoticesRouter } from './notices/router.ts'
import { createOffers, offersSchemas } from './offers/offers.ts'
import { createOffersRouter } from './offers/router.ts'
import { createOrders, ordersSchemas } from './orders/orders.ts'
import { createOutbox, outboxSchema } from './outbox/outbox.ts'
import { createOutboxRouter } from './outbox/router.ts'
import { createOrdersRouter } from './orders/router.ts'
import { createPriceWatch, priceWatchSchema } from './price-watch/price-watch.ts'
import { createPriceWatchRouter } from './price-watch/router.ts'
import { guard } from './rpc.ts'
import { createSalesRouter } from './sales/router.ts'
import { createSales, salesSchema } from './sales/sales.ts'
import { createSandboxRouter } from './sandbox/router.ts'
import { createSandbox } from './sandbox/sandbox.ts'
import type { ServedRouter } from './served.ts'
import { createSpendingRouter } from './spending/router.ts'
import { createSpending, spendingSchema } from './spending/spending.ts'
import { createVaultService } from './vault/vault-service.ts'
import { createVaultRouter } from './vault/router.ts'
import { createWebhookInspectorRouter } from './webhook-inspector/router.ts'
import { createWebhookInspector } from './webhook-inspector/webhook-inspector.ts'

export { DataFolderInUse } from './data-folder/lock.ts'
export type { CoreOptions } from './core-services.ts'

/** The tables that features store for each account. */
export const accountSchemas = [
  catalogueSchema,
  ...offersSchemas,
  ...importsSchemas,
  batchesSchema,
  ...ordersSchemas,
  claimsSchema,
  spendingSchema,
  outboxSchema,
  salesSchema,
  ...disputesSchemas,
  ...balanceSchemas,
  priceWatchSchema,
]

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
 * implements the contract. Throws `DataFolderInUse` when another console uses the folder, Failure
 * `NEWER_DATA` when a newer Keydesk wrote it.
 */
export async function createCore(host: Host, options: CoreOptions = {}): Promise<Core> {
  const services = createCoreServices(host, options, accountSchemas)
  const { context, accounts, vault, settings, activity, jobs, report } = services
  const { changes, clock } = context

  const sandbox = createSandbox({
    dataDir: host.dataDir,
    backends: host.backends,
    accounts,
    settings,
    clock,
    changes,
    learn: services.learn,
    resync: services.rebuildMirror,
    report,
  })
  const catalogue = createCatalogue(context)
  const outbox = createOutbox(context)
  const offers = createOffers(context, outbox)
  const imports = createKeyImport(context, offers, catalogue)
  const orders = createOrders(context, catalogue.orderable)
  const claims = createClaims(context, orders.access, sandbox.dashboard)
  const spending = createSpending(context, orders.access, sandbox.dashboard)
  const webhookInspector = createWebhookInspector(context, sandbox.dashboard)
  const sales = createSales(context)
  const balance = createBalance(context)
  const priceWatch = createPriceWatch(context, { offers, outbox })
  const batches = createBatches(context)
  const disputes = createDisputes(
    context,
    outbox,
    createDisputeDependencies({ context, offers, balance, batches, dashboard: sandbox.dashboard }),
  )

  accounts.addFacts(({ id, role }) => {
    if (role !== 'partner') return {}
    const { balance, orders: count } = orders.summary(id)
    return { balance, counts: { orders: count } }
  })
  services.stock.onReencrypt((accountId, reseal) =>
    resealSpool(join(host.dataDir, 'spool', accountId), accountId, reseal),
  )
  const vaultService = createVaultService({
    context,
    host,
    vault,
    stock: services.stock,
    accounts: accounts.list,
    cost: options.passphraseCost,
  })

  const closing = new AbortController()
  const router = implement(contract)
    .use(guard(report))
    .router({
      app: createAppRouter({
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
      activity: createActivityRouter(activity),
      backup: createBackupRouter(
        createBackup({
          context,
          vault,
          schemas: [...dataFolderSchemas, ...accountSchemas],
          cost: options.passphraseCost,
        }),
      ),
      diagnostics: createDiagnosticsRouter(
        createDiagnostics({ context, activity, vault, redactor: services.redactor }),
      ),
      accounts: createAccountsRouter(accounts),
      vault: createVaultRouter(vaultService),
      sandbox: createSandboxRouter(sandbox),
      catalogue: createCatalogueRouter(catalogue),
      offers: createOffersRouter(offers),
      notices: createNoticesRouter(services.notices),
      network: createNetworkRouter(services.network),
      imports: createKeyImportRouter(imports),
      batches: createBatchesRouter(batches),
      keyHistory: createKeyHistoryRouter(createKeyHistory(context, batches)),
      orders: createOrdersRouter(orders),
      claims: createClaimsRouter(claims),
      spending: createSpendingRouter(spending),
      webhookInspector: createWebhookInspectorRouter(webhookInspector),
      outbox: createOutboxRouter(outbox),
      priceWatch: createPriceWatchRouter(priceWatch),
      sales: createSalesRouter(sales),
      disputes: createDisputesRouter(disputes),
      balance: createBalanceRouter(balance),
    })

  await services.start()
  vaultService.start()
  sandbox.begin()

  let closed: Promise<void> | undefined
  async function end(): Promise<void> {
    closing.abort()
    batches.close()
    services.quiet()
    await Promise.allSettled([
      priceWatch.close(),
      imports.close(),
      offers.close(),
      catalogue.close(),
      webhookInspector.close(),
      orders.close(),
      claims.close(),
      spending.close(),
      outbox.close(),
      sales.close(),
      disputes.close(),
      balance.close(),
      sandbox.close(),
      vaultService.end(),
    ])
    services.close()
  }
  return { router, announce: services.announce, close: () => (closed ??= end()) }
}
