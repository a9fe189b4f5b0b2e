import { createAccounts } from './access/accounts.ts'
import { createCatalogue } from './catalogue/catalogue.ts'
import type { Context } from './context.ts'
import { createDelivery } from './delivery/delivery.ts'
import {
  type Completions,
  createCompletions,
  createDeliveryWork,
} from './delivery/delivery-work.ts'
import { createDisputeSettlement } from './disputes/dispute-settlement.ts'
import { createDisputes } from './disputes/disputes.ts'
import { createGroupCommit } from './orders/group-commit.ts'
import { createFaults, type Faults } from './faults/faults.ts'
import { createListPages } from './handlers/list-pages.ts'
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
import { reliableSupplier, type Supplier } from './ports/ordering/supplier.ts'
import type { WebhookNetwork } from './ports/ordering/webhooks.ts'
import { createProductEditing } from './catalogue/product-editing.ts'
import { createEarningReleases, type EarningReleases } from './ledger/earning-releases.ts'
import { createScheduler } from './clock/scheduler.ts'
import { createServiceClock } from './clock/service-clock.ts'
import { createSnapshots } from './snapshots/snapshots.ts'
import { createStock } from './stock/stock.ts'
import { createSupply, type Supply } from './catalogue/supply.ts'
import { createTopUps } from './ledger/top-ups.ts'
import type { Post } from './ports/post.ts'
import { createWebhookRetention } from './webhooks/webhook-retention.ts'
import { createWebhookSending } from './webhooks/webhook-sending.ts'
import { createWebhooks } from './webhooks/webhooks.ts'

export interface ServicePartsOptions {
  store: Store
  /** The computer's time; the service adds its own offset. */
  clock: MachineClock
  /** The time that receivers of webhooks compare with their own; `clock` by default. */
  receiverClock?: MachineClock
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

/** A supplier that also fails when the dashboard injected a fault. */
const supplierWithFaults = (supplier: Supplier, faults: Faults): Supplier => ({
  down: () => faults.supplier.down() || supplier.down(),
  failsUnit: (productId) => faults.supplier.failsUnit(productId) || supplier.failsUnit(productId),
})

/** Webhooks, and the due work that sends and forgets their deliveries. */
function createWebhookParts(context: Context, network: WebhookNetwork, wake: () => void) {
  const webhookSending = createWebhookSending(context, network.send, wake)
  const webhookRetention = createWebhookRetention(context)
  const webhooks = createWebhooks(context, network.loopback, (partnerId, resent) => {
    webhookSending.changed(partnerId, resent)
    webhookRetention.noteGrowth(partnerId)
    wake()
  })
  return { webhookSending, webhookRetention, webhooks }
}

type SharedParts = Pick<
  Parts,
  | 'context'
  | 'disputes'
  | 'idempotency'
  | 'keys'
  | 'ledger'
  | 'offers'
  | 'orders'
  | 'terms'
  | 'webhooks'
>

/** Parts that handlers don't call themselves. */
interface HiddenParts {
  supply: Supply
  releases: EarningReleases
  completions: Completions
  wake: () => void
  post: Post | undefined
}

/** The parts that the handlers use: those shared with due work, and their own. */
function createHandlerParts(
  shared: SharedParts,
  { supply, releases, completions, wake, post }: HiddenParts,
): Parts {
  const { context, idempotency, keys, ledger, offers, orders, terms, webhooks } = shared
  return {
    ...shared,
    listPages: createListPages(context.store),
    accounts: createAccounts(context, supply, terms, keys.forget),
    catalogue: createCatalogue(context, supply),
    editing: createProductEditing(context, supply, terms),
    orderRequests: createOrderRequests(
      context,
      orders,
      idempotency,
      completions,
      createGroupCommit(context.store),
      wake,
    ),
    settlement: createDisputeSettlement(context, ledger, supply, releases),
    stock: createStock(context, supply, offers),
    topUps: createTopUps(context, ledger, {
      credited: webhooks.credited,
      mailed: (mail) => post?.send(mail),
    }),
  }
}

/** The parts of a service, connected to each other. */
export function createServiceParts({
  store,
  clock: machine,
  receiverClock = machine,
  ids,
  random,
  log,
  simulateMarket = noMarket,
  supplier = reliableSupplier,
  webhookNetwork,
  post,
}: ServicePartsOptions) {
  const clock = createServiceClock(machine, store.settings)
  const context: Context = { store, clock, machine, receiverClock, ids, random, log }
  const supply = createSupply(context)
  const faults = createFaults(random)
  const suppliers = supplierWithFaults(supplier, faults)
  const ledger = createLedger(store)
  const keys = createApiKeys(context)
  const terms = createOfferTerms(context)
  const offers = createOffers(context, supply, terms)
  const orders = createOrders(context, ledger, supply, suppliers)
  const idempotency = createIdempotency(context)
  const completions = createCompletions()
  const { webhookSending, webhookRetention, webhooks } = createWebhookParts(
    context,
    webhookNetwork,
    () => scheduler.wake(),
  )
  const deliveries = createDeliveryWork(
    context,
    createDelivery(context, ledger, supply, suppliers),
    completions,
    webhooks.orderFinal,
  )
  const releases = createEarningReleases(context, ledger)
  const disputes = createDisputes(context, releases, (id, at) => {
    context.store.market.wakeDispute(id, at)
    scheduler.wake()
  })
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
  const snapshots = createSnapshots(context, store.snapshots, keys)

  const parts = createHandlerParts(
    { context, disputes, idempotency, keys, ledger, offers, orders, terms, webhooks },
    { supply, releases, completions, wake: scheduler.wake, post },
  )

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
    openEmptyState: store.snapshots.openEmpty,
    openKeptState: store.snapshots.openKept,
  }
}

export type ServiceParts = ReturnType<typeof createServiceParts>
