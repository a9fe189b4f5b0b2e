import type { SeedBuilder } from '../../domain/ports/seeding.ts'
import { commissionClassOf, defaultCommission } from '../../domain/offers/pricing.ts'
import type { CatalogueProduct } from '../catalogue/catalogue.ts'
import { demoCatalogue } from '../catalogue/catalogue.ts'
import type { SeededRandom } from '../random.ts'
import { seededRandom } from '../random.ts'
import type { ProductFacts } from './facts.ts'
import { competitorSupply, sellerPrice } from './supply.ts'
import { unitValue } from './unit-values.ts'
import { DAY_MS } from '../../api/time.ts'

/** Products between two yields: a few milliseconds of work. */
const batchSize = 50
/** Facts are stored for the first products only: enough for the demo seller and all orders. */
const keptFacts = 2000

const stock = (
  world: SeedBuilder,
  random: SeededRandom,
  { seed, marketPrice }: CatalogueProduct,
  competitors: readonly string[],
  count: number,
): ProductFacts => {
  const commission = defaultCommission[commissionClassOf(seed)]
  const facts: ProductFacts = {
    id: seed.id,
    platform: seed.platform,
    productType: seed.productType,
    deliveryType: seed.deliveryType,
    marketPrice,
    commission,
    lowestPrice: null,
    units: 0,
    preLaunch: seed.releaseDate !== null && Date.parse(seed.releaseDate) > world.now,
    supplyUnknown: seed.supplyUnknown,
  }
  for (const draft of competitorSupply(random, marketPrice, competitors.length, count)) {
    const offer = world.offer({
      sellerId: competitors[draft.seller] ?? '',
      productId: seed.id,
      price: sellerPrice(draft.customerPrice, commission),
      createdAt: world.now - random.between(41 * DAY_MS, 59 * DAY_MS),
      pricedAt: world.now - random.between(1, 20 * DAY_MS),
      keys: Array.from({ length: draft.units }, () =>
        unitValue(random, seed.platform, seed.deliveryType),
      ),
    })
    facts.units += offer.stock
    if (offer.stock > 0 && (facts.lowestPrice === null || offer.customerPrice < facts.lowestPrice))
      facts.lowestPrice = offer.customerPrice
  }
  return facts
}

/**
 * Writes `count` products with the competitors' offers and stock, and a few that left the catalogue
 * and have none. Returns the facts of the first ones.
 */
export const stockedCatalogue = function* (
  world: SeedBuilder,
  count: number,
  competitors: readonly string[],
): Generator<void, ProductFacts[]> {
  const random = seededRandom(`supply:${count}`)
  const facts: ProductFacts[] = []
  let batch: CatalogueProduct[] = []
  const write = (): void => {
    world.products(batch.map(({ seed }) => seed))
    for (const product of batch.filter(({ seed }) => !seed.removed)) {
      const known = stock(world, random, product, competitors, count)
      if (facts.length < keptFacts) facts.push(known)
    }
    batch = []
  }
  for (const product of demoCatalogue(count, world.now)) {
    batch.push(product)
    if (batch.length < batchSize) continue
    write()
    yield
  }
  write()
  return facts
}
