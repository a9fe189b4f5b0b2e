import type { Cents } from '../../api/money.ts'
import type { DeliveryType, ProductType } from '../../api/schemas/enums.ts'

/** The product values that are only displayed, in the shape of the public API. */
export interface ProductDetails {
  activation: { excludedCountries: string[]; allowedCountryCount: number | null } | null
  description: string | null
  activationDetails: string | null
  languages: string[]
  genres: string[]
  developer: string | null
  publisher: string | null
  releaseDate: string | null
  ageRating: string | null
  coverImage: string | null
  screenshots: string[]
  systemRequirements: { system: string; requirement: string[] }[]
  url: string | null
}

/**
 * A product with the values derived from its supply: the price at factor 1 and the capped quantity.
 */
export interface ProductRecord extends ProductDetails {
  id: string
  name: string
  platform: string
  region: string
  productType: ProductType
  deliveryType: DeliveryType
  removed: boolean
  supplyUnknown: boolean
  /** The lowest customer price now, or the last known one; 0 when there never was one. */
  lowPrice: Cents
  /** Unsold, unreserved units, capped at 99. */
  qty: number
  createdAt: number
  updatedAt: number
}

/** The part of a product that its offers show. Its types determine the commission. */
export interface ProductLabels {
  name: string
  platform: string
  region: string
  productType: ProductType
  deliveryType: DeliveryType
  removed: 0 | 1
}

/** The part of a product in a response besides its details. */
export interface ProductFacts extends ProductLabels {
  id: string
  supplyUnknown: 0 | 1
  lowPrice: Cents
  qty: number
  updatedAt: number
}

/** The products of a page, ready to be assembled. */
export interface ProductRows {
  /** `size` is the length of its details in bytes. */
  rows: readonly (ProductFacts & { size: number })[]
  /** ProductDetails of each product as JSON in UTF-8, concatenated. */
  details: Buffer
  /** Whether more products follow. */
  hasMore: boolean
}

/** One product; `details` is ProductDetails as JSON text. */
export interface ProductRow extends ProductFacts {
  no: number
  releaseDate: string | null
  details: string
}

export interface ProductFilter {
  platform?: string
  region?: string
  productType?: ProductType
  deliveryType?: DeliveryType
  inStock?: boolean
  /** Part of the name in any case, or an exact id. */
  search?: string
  ids?: readonly string[]
  /** Milliseconds; products changed at or after it. */
  updatedSince?: number
  includeRemoved: boolean
}

/** A position in the catalogue's order: after this product with this change stamp. */
export interface CatalogueKey {
  updatedAt: number
  id: string
}

/** A product in the sellers' search. */
export interface SellerProductRow {
  id: string
  name: string
  platform: string
  region: string
  productType: ProductType
  deliveryType: DeliveryType
  /** The lowest customer price, or null without stock. */
  shopPrice: Cents | null
  /** The lowest seller price among sellable offers, or null without any. */
  bestSellerPrice: Cents | null
}

export interface ProductCount {
  value: string
  count: number
}

export interface CatalogueRepository {
  find(id: string): ProductRecord | undefined
  /** One product with its details unparsed. */
  row(id: string): ProductRow | undefined
  /** A product's labels, cached until it changes. */
  labels(id: string): Readonly<ProductLabels> | undefined
  /** The values last derived from a product's supply. */
  supplyOf(
    id: string,
  ): { lowPrice: Cents; qty: number; supplyUnknown: boolean; updatedAt: number } | undefined
  insert(product: ProductRecord): void
  /** Writes every field but `id` and `createdAt`. */
  update(product: ProductRecord): void
  /** Sets the values derived from a product's supply, and its change stamp. */
  setSupply(id: string, supply: { lowPrice: Cents; qty: number; updatedAt: number }): void
  /** By updatedAt, then id: rows after `after` (or from `offset` on), at most `limit`. */
  page(
    filter: ProductFilter,
    from: { after: CatalogueKey } | { offset: number },
    limit: number,
  ): ProductRows
  count(filter: ProductFilter): number
  meta(): {
    platforms: ProductCount[]
    regions: ProductCount[]
    productTypes: ProductCount[]
    deliveryTypes: ProductCount[]
  }
  /** Newest first, then by id; removed products left out. */
  sellerPage(search: string | undefined, offset: number, limit: number): SellerProductRow[]
  sellerCount(search: string | undefined): number
  /** The newest change stamp issued so far; 0 for an empty catalogue. */
  lastStamp(): number
}
