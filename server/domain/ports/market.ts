import type { MarketStrategy } from '../../api/dashboard/market.ts'
import type { Cents } from '../../api/money.ts'
import type { DeliveryType, ProductType } from '../../api/schemas/enums.ts'
import type { SellerRecord } from './accounts.ts'
import type { DisputeRecord, MessageAuthor } from './selling/disputes.ts'
import type { OfferRecord, SupplyOffer } from './selling/offers.ts'

/** Event counts of a run so far. */
export interface MarketCounts {
  priceChanges: number
  newOffers: number
  restocks: number
  /** Product views by customers, with or without a purchase. */
  visits: number
  orders: number
  /** Units sold. */
  sales: number
  claims: number
  /** Messages by customers, support and simulated sellers in disputes. */
  messages: number
  /** Escalations by customers. Automatic escalations aren't counted. */
  escalations: number
  /** Disputes settled by simulated sellers, or decided by support. */
  settlements: number
}

/** The present or the last run of the market. */
export interface MarketRun {
  running: boolean
  seed: string | number
  /** 1 corresponds to a busy, ordinary shop. */
  intensity: number
  /** The number of competitors that act. */
  sellers: number
  customers: number
  since: number
  /** Events before this time have been planned and stored. */
  plannedUntil: number
  /** The number of ids made by all runs so far, so that none is made twice. */
  idsMade: number
  counts: MarketCounts
}

/** An account operated only by the market. */
export interface MarketActor {
  kind: 'seller' | 'shop'
  accountId: string
  /** Opened by the market rather than by the seeded data. */
  newcomer: boolean
}

/** A scheduled event. `event` is the simulation's own JSON. */
export interface MarketEventRow {
  no: number
  at: number
  event: string
}

/** Moves an event forward: to `afterMs` milliseconds after the dispute's next change. */
export interface EventWake {
  disputeId: string
  afterMs: number
}

export interface MarketRepository {
  run(): MarketRun | undefined
  save(run: MarketRun): void
  addActor(actor: MarketActor): void
  /** In the order in which they were added. */
  actors(kind: MarketActor['kind']): MarketActor[]
  /** `wake`: `at` is the latest time, and a change of the dispute moves the event forward. */
  schedule(at: number, event: string, wake?: EventWake): void
  /** Moves forward the events that wait for a change of this dispute, which happens `at`. */
  wakeDispute(disputeId: string, at: number): void
  nextEvent(): MarketEventRow | undefined
  nextEventAt(): number | null
  removeEvent(no: number): void
  clearEvents(): void
  usualPrice(productId: string): Cents | undefined
  setUsualPrice(productId: string, usual: Cents): void
  /** Products also offered by sellers outside the market, oldest offer first, at most `limit`. */
  contestedProducts(limit: number): string[]
  /** The seller's offers for contested products. */
  contestedOffers(sellerId: string, limit: number): OfferRecord[]
  /**
   * Some of the seller's offers at or after a row number, at most `limit`. Empty when the seller
   * has none nearby.
   */
  offersFrom(sellerId: string, no: number, limit: number): OfferRecord[]
  lastOfferNo(): number
  /** The product of a row number. */
  productAt(no: number): string | undefined
  productCount(): number
}

/** The values that determine the commission on a product. */
export interface MarketKind {
  productType: ProductType
  deliveryType: DeliveryType
}

/** A product as seen by buyers and sellers. */
export interface MarketProduct extends MarketKind {
  id: string
  name: string
  platform: string
  /** In the catalogue and released. */
  buyable: boolean
}

export interface MarketSeller extends SellerRecord {
  newcomer: boolean
  /** Position among the market's sellers, from 0. */
  place: number
}

export interface MarketPurchase {
  orderId: string
  /** Public ids of the delivered units. */
  keyIds: string[]
}

export interface MarketDispute extends Pick<
  DisputeRecord,
  'id' | 'status' | 'sellerId' | 'name' | 'openedAt'
> {
  messages: { author: MessageAuthor; createdAt: number }[]
}

/**
 * Everything the simulation can see and do: the service's own rules, applied at the time of the
 * current event and inside its transaction. Ids are derived from the seed. An action that the
 * service rejects has no effect; those with a result return null.
 */
export interface MarketWorld {
  /** The time of the current event. */
  now(): number
  run(): MarketRun
  count(what: keyof MarketCounts, by?: number): void
  schedule(at: number, event: string, wake?: EventWake): void

  /** The competitors that act in this run. */
  sellers(): MarketSeller[]
  seller(id: string): MarketSeller | undefined
  /** The number of all competitors, including those that do not act in this run. */
  sellerCount(): number
  /** Whether the market acts for a seller, in this run or another. */
  isOwn(sellerId: string): boolean
  openSeller(name: string): void
  /** Partner ids of the shops. */
  shops(): string[]
  openShop(name: string): void

  product(id: string): MarketProduct | undefined
  kindOf(productId: string): MarketKind | undefined
  /** A product by its position in the catalogue, from 1. */
  productAt(no: number): string | undefined
  productCount(): number
  contestedProducts(): string[]
  contestedOffers(sellerId: string): OfferRecord[]
  /** Some of a seller's offers, starting at a fraction (0 to 1) of all offers. */
  someOffers(sellerId: string, share: number, count: number): OfferRecord[]
  offerOf(sellerId: string, productId: string): OfferRecord | undefined
  /** Offers with stock in the order of sale. */
  supply(productId: string): SupplyOffer[]
  /** The price when the market first saw the product, or null if it was never offered. */
  usualPrice(productId: string): Cents | null

  reprice(offer: OfferRecord, price: Cents): void
  offer(sellerId: string, productId: string, price: Cents, keys: readonly string[]): void
  restock(offer: OfferRecord, keys: readonly string[]): void

  /**
   * Places an order with one line, paid by the shop (which tops up automatically), delivered and
   * downloaded immediately.
   */
  buy(shop: string, productId: string, qty: number, maxUnitPrice: Cents): MarketPurchase | null
  sellerOf(orderId: string, keyId: string): string | null
  /** Returns the dispute's id. */
  claim(claim: {
    orderId: string
    keyId: string
    message: string
    screenshot?: string
  }): string | null
  dispute(id: string): MarketDispute | null
  addMessage(disputeId: string, author: MessageAuthor, body: string): void
  escalate(disputeId: string): void
  reject(disputeId: string, reason: string): void
  /**
   * Sends a replacement from stock, or refunds the sale if there is no stock or the seller prefers
   * a refund.
   */
  settle(disputeId: string, how: 'replace' | 'refund'): void
}

/** The simulated people of the market. Deterministic in seed, time and the state of the data. */
export interface Simulation {
  /** The pricing strategy of the seller at this position in a run with this seed. */
  strategyOf(seed: string | number, place: number): MarketStrategy
  /** Starts a run: opens accounts and stocks the offers of new sellers. */
  start(): void
  /** Schedules the events from now until `to`, which is within the same hour. */
  plan(to: number): void
  execute(event: string): void
  /**
   * Opens a test dispute about a unit now; the customer answers within a minute. Returns the
   * dispute's id, or null when the service rejected it.
   */
  createTestDispute(unit: DisputedUnit): string | null
}

/** A delivered unit that a test dispute is about. */
export interface DisputedUnit {
  orderId: string
  keyId: string
  productId: string
}

export type SimulateMarket = (world: MarketWorld) => Simulation

/** Disables the market: no sellers or customers act. */
export const noMarket: SimulateMarket = () => ({
  strategyOf: () => 'matcher',
  start() {},
  plan() {},
  execute() {},
  createTestDispute: () => null,
})
