import DatabaseConstructor from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { cents } from '../../../../server/api/money.ts'
import type { CatalogueFilter } from '../../../contract/catalogue.ts'
import { catalogueFilterSchema } from '../../../contract/catalogue.ts'
import type { ProductFacts } from '../records/product-facts.ts'
import { catalogueSchema } from '../schema.ts'
import { sortKey } from '../../mirror/mirror.ts'
import { productWriter } from '../store.ts'

/** A mirror in memory with the catalogue's tables. */
export function openMirror(): Database {
  const db = new DatabaseConstructor(':memory:')
  for (const step of catalogueSchema.steps) db.exec(step)
  return db
}

/** A product of the partner API. Fields that a test doesn't set have defaults. */
export const productFacts = (
  facts: Partial<ProductFacts> & { productId: string },
): ProductFacts => ({
  name: facts.productId,
  nameKey: sortKey(facts.name ?? facts.productId),
  platform: 'Steam',
  region: 'Global',
  productType: 'game',
  deliveryType: 'key',
  priceCents: cents(1000),
  bestSellerCents: null,
  inStock: true,
  qty: 5,
  excluded: ',',
  allowedCountries: null,
  commissionClass: null,
  commissionPercent: null,
  updatedAt: 0,
  removed: false,
  texts: '{"description":"a text"}',
  ...facts,
})

export function putProducts(
  db: Database,
  products: readonly ProductFacts[],
  seen: { at?: number; round?: number } = {},
): void {
  const writer = productWriter(db)
  db.transaction(() =>
    writer.put(products, { at: seen.at ?? 1, round: seen.round ?? 1, page: null, seq: 1 }),
  )()
}

export const filterOf = (filter: Partial<CatalogueFilter> = {}): CatalogueFilter => ({
  ...catalogueFilterSchema.parse({}),
  ...filter,
})

const FIRST = [
  'Hollow',
  'Amber',
  'Iron',
  'Drift',
  'Velvet',
  'Nightjar',
  'Polar',
  'Sable',
  'Saltmarsh',
  'Thistle',
  'Vanguard',
  'Quiet',
  'Orchard',
  'Lantern',
  'Wayfarer’s',
  'Ember',
]
const SECOND = [
  'Tide',
  'Circuit',
  'Wharf',
  'Protocol',
  'Syndicate',
  'Redux',
  'Transit',
  'Horizon',
  'Stories',
  'Row',
  'Kitchens',
  'Engines',
  'Lane',
  'Wood',
  'Almanac',
  'Line',
]
const THIRD = [
  '',
  ' II',
  ' 3',
  ': The Drowned Bell',
  ' – Deluxe Edition',
  ' – Season 4',
  ' Café',
  ' Online',
]
const PLATFORMS = ['Steam', 'Xbox', 'PlayStation', 'Nintendo', 'GOG', 'Epic']
const REGIONS = ['Global', 'Europe', 'RoW', 'United States', 'Germany']

/** A catalogue of `count` different products, the same each time. */
export function generatedProducts(count: number): ProductFacts[] {
  return Array.from({ length: count }, (_, i) =>
    productFacts({
      productId: `prd_${20_000 + i}`,
      name:
        `${FIRST[i % 16] ?? ''} ${SECOND[Math.floor(i / 16) % 16] ?? ''}` +
        (THIRD[(i * 7 + Math.floor(i / 256)) % 8] ?? ''),
      platform: PLATFORMS[(i * 5) % 6] ?? '',
      region: REGIONS[(i * 3 + Math.floor(i / 7)) % 5] ?? '',
      productType: i % 9 === 0 ? 'dlc' : i % 11 === 0 ? 'gift-card' : 'game',
      deliveryType: i % 13 === 0 ? 'gift' : 'key',
      priceCents: cents(100 + ((i * 7919) % 9000)),
      inStock: i % 4 !== 0,
      qty: i % 4 === 0 ? 0 : i % 10 === 3 ? null : 1 + (i % 99),
      excluded: i % 5 === 0 ? null : i % 3 === 0 ? ',DE,BY,' : ',CN,',
      updatedAt: 1_000_000 + ((i * 31) % 977),
    }),
  )
}
