import type { Database } from 'better-sqlite3'
import type { ProductDetail, ProductRow } from '../../../contract/catalogue.ts'
import { unpackCountries } from './product-facts.ts'
import { readHistory, readTexts } from '../store.ts'
import type { ProductRecord } from '../store.ts'
import { readSyncState } from '../sync/sync-state.ts'

const yesNo = (value: number | null): boolean | null => (value === null ? null : value === 1)

/**
 * Whether a product can be activated in a country (ISO 3166-1 alpha-2). Null if no country is
 * given.
 */
function activatesIn(excluded: string | null, country: string | null): ProductRow['activates'] {
  if (country === null) return null
  if (excluded === null) return 'unknown'
  return excluded.includes(`,${country.toUpperCase()},`) ? 'no' : 'yes'
}

/** A stored product as a table row. */
export const rowOf = (record: ProductRecord, country: string | null): ProductRow => ({
  productId: record.product_id,
  name: record.name,
  platform: record.platform,
  region: record.region,
  productType: record.product_type,
  deliveryType: record.delivery_type,
  priceCents: record.price_cents,
  bestSellerCents: record.best_seller_cents,
  inStock: yesNo(record.in_stock),
  qty: record.qty,
  activates: activatesIn(record.excluded, country),
  offerId: record.offer_id,
  updatedAt: record.updated_at,
})

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The API allows any `systemRequirements`; only the documented shape is shown. */
function requirements(value: unknown): ProductDetail['systemRequirements'] {
  if (!Array.isArray(value)) return []
  return value.filter(isRecord).map((each) => ({
    system: text(each['system']) ?? '',
    requirement: texts(each['requirement']),
  }))
}

/**
 * Source of a product's texts and pictures: the account's own mirror, or a partner account's
 * mirror.
 */
export type TextSource = {
  db: Database
  record: ProductRecord
  lender: ProductDetail['detailsFrom']
}

/** All mirrored data of a product. */
export function detailOf(
  db: Database,
  record: ProductRecord,
  source: TextSource | null,
): ProductDetail {
  const body = source === null ? null : readTexts(source.db, source.record.rid)
  const { lastAt, complete } = readSyncState(db)
  // A partner's incremental sync confirms every product it doesn't mention.
  const confirmedAt = source !== null && source.lender === null && complete ? (lastAt ?? 0) : 0
  return {
    ...rowOf(record, null),
    description: text(body?.['description']),
    activationDetails: text(body?.['activationDetails']),
    excludedCountries: record.excluded === null ? null : unpackCountries(record.excluded),
    allowedCountryCount: record.allowed_countries,
    languages: texts(body?.['languages']),
    genres: texts(body?.['genres']),
    developer: text(body?.['developer']),
    publisher: text(body?.['publisher']),
    releaseDate: text(body?.['releaseDate']),
    ageRating: text(body?.['ageRating']),
    systemRequirements: requirements(body?.['systemRequirements']),
    url: text(body?.['url']),
    hasCover: coverOf(body) !== null,
    removed: record.removed === 1,
    commission:
      record.commission_class === null || record.commission_percent === null
        ? null
        : { class: record.commission_class, percent: record.commission_percent },
    detailsFrom: source?.lender ?? null,
    readAt: Math.max(record.read_at, confirmedAt),
    history: readHistory(db, record.rid).map(({ at, price_cents, in_stock }) => ({
      at,
      priceCents: price_cents,
      inStock: in_stock === null ? price_cents !== null : in_stock === 1,
    })),
  }
}

/** The address of the cover picture, from a product's texts. */
export const coverOf = (body: Record<string, unknown> | null): string | null =>
  text(body?.['coverImage'])
