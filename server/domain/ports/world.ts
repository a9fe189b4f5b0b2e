import type { Cents } from '../../api/money.ts'
import type { AccountStatus, Mode, OfferStatus } from '../../api/words.ts'
import type { Commission, PartnerRecord, SellerRecord } from './accounts.ts'
import type { ProductRecord } from './catalogue.ts'
import type { MessageAuthor } from './disputes.ts'
import type { OfferRecord } from './offers.ts'
import type { OrderRecord } from './orders.ts'

/** A product as seeded; supply and price follow from the offers. */
export type ProductSeed = Omit<ProductRecord, 'lowPrice' | 'qty'>

export interface PartnerSeed {
  /** A new id when left out. */
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
  /** When the price was set; createdAt when left out. */
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
   * When it was placed; it is delivered `deliveredAfterMs` later (default 400), pre-launch lines
   * stay processing.
   */
  at: number
  deliveredAfterMs?: number
  /** How many of its units fail to be delivered, from the last line backwards. */
  failUnits?: number
  /** Whether its keys were fetched, and when. */
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
 * Builds the world an empty database starts with, inside one transaction that is all or nothing.
 * Orders go by the service's own rules (supply, debit, ledger, delivery, sales), so whatever is
 * built here is consistent. Ids and made-up values are the same for the same calls. Order of calls:
 * accounts, products, offers, `settle`, then top-ups and orders by time.
 */
export interface WorldBuilder {
  /** The service's time. */
  readonly now: number
  partner(seed: PartnerSeed): PartnerRecord
  seller(seed: SellerSeed): SellerRecord
  products(seeds: Iterable<ProductSeed>): void
  offer(seed: OfferSeed): OfferRecord
  /** Works out every product's price and quantity from the offers without moving `updatedAt`. */
  settle(): void
  /**
   * Carries out what the history so far makes due up to then: releases and escalations. Orders and
   * claims do it up to their own time.
   */
  passTime(until: number): void
  topUp(partnerId: string, mode: Mode, amount: Cents, at: number): void
  order(seed: OrderSeed): OrderRecord
  /** A claim on an order's first unit; gives the dispute's id. */
  claim(seed: ClaimSeed): string
  addMessage(disputeId: string, author: MessageAuthor, body: string, at: number): void
  replaceFromStock(disputeId: string, at: number): void
  refund(disputeId: string, at: number): void
  /** Names sellers that the moving market may act for. */
  competitors(sellerIds: readonly string[]): void
  /** Names the accounts whose `demo` keys are issued at each start. */
  demoAccounts(partnerId: string, sellerId: string): void
}

export interface WorldOptions {
  seed: 'demo' | 'empty'
  products: number
}

/** Fills an empty database: server/market implements it, main.ts hands it to the service. */
export type SeedWorld = (world: WorldBuilder, options: WorldOptions) => void
