import type { Access } from '../api/access.ts'
import type { Handlers } from '../api/handlers.ts'
import { createAccounts } from './access/accounts.ts'
import { createCatalogue } from './catalogue/catalogue.ts'
import type { Context } from './context.ts'
import { createDelivery } from './delivery/delivery.ts'
import { createCompletions, createDeliveryWork } from './delivery/delivery-work.ts'
import { type DemoKeys, issueDemoKeys } from './access/demo-keys.ts'
import { createDisputeSettlement } from './disputes/dispute-settlement.ts'
import { createDisputes } from './disputes/disputes.ts'
import { createGroupCommit } from './orders/group-commit.ts'
import { createFaults, type Faults } from './faults/faults.ts'
import { dashboardAccountHandlers } from './handlers/dashboard-accounts.ts'
import { dashboardBalanceHandlers } from './handlers/dashboard-balance.ts'
import { dashboardControlHandlers } from './handlers/dashboard-control.ts'
import { disputeHandlers } from './handlers/disputes.ts'
import { faultHandlers } from './handlers/faults.ts'
import { marketHandlers } from './handlers/market.ts'
import { partnerHandlers } from './handlers/partner.ts'
import type { Parts } from './handlers/parts.ts'
import { sellerHandlers } from './handlers/seller.ts'
import { sellerMoneyHandlers } from './handlers/seller-money.ts'
import { snapshotHandlers } from './handlers/snapshots.ts'
import { webhookHandlers } from './handlers/webhooks.ts'
import { createAnswerExpiry, createKeyUseFlush } from './clock/housekeeping.ts'
import { createIdempotency } from './orders/idempotency.ts'
import { createApiKeys } from './access/api-keys.ts'
import { createLedger } from './ledger/ledger.ts'
import { reachCrashPoint } from './crash-points.ts'
import { createMarketService } from './market/market-service.ts'
import { createOffers } from './offers/offers.ts'
import { createOfferTerms } from './offers/offer-terms.ts'
import { createOrderRequests } from './orders/order-requests.ts'
import { createOrders } from './orders/orders.ts'
import type { Clock, Ids, Log, MachineClock, Random } from './ports/environment.ts'
import { noMarket, type SimulateMarket } from './ports/market.ts'
import type { Store } from './ports/store.ts'
import { reliableSupplier, type Supplier } from './ports/supplier.ts'
import type { WebhookNetwork } from './ports/webhooks.ts'
import type { SnapshotFacts } from './ports/snapshots.ts'
import type { SeedWorld, WorldOptions } from './ports/world.ts'
import { createProductEditing } from './catalogue/product-editing.ts'
import { createEarningReleases } from './ledger/earning-releases.ts'
import { createScheduler } from './clock/scheduler.ts'
import { createServiceClock } from './clock/service-clock.ts'
import { createSnapshots } from './snapshots/snapshots.ts'
import { createStock } from './stock/stock.ts'
import { createSupply } from './catalogue/supply.ts'
import { createTopUps } from './ledger/top-ups.ts'
import type { Post } from './ports/post.ts'
import { createWebhookRetention } from './webhooks/webhook-retention.ts'
import { createWebhookSending } from './webhooks/webhook-sending.ts'
import { createWebhooks } from './webhooks/webhooks.ts'
import { createWorldBuilder } from './world/world-builder.ts'

export interface ServiceOptions {
  store: Store
  /** The computer's time; the service adds its own offset. */
  clock: MachineClock
  ids: Ids
  random: Random
  log: Log
  /** Fills an empty database. */
  seedWorld: SeedWorld
  /** The simulated people of the market. Without it the market is empty. */
  simulateMarket?: SimulateMarket
  supplier?: Supplier
  /** How webhook events are sent, and whether they may go to this computer. */
  webhookNetwork: WebhookNetwork
  /** Sends e-mails. Without it they are only stored. */
  post?: Post
}

export interface Service {
  readonly handlers: Handlers
  readonly access: Access
  /** The service's time, for everything that depends on it, including rate windows. */
  readonly clock: Clock
  /** The faults injected into requests. */
  readonly faults: Pick<Faults, 'takeFor'>
  /**
   * Seeds an empty database, proves the ledger since its last checkpoint (throws
   * LedgerBrokenError), issues the demo accounts' keys, and starts to run due work. Orders that a
   * kill interrupted are finished.
   */
  start(world: WorldOptions): { demo: DemoKeys | null }
  /**
   * Responds to waiting callers, ends the current work and stores when keys were last used. The
   * store stays open.
   */
  stop(): Promise<void>
}

/** The books do not add up, so nothing may be sold from this database. */
export class LedgerBrokenError extends Error {
  override readonly name = 'LedgerBrokenError'
}

/** The complete service on top of a store. */
export function createService({
  store,
  clock: machine,
  ids,
  random,
  log,
  seedWorld,
  simulateMarket = noMarket,
  supplier = reliableSupplier,
  webhookNetwork,
  post,
}: ServiceOptions): Service {
  const clock = createServiceClock(machine, store.settings)
  const context: Context = { store, clock, ids, random, log }
  const supply = createSupply(context)
  const faults = createFaults(random)
  const suppliers: Supplier = {
    down: () => faults.supplier.down() || supplier.down(),
    failsUnit: (productId) => faults.supplier.failsUnit(productId) || supplier.failsUnit(productId),
  }
  const ledger = createLedger(store)
  const keys = createApiKeys(context)
  const terms = createOfferTerms(context)
  const offers = createOffers(context, supply, terms)
  const orders = createOrders(context, ledger, supply, suppliers)
  const idempotency = createIdempotency(context)
  const completions = createCompletions()
  const webhookSending = createWebhookSending(context, webhookNetwork.send, () => scheduler.wake())
  const webhookRetention = createWebhookRetention(context)
  const webhooks = createWebhooks(context, webhookNetwork.loopback, (partnerId) => {
    webhookSending.changed(partnerId)
    webhookRetention.noteGrowth(partnerId)
    scheduler.wake()
  })
  const deliveries = createDeliveryWork(
    context,
    createDelivery(context, ledger, supply, suppliers),
    completions,
    webhooks.orderFinal,
  )
  const releases = createEarningReleases(context, ledger)
  const disputes = createDisputes(context, releases)
  const marketService = createMarketService(
    context,
    { ledger, supply, terms, supplier: suppliers, releases, webhooks },
    simulateMarket,
  )
  const scheduler = createScheduler(context, [
    deliveries,
    releases,
    disputes.escalations,
    marketService.market,
    webhookSending,
    webhookRetention,
    createAnswerExpiry(context, idempotency),
    createKeyUseFlush(context, keys),
  ])
  const snapshots = createSnapshots(context, keys, () => ledger.proveAll().ok)
  let world: WorldOptions = { seed: 'empty', products: 0 }

  const parts: Parts = {
    context,
    disputes,
    idempotency,
    keys,
    ledger,
    offers,
    orders,
    terms,
    accounts: createAccounts(context, supply, terms, keys.forget),
    catalogue: createCatalogue(context, supply),
    editing: createProductEditing(context, supply, terms),
    orderRequests: createOrderRequests(
      context,
      orders,
      idempotency,
      completions,
      createGroupCommit(store),
      scheduler.wake,
    ),
    settlement: createDisputeSettlement(context, ledger, supply, releases),
    stock: createStock(context, supply, offers),
    topUps: createTopUps(context, ledger, {
      credited: webhooks.credited,
      mailed: (mail) => post?.send(mail),
    }),
    webhooks,
  }

  function seed(options: WorldOptions): void {
    seedWorld(createWorldBuilder(context, ledger, supply, terms), options)
    reachCrashPoint('seed.written')
    store.settings.set('seeded', options.seed)
  }

  /** Refreshes everything that is cached outside the store. */
  function reload(): void {
    clock.reload()
    supply.reload()
    ledger.reload()
    keys.forget()
    webhookSending.reload()
    completions.closeAll()
  }

  /** Replaces the state while no due work runs. */
  async function replaceState<T>(work: () => T): Promise<T> {
    await scheduler.stop()
    await webhookSending.abort()
    try {
      return work()
    } finally {
      reload()
      scheduler.start()
    }
  }

  const restore = (name: string): Promise<SnapshotFacts> =>
    replaceState(() => snapshots.restore(name))

  async function reset(options: Partial<WorldOptions>): Promise<DemoKeys | null> {
    faults.set([])
    await replaceState(() =>
      store.transaction(() => {
        store.clear()
        reachCrashPoint('reset.emptied')
        clock.reload()
        supply.reload()
        seed({ ...world, ...options })
        reachCrashPoint('reset.seeded')
      }),
    )
    return issueDemoKeys(context, keys)
  }

  return {
    clock,
    faults,
    access: keys,
    handlers: {
      ...partnerHandlers(parts),
      ...sellerHandlers(parts),
      ...sellerMoneyHandlers(parts),
      ...disputeHandlers(parts),
      ...webhookHandlers(parts),
      ...faultHandlers(faults),
      ...marketHandlers(store, marketService, scheduler.wake),
      ...snapshotHandlers(snapshots, restore),
      ...dashboardAccountHandlers(parts),
      ...dashboardBalanceHandlers(parts),
      ...dashboardControlHandlers(parts, { clock, scheduler, reset }),
    },
    start(options) {
      world = options
      if (store.bulk.isEmpty()) {
        store.transaction(() => seed(options))
        reload()
      }
      const proof = ledger.proveRecent()
      if (!proof.ok) throw new LedgerBrokenError(`The ledger is broken: ${proof.problem ?? ''}.`)
      ledger.checkpoint()
      const demo = issueDemoKeys(context, keys)
      scheduler.start()
      return { demo }
    },
    async stop() {
      completions.closeAll()
      await scheduler.stop()
      await webhookSending.abort()
      keys.flush()
      ledger.checkpoint()
    },
  }
}
