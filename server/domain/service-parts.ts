import { createAccounts } from './access/accounts.ts'
import { createCatalogue } from './catalogue/catalogue.ts'
import type { Context } from './context.ts'
import { createDelivery } from './delivery/delivery.ts'
import { createCompletions, createDeliveryWork } from './delivery/delivery-work.ts'
import { createDisputeSettlement } from './disputes/dispute-settlement.ts'
import { createDisputes } from './disputes/disputes.ts'
import { createGroupCommit } from './orders/group-commit.ts'
import { createFaults } from './faults/faults.ts'
import type { Parts } from './handlers/parts.ts'
import { createResponseExpiry, createKeyUseFlush } from './clock/housekeeping.ts'
import { createIdempotency } from './orders/idempotency.ts'
import { createApiKeys } from './access/api-keys.ts'
import { createLedger } from './ledger/ledger.ts'
import { createMarketService } from './market/market-service.ts'
import { createOffers } from './offers/offers.ts'
import { createOfferTerms } from './offers/offer-terms.ts'
import { createOrderRequests } from './orders/order-requests.ts'
import { createOrders } from './orders/orders.ts'
import type { Ids, Log, MachineClock, Random } from './ports/environment.ts'
import { noMarket, type SimulateMarket } from './ports/market.ts'
import type { Store } from './ports/store.ts'
import { reliableSupplier, type Supplier } from './ports/supplier.ts'
import type { WebhookNetwork } from './ports/webhooks.ts'
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

export interface ServicePartsOptions {
  store: Store
  /** The computer's time; the service adds its own offset. */
  clock: MachineClock
  ids: Ids
  random: Random
  log: Log
  /** The simulated people of the market. Without it the market is empty. */
  simulateMarket?: SimulateMarket
  supplier?: Supplier
  /** How webhook events are sent, and whether they may go to this computer. */
  webhookNetwork: WebhookNetwork
  /** Sends e-mails. Without it they are only stored. */
  post?: Post
}

/** The parts of a service, connected to each other. */
export function createServiceParts({
  store,
  clock: machine,
  ids,
  random,
  log,
  simulateMarket = noMarket,
  supplier = reliableSupplier,
  webhookNetwork,
  post,
}: ServicePartsOptions) {
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
    createResponseExpiry(context, idempotency),
    createKeyUseFlush(context, keys),
  ])
  const snapshots = createSnapshots(context, keys, () => ledger.proveAll().ok)

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

  return {
    parts,
    clock,
    faults,
    supply,
    completions,
    webhookSending,
    marketService,
    scheduler,
    snapshots,
  }
}

export type ServiceParts = ReturnType<typeof createServiceParts>
