/*
 * Builds the shop of `npm run bench -- day` in a folder of the sandbox: `node build-world.ts FOLDER
 * SIZES`, with SIZES as JSON. Writes one line of JSON with the figures of the shop.
 */
import { cents } from '../../server/api/money.ts'
import { DAY_MS, HOUR_MS } from '../../server/api/time.ts'
import { createIds } from '../../server/domain/environment/ids.ts'
import { noMarket } from '../../server/domain/ports/market.ts'
import type { SeedBuilder } from '../../server/domain/ports/seeding.ts'
import { seedInOnePart } from '../../server/domain/testing/seed-in-one-part.ts'
import { createService } from '../../server/domain/service.ts'
import { systemEnvironment } from '../../server/environment.ts'
import { demoCatalogue } from '../../server/market/catalogue/catalogue.ts'
import { openStore } from '../../server/store/store.ts'
import type { WorldFigures, WorldSizes } from './world.ts'

/** Products written together. */
const BATCH = 200
/** Days over which the sales are spread. */
const DAYS = 40
/** Units of the orders, in turn. */
const UNITS_PER_ORDER = [1, 2, 3, 4, 6] as const
const MESSAGES = [
  'The code is refused as already redeemed.',
  'Invalid code. I checked every character.',
  'My customer cannot activate this in their region.',
  'This is the wrong edition.',
] as const

const [folder = '', text = '{}'] = process.argv.slice(2)
const sizes = JSON.parse(text) as WorldSizes

type Stocked = { id: string; sold: number }

/** The catalogue, with the shop's offer and a rival's for the first products. */
function* stocked(world: SeedBuilder, shop: string, rival: string): Generator<void, Stocked[]> {
  const offered: Stocked[] = []
  let batch: { id: string; price: number }[] = []
  const perOffer = Math.ceil(sizes.sales / Math.max(1, Math.floor(sizes.offers / 2)))
  const stock = (): void => {
    for (const { id, price } of batch) {
      if (offered.length >= sizes.offers) break
      const at = offered.length
      // Every second offer sells; its keys for past orders come first.
      const sold = at % 2 === 0 ? perOffer : 0
      const keys = Array.from(
        { length: sold + (at % 23 === 5 ? 0 : sizes.keysPerOffer) },
        (_, no) => `DAY-${at.toString(36)}-${no.toString(36)}`,
      )
      const createdAt = world.now - (DAYS + 10) * DAY_MS
      const own = { sellerId: shop, productId: id, createdAt }
      world.offer({
        ...own,
        price: cents(price),
        keys,
        status: at % 40 === 7 ? 'paused' : 'active',
      })
      const other = at % 4 === 1 ? price - 5 : price + 90
      world.offer({
        sellerId: rival,
        productId: id,
        createdAt,
        price: cents(other),
        keys: [`RIVAL-${at.toString(36)}`],
      })
      offered.push({ id, sold })
    }
    batch = []
  }
  let seeds = []
  for (const { seed, marketPrice } of demoCatalogue(sizes.products, world.now)) {
    seeds.push(seed)
    const isOrdinary = !seed.removed && !seed.supplyUnknown && seed.deliveryType === 'key'
    // A product isn't delivered before its release.
    const releasedBy = world.now - (DAYS + 10) * DAY_MS
    if (isOrdinary && seed.releaseDate !== null && Date.parse(seed.releaseDate) < releasedBy)
      batch.push({ id: seed.id, price: Math.max(200, marketPrice) })
    if (seeds.length < BATCH) continue
    world.products(seeds)
    stock()
    seeds = []
    yield
  }
  world.products(seeds)
  stock()
  return offered
}

/** Orders of the partner from the shop, spread over the days, and claims on some of them. */
function* traded(world: SeedBuilder, partner: string, offered: Stocked[]): Generator<void> {
  const selling = offered.filter(({ sold }) => sold > 0)
  const began = world.now - DAYS * DAY_MS
  const everyOrder = sizes.sales / Math.max(1, sizes.disputes)
  let [order, sales, claims] = [0, 0, 0]
  for (; sales < sizes.sales; order += 1) {
    const index = (order * 7919) % selling.length
    const product = selling[index]
    if (product === undefined) break
    const qty = Math.min(
      product.sold,
      sizes.sales - sales,
      UNITS_PER_ORDER[order % UNITS_PER_ORDER.length] ?? 1,
    )
    product.sold -= qty
    sales += qty
    // A sold-out offer makes room, so that no search for the next one is needed.
    if (product.sold === 0) {
      const last = selling.pop()
      if (last !== undefined && last !== product) selling[index] = last
    }
    const at = began + Math.floor((sales / sizes.sales) * (DAYS * DAY_MS - HOUR_MS))
    const placed = world.order({
      partnerId: partner,
      mode: 'live',
      externalId: `DAY-${order}`,
      items: [{ productId: product.id, qty }],
      at,
    })
    if (claims < Math.floor(sales / everyOrder)) {
      claims += 1
      const dispute = world.claim({
        orderNo: placed.no,
        message: MESSAGES[claims % MESSAGES.length] ?? '',
        at: at + 1000,
      })
      // Disputes of the last days stay open.
      if (at < world.now - 3 * DAY_MS) world.refund(dispute, at + 2000)
    }
    yield
  }
  Object.assign(figures, { orders: order, sales, disputes: claims })
}

const store = openStore(folder, { durable: false })
const figures: WorldFigures = {
  products: sizes.products,
  offers: 0,
  orders: 0,
  sales: 0,
  disputes: 0,
  seconds: 0,
  processorSeconds: 0,
}
const { clock, random } = systemEnvironment
const service = createService({
  store,
  clock,
  receiverClock: clock,
  ids: createIds(clock, random),
  random,
  log: { info: () => {}, error: (message) => process.stderr.write(`${message}\n`) },
  simulateMarket: noMarket,
  webhookNetwork: {
    send: () => Promise.resolve({ status: null, error: 'no receiver', durationMs: 0 }),
    loopback: true,
  },
  seedWorld: seedInOnePart(function* (world) {
    const createdAt = world.now - (DAYS + 20) * DAY_MS
    const { id: shop } = world.seller({ name: 'Day shop', createdAt })
    const { id: rival } = world.seller({ name: 'Rival', createdAt })
    const limits = { perOrderLimit: null, dailyLimit: null }
    const { id: partner } = world.partner({ name: 'Day partner', createdAt, ...limits })
    world.demoAccounts(partner, shop)
    const offered = yield* stocked(world, shop, rival)
    yield* world.settle()
    world.topUp(partner, 'live', cents(10_000_000_00), createdAt)
    figures.offers = offered.length
    yield* traded(world, partner, offered)
    world.passTime(world.now)
  }),
})
const began = performance.now()
service.start({ seed: 'demo', products: 0 })
await service.stop()
store.close()
figures.seconds = Math.round((performance.now() - began) / 1000)
const { user, system } = process.cpuUsage()
figures.processorSeconds = Math.round((user + system) / 1e6)
process.stdout.write(JSON.stringify(figures))
process.exit(0)
