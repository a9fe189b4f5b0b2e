import type { Cents } from '../../api/money.ts'
import type { DeliveryType, ProductType } from '../../api/words.ts'

/** The values of a product that only reading needs, in the public document's own shape. */
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

/** A product with what its supply makes of it: the price at factor 1 and the capped quantity. */
export interface ProductRecord extends ProductDetails {
  id: string
  name: string
  platform: string
  region: string
  productType: ProductType
  deliveryType: DeliveryType
  removed: boolean
  supplyUnknown: boolean
  /** Lowest customer price now, or the last one there was; 0 when there never was one. */
  lowPrice: Cents
  /** Unsold, unreserved units, capped at 99. */
  qty: number
  createdAt: number
  updatedAt: number
}

/** What an answer tells of a product beside its details. */
export interface ProductFacts {
  id: string
  name: string
  platform: string
  region: string
  productType: ProductType
  deliveryType: DeliveryType
  removed: 0 | 1
  supplyUnknown: 0 | 1
  lowPrice: Cents
  qty: number
  updatedAt: number
}

/** Products of a page, ready to be put together. */
export interface ProductRows {
  /** `size`: bytes of its details. */
  rows: readonly (ProductFacts & { size: number })[]
  /** ProductDetails of each as JSON in UTF-8, one after the other. */
  details: Buffer
  /** Whether there are more behind them. */
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

/** A place in the order of the catalogue: after this product as it stood. */
export interface CatalogueKey {
  updatedAt: number
  id: string
}

/** A product as the sellers' search shows it. */
export interface SellerProductRow {
  id: string
  name: string
  platform: string
  region: string
  productType: ProductType
  deliveryType: DeliveryType
  /** Lowest customer price, null without stock. */
  shopPrice: Cents | null
  /** Lowest seller price among sellable offers, null without any. */
  bestSellerPrice: Cents | null
}

export interface ProductCount {
  value: string
  count: number
}

export interface CatalogueRepository {
  find(id: string): ProductRecord | undefined
  /** One product, its details not taken apart. */
  row(id: string): ProductRow | undefined
  /** What decides a product's commission. */
  kindOf(id: string): { productType: ProductType; deliveryType: DeliveryType } | undefined
  /** What supply made of a product so far. */
  supplyOf(
    id: string,
  ): { lowPrice: Cents; qty: number; supplyUnknown: boolean; updatedAt: number } | undefined
  insert(product: ProductRecord): void
  /** Writes every field but `id` and `createdAt`. */
  update(product: ProductRecord): void
  /** Sets what supply makes of a product, and its change stamp. */
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
  /** The newest change stamp given out so far, 0 in an empty catalogue. */
  lastStamp(): number
}
