import { createHash } from 'node:crypto'
import { ApiError } from '../../api/errors.ts'
import { type Cents, cents } from '../../api/money.ts'
import type { Repositories } from '../ports/repositories.ts'
import type { Accounts } from '../access/accounts.ts'
import type { Context } from '../context.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { DisputeSettlement } from '../disputes/dispute-settlement.ts'
import type { Disputes } from '../disputes/disputes.ts'
import { createIds } from '../environment/ids.ts'
import { checkKeys } from '../stock/key-rules.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Offers } from '../offers/offers.ts'
import type { Orders } from '../orders/orders.ts'
import type { Ids, Random } from '../ports/environment.ts'
import type {
  MarketActor,
  MarketPurchase,
  MarketRun,
  MarketSeller,
  MarketWorld,
} from '../ports/market.ts'
import type { OrderRecord } from '../ports/ordering/orders.ts'
import { deliverableFrom } from '../delivery/release-date.ts'
import type { Stock } from '../stock/stock.ts'
import type { TopUps } from '../ledger/top-ups.ts'

/** How many contested products a seller checks. The others count as the rest of the catalogue. */
const MAX_CONTESTED = 400
/** The minimum top-up of a shop. */
const MIN_TOP_UP = cents(500_000)

/**
 * The event being executed: its time, and the run it belongs to, which is saved with its effects.
 */
export interface CurrentEvent {
  at: number
  run: MarketRun
}

/**
 * Ids in the usual format whose random part is derived from seed and count, so that the same run
 * makes the same ids.
 */
export function createMarketIds(currentEvent: () => CurrentEvent): Ids {
  const random: Random = {
    bytes(count) {
      const { run } = currentEvent()
      run.idsMade += 1
      return createHash('shake256', { outputLength: count })
        .update(`${run.seed} ${run.idsMade}`)
        .digest()
    },
  }
  return createIds({ now: () => currentEvent().at }, random)
}

/** The parts of the service through which the market acts, created with its own clock and ids. */
export interface MarketParts {
  context: Context
  accounts: Accounts
  offers: Offers
  stock: Stock
  orders: Orders
  delivery: Delivery
  ledger: Ledger
  topUps: TopUps
  disputes: Disputes
  settlement: DisputeSettlement
  /** Called inside the transaction for each order that has become final. */
  orderFinal(order: OrderRecord, at: number): void
}

/** Buys as a shop does: tops up when the balance is short, orders, and downloads the keys. */
function createPurchases(
  { context: { store }, ledger, topUps, orders, delivery, orderFinal }: MarketParts,
  currentEvent: () => CurrentEvent,
) {
  function topUp(partnerId: string, needed: Cents): void {
    const partner = store.accounts.partner(partnerId)
    if (!partner || ledger.partnerBalance(partnerId, 'live') >= needed) return
    const { at, run } = currentEvent()
    run.idsMade += 1
    topUps.credit(partner, 'live', cents(Math.max(MIN_TOP_UP, needed)), `MARKET-${run.idsMade}`, at)
  }

  return (
    partnerId: string,
    productId: string,
    qty: number,
    maxUnitPrice: Cents,
  ): MarketPurchase => {
    const { at, run } = currentEvent()
    topUp(partnerId, cents(maxUnitPrice * qty))
    run.idsMade += 1
    const accepted = orders.accept(
      partnerId,
      'live',
      { externalId: `WEB-${run.idsMade}`, items: [{ productId, qty, maxUnitPrice }] },
      at,
    )
    const order = delivery.deliver(accepted, at)
    if (order.status !== 'processing') orderFinal(order, at)
    const keyIds = store.orders.delivered(order.no).map(({ id }) => id)
    if (keyIds.length > 0) store.orders.markDownloaded(order.no, at)
    return { orderId: order.id, keyIds }
  }
}

/** The sellers and shops that the market operates. */
function createActors(
  { context: { store }, accounts }: MarketParts,
  currentEvent: () => CurrentEvent,
): Pick<
  MarketWorld,
  'sellers' | 'seller' | 'sellerCount' | 'isOwn' | 'openSeller' | 'shops' | 'openShop'
> {
  function actors(kind: MarketActor['kind']): MarketActor[] {
    return store.market.actors(kind)
  }

  const acting = () => actors('seller').slice(0, currentEvent().run.sellers)

  function sellerOf({ accountId, newcomer }: MarketActor, place: number): MarketSeller | undefined {
    const seller = store.accounts.seller(accountId)
    return seller?.status === 'active' ? { ...seller, newcomer, place } : undefined
  }

  return {
    sellers: () => acting().flatMap((actor, place) => sellerOf(actor, place) ?? []),
    seller(id) {
      const list = acting()
      const place = list.findIndex(({ accountId }) => accountId === id)
      return list[place] && sellerOf(list[place], place)
    },
    sellerCount: () => actors('seller').length,
    isOwn: (sellerId) => actors('seller').some(({ accountId }) => accountId === sellerId),
    openSeller(name) {
      store.market.addActor({
        kind: 'seller',
        accountId: accounts.createSeller({ name }).id,
        newcomer: true,
      })
    },
    shops: () => actors('shop').map(({ accountId }) => accountId),
    openShop(name) {
      const { id } = accounts.createPartner({ name, perOrderLimit: null, dailyLimit: null })
      store.market.addActor({ kind: 'shop', accountId: id, newcomer: true })
    },
  }
}

/** The products and offers that the market sees. */
function createMarketCatalogue(
  { context: { store } }: MarketParts,
  currentEvent: () => CurrentEvent,
): Pick<
  MarketWorld,
  | 'product'
  | 'kindOf'
  | 'productAt'
  | 'productCount'
  | 'contestedProducts'
  | 'contestedOffers'
  | 'someOffers'
  | 'offerOf'
  | 'supply'
  | 'usualPrice'
> {
  const now = () => currentEvent().at

  return {
    product(id) {
      const row = store.catalogue.row(id)
      if (!row) return undefined
      const { name, platform, productType, deliveryType, removed, releaseDate } = row
      return {
        id,
        name,
        platform,
        productType,
        deliveryType,
        buyable: removed === 0 && deliverableFrom(releaseDate, now()) === now(),
      }
    },
    kindOf(productId) {
      const labels = store.catalogue.labels(productId)
      return labels && { productType: labels.productType, deliveryType: labels.deliveryType }
    },
    productAt: (no) => store.market.productAt(no),
    productCount: () => store.market.productCount(),
    contestedProducts: () => store.market.contestedProducts(MAX_CONTESTED),
    contestedOffers: (sellerId) => store.market.contestedOffers(sellerId, MAX_CONTESTED),
    someOffers: (sellerId, share, count) =>
      store.market.offersFrom(sellerId, Math.floor(share * store.market.lastOfferNo()) + 1, count),
    offerOf: (sellerId, productId) => store.offers.findBySeller(sellerId, productId),
    supply: (productId) => store.offers.supply(productId),
    usualPrice(productId) {
      const known = store.market.usualPrice(productId)
      if (known !== undefined) return known
      const prices = store.offers.supply(productId).map(({ customerPrice }) => customerPrice)
      const usual = prices[prices.length >> 1] ?? store.catalogue.supplyOf(productId)?.lowPrice ?? 0
      if (usual <= 0) return null
      store.market.setUsualPrice(productId, cents(usual))
      return cents(usual)
    },
  }
}

/**
 * Rejections are normal: other actors may have changed the state since a seller or customer
 * planned an action.
 */
function attempt<T>(store: Repositories, work: () => T): T | null {
  try {
    return store.savepoint(work)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/** The actions of sellers, each counted in the run. */
function createOfferActions(
  { context: { store }, offers, stock }: MarketParts,
  currentEvent: () => CurrentEvent,
): Pick<MarketWorld, 'reprice' | 'offer' | 'restock'> {
  return {
    reprice({ sellerId, id }, price) {
      if (attempt(store, () => offers.set(sellerId, id, { price })))
        currentEvent().run.counts.priceChanges += 1
    },
    offer(sellerId, productId, price, keys) {
      const made = attempt(store, () => {
        const { offer } = offers.save(sellerId, { productId, price })
        return stock.upload(sellerId, offer.id, checkKeys(keys))
      })
      if (made) currentEvent().run.counts.newOffers += 1
    },
    restock({ sellerId, id }, keys) {
      if (attempt(store, () => stock.upload(sellerId, id, checkKeys(keys))))
        currentEvent().run.counts.restocks += 1
    },
  }
}

/** The purchases of shops, each counted in the run. */
function createPurchaseActions(
  parts: MarketParts,
  currentEvent: () => CurrentEvent,
): Pick<MarketWorld, 'buy' | 'sellerOf'> {
  const { store } = parts.context
  const purchase = createPurchases(parts, currentEvent)

  return {
    buy(shop, productId, qty, maxUnitPrice) {
      if (store.accounts.partner(shop)?.status !== 'active') return null
      const bought = attempt(store, () => purchase(shop, productId, qty, maxUnitPrice))
      if (!bought) return null
      currentEvent().run.counts.orders += 1
      currentEvent().run.counts.sales += bought.keyIds.length
      return bought
    },
    sellerOf(orderId, keyId) {
      const order = store.orders.find(orderId)
      const unit = order && store.disputes.claimedUnit(order.no, keyId)
      return (unit && store.sales.ofUnit(unit.no)?.sellerId) ?? null
    },
  }
}

/** The actions of customers, sellers and support in disputes, each counted in the run. */
function createDisputeActions(
  { context: { store }, disputes, settlement }: MarketParts,
  currentEvent: () => CurrentEvent,
): Pick<MarketWorld, 'claim' | 'dispute' | 'addMessage' | 'escalate' | 'reject' | 'settle'> {
  const now = () => currentEvent().at

  return {
    claim(claim) {
      const opened = attempt(store, () => disputes.claim(claim, now()))
      if (opened) currentEvent().run.counts.claims += 1
      return opened?.id ?? null
    },
    dispute(id) {
      const found = store.disputes.find(id)
      return found ? { ...found, messages: store.disputes.messages(found.no) } : null
    },
    addMessage(disputeId, author, body) {
      if (attempt(store, () => disputes.addMessage(disputes.any(disputeId), author, body, now())))
        currentEvent().run.counts.messages += 1
    },
    escalate(disputeId) {
      if (attempt(store, () => disputes.escalate(disputeId, undefined, now())))
        currentEvent().run.counts.escalations += 1
    },
    reject(disputeId, reason) {
      if (attempt(store, () => disputes.reject(disputeId, reason, now())))
        currentEvent().run.counts.settlements += 1
    },
    settle(disputeId, how) {
      const replace = () => settlement.replace(disputes.any(disputeId), { fromStock: true }, now())
      const refund = () => settlement.refund(disputes.any(disputeId), now())
      const replaced = how === 'replace' && attempt(store, () => (replace(), true))
      if (replaced || attempt(store, () => (refund(), true)))
        currentEvent().run.counts.settlements += 1
    },
  }
}

/**
 * The market's view of the service; see MarketWorld. `currentEvent` returns the event being
 * executed.
 */
export function createMarketWorld(
  parts: MarketParts,
  currentEvent: () => CurrentEvent,
): MarketWorld {
  return {
    now: () => currentEvent().at,
    run: () => currentEvent().run,
    count(what, by = 1) {
      currentEvent().run.counts[what] += by
    },
    schedule: (at, event, wake) => parts.context.store.market.schedule(at, event, wake),
    ...createActors(parts, currentEvent),
    ...createMarketCatalogue(parts, currentEvent),
    ...createOfferActions(parts, currentEvent),
    ...createPurchaseActions(parts, currentEvent),
    ...createDisputeActions(parts, currentEvent),
  }
}
