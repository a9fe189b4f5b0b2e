import type { Cents } from '../../api/money.ts'
import type { AccountStatus, Mode, OfferStatus } from '../../api/schemas/enums.ts'
import type { Commission, PartnerRecord, SellerRecord } from './accounts.ts'
import type { ProductRecord } from './catalogue.ts'
import type { MessageAuthor } from './selling/disputes.ts'
import type { OfferRecord } from './selling/offers.ts'
import type { OrderRecord } from './ordering/orders.ts'

/** A seeded product. Its supply and price follow from the offers. */
export type ProductSeed = Omit<ProductRecord, 'lowPrice' | 'qty'>

export interface PartnerSeed {
  /** Generated when missing. */
  id?: string
  name: string
  email?: string | null
  status?: AccountStatus
  perOrderLimit?: Cents | null
  dailyLimit?: Cents | null
  priceFactor?: number
  createdAt: number
}

export interface SellerSeed {
  id?: string
  name: string
  status?: AccountStatus
  commission?: Partial<Commission>
  createdAt: number
}

export interface OfferSeed {
  id?: string
  sellerId: string
  productId: string
  price: Cents
  status?: OfferStatus
  createdAt: number
  /** When the price was set. Defaults to createdAt. */
  pricedAt?: number
  /** Stock, oldest first: codes, links, credentials, or pictures as data URIs. */
  keys: readonly string[]
}

export interface OrderSeed {
  partnerId: string
  mode: Mode
  externalId: string
  items: readonly { productId: string; qty: number }[]
  /**
   * When it was placed. It is delivered `deliveredAfterMs` later (default 400). Pre-launch lines
   * stay processing.
   */
  at: number
  deliveredAfterMs?: number
  /** How many of its units fail to be delivered, from the last line backwards. */
  failUnits?: number
  /** When its keys were downloaded, if they were. */
  firstDownloadedAt?: number
}

export interface ClaimSeed {
  orderNo: number
  message: string
  /** PNG, JPEG or GIF. */
  screenshot?: Uint8Array
  at: number
}

/**
 * Builds the initial data of an empty database that isn't in use yet. Orders follow
 * the service's own rules (supply, debit, ledger, delivery, sales), so the result is consistent.
 * Ids and generated values are the same for the same calls. Call in this order: accounts, products,
 * offers, `settle`, then top-ups and orders by time.
 */
export interface SeedBuilder {
  /** The service's time. */
  readonly now: number
  partner(seed: PartnerSeed): PartnerRecord
  seller(seed: SellerSeed): SellerRecord
  products(seeds: Iterable<ProductSeed>): void
  offer(seed: OfferSeed): OfferRecord
  /**
   * Calculates every product's price and quantity from the offers without moving `updatedAt`, and
   * indexes the catalogue, piece by piece.
   */
  settle(): Iterable<void>
  /**
   * Runs the releases and escalations that are due up to then. Orders and claims do so up to their
   * own time.
   */
  passTime(until: number): void
  topUp(partnerId: string, mode: Mode, amount: Cents, at: number): void
  order(seed: OrderSeed): OrderRecord
  /** Claims an order's first unit. Returns the dispute's id. */
  claim(seed: ClaimSeed): string
  addMessage(disputeId: string, author: MessageAuthor, body: string, at: number): void
  replaceFromStock(disputeId: string, at: number): void
  refund(disputeId: string, at: number): void
  /** Names the sellers that the market simulation may operate. */
  competitors(sellerIds: readonly string[]): void
  /** Names the accounts whose `demo` keys are issued at each start. */
  demoAccounts(partnerId: string, sellerId: string): void
}

export interface SeedOptions {
  seed: 'demo' | 'empty'
  products: number
}

/**
 * Fills an empty database in two parts, and yields between short pieces of work, so that others can
 * run: server/market implements it, main.ts hands it to the service.
 */
export interface Seed<Catalogue = unknown> {
  /**
   * Accounts and a catalogue with offers and stock. Every time it writes has the same distance to
   * `world.now` at any time, and every date the same number of days, so that its result can be moved
   * in time. Returns what `history` needs.
   */
  catalogue(world: SeedBuilder, options: SeedOptions): Generator<void, Catalogue>
  /** Everything after it. The builder continues with the ids after those of the catalogue. */
  history(world: SeedBuilder, options: SeedOptions, catalogue: Catalogue): Iterable<void>
}
