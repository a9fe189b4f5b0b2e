import type { MarketStrategy } from '../../api/dashboard/market.ts'
import type { Cents } from '../../api/money.ts'
import type { DeliveryType, ProductType } from '../../api/words.ts'
import type { SellerRecord } from './accounts.ts'
import type { DisputeRecord, MessageAuthor } from './disputes.ts'
import type { OfferRecord, SupplyOffer } from './offers.ts'

/** What happened in a run so far. */
export interface MarketCounts {
  priceChanges: number
  newOffers: number
  restocks: number
  /** Customers who looked at a product, bought or not. */
  visits: number
  orders: number
  /** Units sold. */
  sales: number
  claims: number
  /** Of customers, support and simulated sellers in disputes. */
  messages: number
  /** By customers; those by the clock are not counted here. */
  escalations: number
  /** Disputes settled by simulated sellers, or decided by support. */
  settlements: number
}

/** A run of the market, the present or the last one. */
export interface MarketRun {
  running: boolean
  seed: string | number
  /** 1 is a lively ordinary shop. */
  intensity: number
  /** Competitors that act. */
  sellers: number
  customers: number
  since: number
  /** What happens before this time is written down as events. */
  plannedUntil: number
  /** Ids made by all runs so far: none is made twice. */
  idsMade: number
  counts: MarketCounts
}

/** An account that nobody owns but the market. */
export interface MarketActor {
  kind: 'seller' | 'shop'
  accountId: string
  /** Opened by the market, not by the seeded world. */
  newcomer: boolean
}

/** Something that happens at a time; `event` is the simulation's own JSON. */
export interface MarketEventRow {
  no: number
  at: number
  event: string
}

export interface MarketRepository {
  run(): MarketRun | undefined
  save(run: MarketRun): void
  addActor(actor: MarketActor): void
  /** In the order they came. */
  actors(kind: MarketActor['kind']): MarketActor[]
  schedule(at: number, event: string): void
  nextEvent(): MarketEventRow | undefined
  nextEventAt(): number | null
  removeEvent(no: number): void
  clearEvents(): void
  usualPrice(productId: string): Cents | undefined
  setUsualPrice(productId: string, usual: Cents): void
  /** Products that sellers other than the market's offer, oldest offer first, at most `limit`. */
  contestedProducts(limit: number): string[]
  /** The seller's offers for such products. */
  contestedOffers(sellerId: string, limit: number): OfferRecord[]
  /**
   * Some of the seller's next offers from a row number on, at most `limit`; none where it has none
   * nearby.
   */
  offersFrom(sellerId: string, no: number, limit: number): OfferRecord[]
  lastOfferNo(): number
  /** The product of a row, and how many rows there are. */
  productAt(no: number): string | undefined
  productCount(): number
}

/** What decides the commission on a product. */
export interface MarketKind {
  productType: ProductType
  deliveryType: DeliveryType
}

/** A product as buyers and sellers look at it. */
export interface MarketProduct extends MarketKind {
  id: string
  name: string
  platform: string
  /** In the catalogue, and released. */
  buyable: boolean
}

export interface MarketSeller extends SellerRecord {
  newcomer: boolean
  /** Among the market's sellers, from 0. */
  place: number
}

export interface MarketPurchase {
  orderId: string
  /** Public ids of the units delivered. */
  keyIds: string[]
}

export interface MarketDispute extends Pick<
  DisputeRecord,
  'id' | 'status' | 'sellerId' | 'name' | 'openedAt'
> {
  messages: { author: MessageAuthor; createdAt: number }[]
}

/**
 * What the simulation may see and do: the service's own rules as of the time of the event at hand,
 * inside its transaction. Ids follow from the seed. What the service refuses gives null and has had
 * no effect.
 */
export interface MarketWorld {
  /** The time of the event at hand. */
  now(): number
  run(): MarketRun
  count(what: keyof MarketCounts, by?: number): void
  schedule(at: number, event: string): void

  /** The competitors that act in this run. */
  sellers(): MarketSeller[]
  seller(id: string): MarketSeller | undefined
  /** How many there are, those beyond this run's number too. */
  sellerCount(): number
  /** Whether the market acts for a seller, in this run or another. */
  isOwn(sellerId: string): boolean
  openSeller(name: string): void
  /** Partner ids of the shops. */
  shops(): string[]
  openShop(name: string): void

  product(id: string): MarketProduct | undefined
  kindOf(productId: string): MarketKind | undefined
  /** A product by its place in the catalogue, from 1. */
  productAt(no: number): string | undefined
  productCount(): number
  contestedProducts(): string[]
  contestedOffers(sellerId: string): OfferRecord[]
  /** Some of a seller's offers, beginning at a share (0 to 1) of all offers. */
  someOffers(sellerId: string, share: number, count: number): OfferRecord[]
  offerOf(sellerId: string, productId: string): OfferRecord | undefined
  /** Offers with stock in the order of sale. */
  supply(productId: string): SupplyOffer[]
  /** What it cost when the market first met it; null for what was never offered. */
  usualPrice(productId: string): Cents | null

  reprice(offer: OfferRecord, price: Cents): void
  offer(sellerId: string, productId: string, price: Cents, keys: readonly string[]): void
  restock(offer: OfferRecord, keys: readonly string[]): void

  /**
   * An order of one line, paid by the shop (which tops up by itself), delivered and fetched at
   * once.
   */
  buy(shop: string, productId: string, qty: number, maxUnitPrice: Cents): MarketPurchase | null
  sellerOf(orderId: string, keyId: string): string | null
  /** Gives the dispute's id. */
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
  /** The seller's replacement from stock, or a refund where there is none or it prefers that. */
  settle(disputeId: string, how: 'replace' | 'refund'): void
}

/** The people of the market: deterministic in seed, time and the state of the world. */
export interface Simulation {
  /** How the seller at this place of the list sets its prices in a run of this seed. */
  strategyOf(seed: string | number, place: number): MarketStrategy
  /** A run begins: accounts are opened, newcomers stock their shelves. */
  start(): void
  /** Schedules what happens from now until `to`, which is within the same hour. */
  plan(to: number): void
  execute(event: string): void
  /**
   * A customer complains about a unit now, and answers within a minute; gives the dispute's id,
   * null where the service refused it.
   */
  createTestDispute(unit: DisputedUnit): string | null
}

/** A delivered unit of a product that somebody complains about. */
export interface DisputedUnit {
  orderId: string
  keyId: string
  productId: string
}

export type SimulateMarket = (world: MarketWorld) => Simulation

/** A service without a market: nobody comes. */
export const noMarket: SimulateMarket = () => ({
  strategyOf: () => 'matcher',
  start() {},
  plan() {},
  execute() {},
  createTestDispute: () => null,
})
