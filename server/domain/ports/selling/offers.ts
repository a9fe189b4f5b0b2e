import type { Cents } from '../../../api/money.ts'
import type { OfferStatus } from '../../../api/schemas/enums.ts'

export interface OfferRecord {
  /** Row number, referenced by units. */
  no: number
  id: string
  sellerId: string
  productId: string
  /** The seller's payout per unit. */
  price: Cents
  /** Price plus the seller's commission for the product. */
  customerPrice: Cents
  status: OfferStatus
  /** The offer and its seller are active. */
  sellable: boolean
  /** Unsold and unreserved units. */
  stock: number
  /** Units reserved by accepted orders. */
  reserved: number
  sold: number
  /** When the price was last changed. At equal customer prices the older one sells first. */
  pricedAt: number
  createdAt: number
  updatedAt: number
}

export type NewOffer = Omit<OfferRecord, 'no'>

/** One sellable offer with stock, in the order of sale. */
export interface SupplyOffer {
  no: number
  id: string
  price: Cents
  customerPrice: Cents
  stock: number
}

export interface OfferRepository {
  find(id: string): OfferRecord | undefined
  findByNo(no: number): OfferRecord | undefined
  /** The seller's offer for a product, except deleted ones. */
  findBySeller(sellerId: string, productId: string): OfferRecord | undefined
  insert(offer: NewOffer): OfferRecord
  /** Writes price, customer price, status, sellable, pricedAt and updatedAt. */
  update(offer: OfferRecord): void
  /** Adds the given differences to the counters. */
  move(no: number, by: { stock?: number; reserved?: number; sold?: number }): void
  remove(no: number, at: number): void
  /** Newest first, then by id. */
  page(
    sellerId: string,
    status: OfferStatus | undefined,
    offset: number,
    limit: number,
  ): OfferRecord[]
  count(sellerId: string, status: OfferStatus | undefined): number
  /** All sellable offers with stock of a product: by customer price, then older price, then id. */
  supply(productId: string): SupplyOffer[]
  /** Summarizes a product's supply. The price is null when there is none. */
  supplySummary(productId: string): {
    lowPrice: Cents | null
    units: number
    firstOfferId: string | null
  }
  ofProduct(productId: string): OfferRecord[]
  ofSeller(sellerId: string): OfferRecord[]
}
