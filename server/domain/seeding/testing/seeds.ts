import { cents } from '../../../api/money.ts'
import { DAY } from '../../context.ts'
import { seedInOnePart } from '../../testing/seed-in-one-part.ts'
import type { OfferSeed, OrderSeed, ProductSeed, SeedBuilder } from '../../ports/seeding.ts'
import { createTestService, type TestService } from '../../testing/fixture.ts'

export const start = Date.parse('2026-02-01T00:00:00.000Z')

export const product = (id: string, more: Partial<ProductSeed> = {}): ProductSeed => ({
  id,
  name: `Product ${id}`,
  platform: 'Steam',
  region: 'Global',
  removed: false,
  activation: null,
  description: null,
  activationDetails: null,
  languages: [],
  genres: [],
  developer: null,
  publisher: null,
  ageRating: null,
  coverImage: null,
  screenshots: [],
  systemRequirements: [],
  url: null,
  supplyUnknown: false,
  productType: 'game',
  deliveryType: 'key',
  createdAt: start,
  updatedAt: start,
  releaseDate: null,
  ...more,
})

export const offer = (more: Partial<OfferSeed> = {}): OfferSeed => ({
  sellerId: 'sel_1',
  productId: 'prd_1',
  price: cents(1000),
  createdAt: start,
  keys: ['KEY-1', 'KEY-2', 'KEY-3', 'KEY-4', 'KEY-5', 'KEY-6'],
  ...more,
})

export const order = (more: Partial<OrderSeed> = {}): OrderSeed => ({
  partnerId: 'ptr_1',
  mode: 'live',
  externalId: 'order-1',
  items: [{ productId: 'prd_1', qty: 2 }],
  at: start + DAY,
  ...more,
})

/** A partner with 1,000 euros, a seller, and two products with six and three units at 11.00. */
export function seedShop(world: SeedBuilder): void {
  world.partner({ id: 'ptr_1', name: 'Partner', createdAt: start })
  world.seller({ id: 'sel_1', name: 'Seller', createdAt: start })
  world.products([product('prd_1'), product('prd_2')])
  world.offer(offer())
  world.offer(offer({ productId: 'prd_2', keys: ['KEY-1', 'KEY-2', 'KEY-3'] }))
  Array.from(world.settle())
  for (const mode of ['live', 'test'] as const) world.topUp('ptr_1', mode, cents(100_000), start)
}

export interface SeededService {
  test: TestService
  /** Builds the initial data. `work` can read the data that is stored so far. */
  build(work: (world: SeedBuilder) => void): void
}

/** A service with an empty database. */
export function openSeededService(): SeededService {
  let seed: (world: SeedBuilder) => void = () => {}
  const test = createTestService({
    seedWorld: seedInOnePart((world) => seed(world)),
    started: false,
    durable: false,
  })
  return {
    test,
    build(work) {
      seed = work
      test.service.start({ seed: 'demo', products: 0 })
    },
  }
}
