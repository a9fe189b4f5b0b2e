import { atMost, type Cents, ZERO } from '../../api/money.ts'
import { visibleQty } from '../offers/pricing.ts'
import type { ProductSeed } from '../ports/seeding.ts'
import type { OfferRecord } from '../ports/selling/offers.ts'
import type { NewUnit } from '../ports/selling/stock.ts'
import type { Repositories } from '../ports/repositories.ts'

/** A product that is inserted together with its offers. */
interface BatchProduct {
  readonly seed: ProductSeed
  /** The values of its units, each of which counts once. */
  readonly values: Set<string>
  lowPrice: Cents | null
  units: number
}

/**
 * The products that were seeded last, with their offers and units, inserted together: price and
 * quantity are known then, and many rows in one statement take half the time.
 */
export interface SeedBatch {
  /** Inserts the present batch and begins another one. */
  begin(products: Iterable<ProductSeed>): void
  /** A product of the present batch. */
  product(id: string): BatchProduct | undefined
  /** The row number of the next offer. */
  nextOfferNo(): number
  add(product: BatchProduct, offer: OfferRecord, units: readonly NewUnit[]): void
  /** Inserts the present batch. */
  end(): void
}

export function createSeedBatch(store: Repositories): SeedBatch {
  const products = new Map<string, BatchProduct>()
  let offers: OfferRecord[] = []
  let units: NewUnit[] = []
  let lastOfferNo = 0

  function end(): void {
    store.bulk.insertProducts(
      Array.from(products.values(), ({ seed, lowPrice, units: count }) => ({
        ...seed,
        lowPrice: lowPrice ?? ZERO,
        qty: visibleQty(count),
      })),
    )
    store.bulk.insertOffers(offers)
    store.bulk.insertUnits(units)
    products.clear()
    offers = []
    units = []
  }

  return {
    begin(seeds) {
      end()
      lastOfferNo = store.market.lastOfferNo()
      for (const seed of seeds)
        products.set(seed.id, { seed, values: new Set(), lowPrice: null, units: 0 })
    },
    product: (id) => products.get(id),
    nextOfferNo: () => (lastOfferNo += 1),
    add(product, offer, added) {
      offers.push(offer)
      units.push(...added)
      if (!offer.sellable || offer.stock === 0) return
      product.lowPrice = atMost(offer.customerPrice, product.lowPrice ?? offer.customerPrice)
      product.units += offer.stock
    },
    end,
  }
}
