import type { Cents } from '../../../../server/api/money.ts'
import type { ResponseBody } from '../../../../server/api/handlers.ts'
import { instantOf, sortKey } from '../../mirror/mirror.ts'

type PartnerProduct = ResponseBody<'listProducts'>['results'][number]
type SellerProduct = NonNullable<ResponseBody<'listSellerProducts'>['results']>[number]

/**
 * The data of one product on one page, as the mirror stores it. Cents and milliseconds; null where
 * unknown.
 */
export type ProductFacts = {
  productId: string
  name: string
  /** The form used to sort and compare the name. */
  nameKey: string
  platform: string
  region: string
  productType: string
  deliveryType: string
  priceCents: Cents | null
  bestSellerCents: Cents | null
  inStock: boolean | null
  qty: number | null
  /** `,BY,CN,` (`,` if no country is excluded). Null if only the region is known. */
  excluded: string | null
  allowedCountries: number | null
  commissionClass: string | null
  commissionPercent: number | null
  updatedAt: number | null
  removed: boolean
  /**
   * Everything that is read only one product at a time, unknown fields included, as JSON, sometimes
   * in UTF-8. Null if the API has no such fields.
   */
  texts: string | Uint8Array | null
}

/** Country codes as one searchable text. */
const packCountries = (codes: readonly string[]): string =>
  codes.length === 0 ? ',' : `,${codes.join(',').toUpperCase()},`
export const unpackCountries = (packed: string): string[] =>
  packed.split(',').filter((code) => code !== '')

function textsOf(product: PartnerProduct): string {
  const {
    id: _id,
    name: _name,
    platform: _platform,
    region: _region,
    productType: _type,
    deliveryType: _delivery,
    price: _price,
    inStock: _inStock,
    qty: _qty,
    activation: _activation,
    updatedAt: _updatedAt,
    removed: _removed,
    currency: _currency,
    ...texts
  } = product
  return JSON.stringify(texts)
}

/** A product of GET /products (Partner API, Product). `texts` if they are already extracted. */
export function partnerFacts(product: PartnerProduct, texts?: Uint8Array): ProductFacts {
  const {
    id,
    name,
    platform,
    region,
    productType,
    deliveryType,
    price,
    inStock,
    qty,
    activation,
    updatedAt,
    removed,
  } = product
  return {
    productId: id,
    name,
    nameKey: sortKey(name),
    platform,
    region,
    productType,
    deliveryType,
    priceCents: price,
    bestSellerCents: null,
    inStock,
    qty,
    excluded: activation === null ? null : packCountries(activation.excludedCountries),
    allowedCountries: activation?.allowedCountryCount ?? null,
    commissionClass: null,
    commissionPercent: null,
    updatedAt: instantOf(updatedAt),
    removed,
    texts: texts ?? textsOf(product),
  }
}

/**
 * A product of GET /seller/products (Seller API; Decision 26). Names and labels can be missing
 * there, so the id replaces a missing name.
 */
export function sellerFacts(product: SellerProduct): ProductFacts {
  const name = product.name ?? product.productId
  return {
    productId: product.productId,
    name,
    nameKey: sortKey(name),
    platform: product.platform ?? '',
    region: product.region ?? '',
    productType: product.productType ?? '',
    deliveryType: product.deliveryType ?? '',
    priceCents: product.shopPrice ?? null,
    bestSellerCents: product.bestSellerPrice ?? null,
    inStock: null,
    qty: null,
    excluded: null,
    allowedCountries: null,
    commissionClass: product.commission?.class ?? null,
    commissionPercent: product.commission?.percent ?? null,
    updatedAt: null,
    removed: false,
    texts: null,
  }
}

type Value = Exclude<ProductFacts[keyof ProductFacts], Uint8Array>

/**
 * Products in transit between threads: a flat list of their values, which takes a third of the time
 * of as many objects. UTF-8 texts are stored one after the other in `bytes` and listed by position,
 * so they are transferred without copying.
 */
export type PackedFacts = { values: readonly Value[]; bytes: Uint8Array<ArrayBuffer> | null }

const VALUES = 19

export function packFacts(products: readonly ProductFacts[]): PackedFacts {
  const values: Value[] = []
  const bytes = roomOf(products)
  for (const p of products) {
    const [texts, end] =
      typeof p.texts === 'object' && p.texts !== null
        ? [p.texts.byteOffset, p.texts.byteOffset + p.texts.byteLength]
        : [p.texts, null]
    values.push(
      p.productId,
      p.name,
      p.nameKey,
      p.platform,
      p.region,
      p.productType,
      p.deliveryType,
      p.priceCents,
      p.bestSellerCents,
      p.inStock,
      p.qty,
      p.excluded,
      p.allowedCountries,
      p.commissionClass,
      p.commissionPercent,
      p.updatedAt,
      p.removed,
      texts,
      end,
    )
  }
  return { values, bytes }
}

/** The buffer that holds all UTF-8 texts. Null if there are none. */
function roomOf(products: readonly ProductFacts[]): Uint8Array<ArrayBuffer> | null {
  const first = products.find(({ texts }) => typeof texts === 'object' && texts !== null)?.texts
  return typeof first === 'object' && first !== null
    ? new Uint8Array(first.buffer as ArrayBuffer)
    : null
}

/** Unpacks the products that {@link packFacts} packed. */
export function unpackFacts({ values, bytes }: PackedFacts): ProductFacts[] {
  const products: ProductFacts[] = []
  for (let at = 0; at < values.length; at += VALUES) {
    const value = <Kind extends Value>(place: number): Kind => values[at + place] as Kind
    const texts = value<string | number | null>(17)
    products.push({
      productId: value(0),
      name: value(1),
      nameKey: value(2),
      platform: value(3),
      region: value(4),
      productType: value(5),
      deliveryType: value(6),
      priceCents: value(7),
      bestSellerCents: value(8),
      inStock: value(9),
      qty: value(10),
      excluded: value(11),
      allowedCountries: value(12),
      commissionClass: value(13),
      commissionPercent: value(14),
      updatedAt: value(15),
      removed: value(16),
      texts: typeof texts === 'number' ? (bytes?.subarray(texts, value(18)) ?? null) : texts,
    })
  }
  return products
}
