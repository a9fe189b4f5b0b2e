import type { AnswerBody } from '../../../server/api/handlers.ts'
import { instantOf } from '../mirror/mirror.ts'

type PartnerProduct = AnswerBody<'listProducts'>['results'][number]
type SellerProduct = NonNullable<AnswerBody<'listSellerProducts'>['results']>[number]

/** What one page tells of one product, as the mirror keeps it. Cents, milliseconds; null where unknown. */
export type ProductFacts = {
  productId: string
  name: string
  platform: string
  region: string
  productType: string
  deliveryType: string
  priceCents: number | null
  bestSellerCents: number | null
  inStock: boolean | null
  qty: number | null
  /** `,BY,CN,` (`,` when there is none); null when only the region is known. */
  excluded: string | null
  allowedCountries: number | null
  commission: { class: string; percent: number } | null
  updatedAt: number | null
  removed: boolean
  /** Everything that is only read one product at a time, unknown fields included; null where the API has no such fields. */
  texts: Record<string, unknown> | null
}

/** Country codes as one searchable text. */
const packCountries = (codes: readonly string[]): string => `,${codes.map((code) => `${code.toUpperCase()},`).join('')}`
export const unpackCountries = (packed: string): string[] => packed.split(',').filter((code) => code !== '')

/** A product of GET /products (Partner API, Product). */
export function partnerFacts(product: PartnerProduct): ProductFacts {
  const { id, name, platform, region, productType, deliveryType, price, inStock, qty, activation, updatedAt, removed, currency: _currency, ...texts } = product
  return {
    productId: id, name, platform, region, productType, deliveryType,
    priceCents: price, bestSellerCents: null, inStock, qty,
    excluded: activation === null ? null : packCountries(activation.excludedCountries),
    allowedCountries: activation?.allowedCountryCount ?? null,
    commission: null, updatedAt: instantOf(updatedAt), removed, texts,
  }
}

/** A product of GET /seller/products (Seller API; Decision 26). Names and labels are not certain there: the id stands in for a name. */
export function sellerFacts(product: SellerProduct): ProductFacts {
  return {
    productId: product.productId,
    name: product.name ?? product.productId,
    platform: product.platform ?? '',
    region: product.region ?? '',
    productType: product.productType ?? '',
    deliveryType: product.deliveryType ?? '',
    priceCents: product.shopPrice ?? null,
    bestSellerCents: product.bestSellerPrice ?? null,
    inStock: null, qty: null, excluded: null, allowedCountries: null,
    commission: product.commission === undefined ? null : { class: product.commission.class, percent: product.commission.percent },
    updatedAt: null, removed: false, texts: null,
  }
}
