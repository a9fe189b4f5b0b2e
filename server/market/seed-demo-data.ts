import type { Seed, SeedBuilder } from '../domain/ports/seeding.ts'
import { drawVoucher } from './art/voucher.ts'
import type { DemoOffer } from './demo/demo-offers.ts'
import { demoOffers } from './demo/demo-offers.ts'
import { competitorsInDispute, planDisputes } from './demo/disputes.ts'
import { writeHistory } from './demo/history.ts'
import { ordersOfSales, ordersThatSellOut, partnerOrders } from './demo/orders.ts'
import { openAccounts } from './demo/people.ts'
import type { DemoAccounts } from './demo/people.ts'
import type { ProductFacts } from './demo/facts.ts'
import { stockedCatalogue } from './demo/stocked-catalogue.ts'
import { unitValue } from './demo/unit-values.ts'
import type { SeededRandom } from './random.ts'
import { seededRandom } from './random.ts'
import { DAY_MS } from '../api/time.ts'

/** The number of sold-out products in the demo data, which therefore have a last price. */
const soldOutProducts = 130

/** The number of the demo seller's unsold gift cards that are pictures of their code. */
const pictureKeys = 4

/** The keys that an offer of the demo seller was stocked with; the ones to sell come first. */
const keysOf = (
  random: SeededRandom,
  { product, sold, stock }: DemoOffer,
  asPictures: boolean,
): string[] =>
  Array.from({ length: sold + stock }, (_, index) => {
    const value = unitValue(random, product.platform, product.deliveryType)
    return asPictures && index >= sold && index < sold + pictureKeys
      ? `data:image/png;base64,${drawVoucher(value).toString('base64')}`
      : value
  })

/** The accounts, and the first products with the supply of competitors. */
interface DemoCatalogue {
  readonly people: DemoAccounts
  readonly facts: readonly ProductFacts[]
}

/**
 * Fills an empty database with the data that `--seed` names (docs/service/sandbox.md): nothing for
 * `empty`; for `demo` a catalogue of the given size with competitors' offers, the demo seller and
 * partner, their offers, sales, orders and disputes. The same size gives the same names, prices and
 * keys; times are relative to the current time, `now`.
 */
export const seedDemoData: Seed<DemoCatalogue | null> = {
  *catalogue(world, { seed, products }) {
    if (seed === 'empty') return null
    const people = openAccounts(world)
    world.demoAccounts(people.partner, people.seller)
    world.competitors(people.competitors)
    const facts = yield* stockedCatalogue(world, products, people.competitors)
    yield* world.settle()
    return { people, facts }
  },
  *history(world, { products }, catalogue) {
    if (catalogue !== null) yield* writeDemoHistory(world, products, catalogue)
  },
}

/** The demo seller's offers, and everything that was sold, ordered and disputed. */
function* writeDemoHistory(
  world: SeedBuilder,
  products: number,
  { people, facts }: DemoCatalogue,
): Generator<void> {
  const random = seededRandom(`demo:${products}`)
  const offers = demoOffers(random, facts)
  const pictured = offers.find(
    ({ role, product }) => role === 'cheapest' && product.productType === 'gift-card',
  )
  for (const offer of offers) {
    const { product, role, price } = offer
    world.offer({
      sellerId: people.seller,
      productId: product.id,
      price,
      status: role === 'paused' ? 'paused' : 'active',
      createdAt: world.now - random.between(41 * DAY_MS, 59 * DAY_MS),
      pricedAt: world.now - random.between(1, 12 * DAY_MS),
      keys: keysOf(random, offer, offer === pictured),
    })
  }
  yield
  yield* world.settle()
  yield

  const offered = new Set(offers.map(({ product }) => product.id))
  const free = facts.filter(({ id }) => !offered.has(id))
  const soldOut = free
    .filter(({ units, preLaunch }) => units > 0 && units <= 3 && !preLaunch)
    .slice(0, Math.min(soldOutProducts, Math.floor(facts.length / 15)))
  const emptied = new Set(soldOut)
  const sales = ordersOfSales(random, offers, people.buyers.length, world.now)
  const own = partnerOrders(
    random,
    free.filter((product) => !emptied.has(product)),
    sales,
    world.now,
  )
  const stock = new Map(
    offers.map((offer) => [offer.product.id, offer === pictured ? 0 : offer.stock]),
  )
  const disputes = planDisputes(sales, (productId) => stock.get(productId) ?? 0, world.now)
  const sellOuts = ordersThatSellOut(random, soldOut, people.buyers.length, world.now)
  const taken = new Set(own.flatMap(({ items }) => items.map(({ productId }) => productId)))
  const complaints = competitorsInDispute(
    seededRandom(`complaints:${products}`),
    free.filter((product) => !emptied.has(product) && !taken.has(product.id)),
    people.buyers.length,
    world.now,
  )
  yield* writeHistory(
    world,
    people,
    [...sales, ...sellOuts, ...own, ...complaints.keys()],
    new Map([...disputes, ...complaints]),
  )
}
