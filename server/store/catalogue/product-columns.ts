import type { ProductDetails, ProductRecord, ProductRow } from '../../domain/ports/catalogue.ts'
import { foldCase } from './fold-case.ts'

const facts = `id, name, platform, region, product_type AS productType, delivery_type AS deliveryType,
  removed, supply_unknown AS supplyUnknown, low_price AS lowPrice, qty, updated_at AS updatedAt`

/** The columns of a ProductRow. */
export const productColumns = `no, ${facts}, release_date AS releaseDate, details`

/** The columns of ProductRows, for a page. */
export const pageColumns = `${facts}, octet_length(details) AS size`

/** The columns of a new product, in the order of its parameters. */
export const insertColumns = [
  'id',
  'name',
  'name_folded',
  'platform',
  'region',
  'product_type',
  'delivery_type',
  'release_date',
  'details',
  'removed',
  'supply_unknown',
  'low_price',
  'qty',
  'created_at',
  'updated_at',
] as const

/** A product as statement parameters, in the order of {@link insertColumns}. */
export function parameters(product: ProductRecord) {
  const details: ProductDetails = {
    activation: product.activation,
    description: product.description,
    activationDetails: product.activationDetails,
    languages: product.languages,
    genres: product.genres,
    developer: product.developer,
    publisher: product.publisher,
    releaseDate: product.releaseDate,
    ageRating: product.ageRating,
    coverImage: product.coverImage,
    screenshots: product.screenshots,
    systemRequirements: product.systemRequirements,
    url: product.url,
  }
  return {
    id: product.id,
    name: product.name,
    nameFolded: foldCase(product.name),
    platform: product.platform,
    region: product.region,
    productType: product.productType,
    deliveryType: product.deliveryType,
    releaseDate: product.releaseDate,
    details: JSON.stringify(details),
    removed: product.removed ? 1 : 0,
    supplyUnknown: product.supplyUnknown ? 1 : 0,
    lowPrice: product.lowPrice,
    qty: product.qty,
    createdAt: product.createdAt,
    updatedAt: product.updatedAt,
  }
}

/** The product record of a row. */
export function record(row: ProductRow & { createdAt: number }): ProductRecord {
  const { no: _no, details, removed, supplyUnknown, ...rest } = row
  const parsed = JSON.parse(details) as ProductDetails
  return { ...rest, ...parsed, removed: removed === 1, supplyUnknown: supplyUnknown === 1 }
}
