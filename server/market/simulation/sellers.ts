import names from '../../../resources/demo/market.json' with { type: 'json' }
import { type MarketStrategy, marketStrategies } from '../../api/dashboard/market.ts'
import { type Cents, cents } from '../../api/money.ts'
import { sellerPriceBounds } from '../../api/offer.ts'
import type {
  MarketKind,
  MarketProduct,
  MarketSeller,
  MarketWorld,
} from '../../domain/ports/market.ts'
import type { OfferRecord } from '../../domain/ports/offers.ts'
import { commissionClassOf, customerPriceUnder } from '../../domain/offers/pricing.ts'
import { unitValue } from '../demo/unit-values.ts'
import { DAY, HOUR, hourOf, isWeekend, MINUTE } from './calendar.ts'
import { chanceOf } from './chance.ts'
import { written } from './events.ts'
import { type PriceView, sellerPriceWithin, wantedPrice } from './strategies.ts'
import { usualNow } from './usual.ts'

/** Minutes between two rounds of a seller, at intensity 1. */
const cadence: Readonly<Record<MarketStrategy, number>> = {
  undercutter: 45,
  percentUndercutter: 120,
  matcher: 120,
  premium: 720,
  opportunist: 180,
  restocker: 240,
  scheduled: 120,
  warrior: 90,
}
const fastest = 5
const slowest = 24 * 60
/** Further offers, besides the watched ones, that a seller checks in a round. */
const OTHERS_PER_ROUND = 6
/**
 * How many of its most contested offers a seller watches, and the probability of checking one in a
 * round, watched or not.
 */
const WATCHED = 0.33
const attention = { watched: 0.85, other: 0.04 } as const

/**
 * The probability that a seller adds a product that others started to sell; new sellers have no
 * other offers.
 */
const assortment = { newcomer: 0.45, established: 0.1 } as const

/**
 * The pricing strategy of the seller with this index: every strategy in turn, starting at an offset
 * from the seed.
 */
export function strategyOf(seed: string | number, place: number): MarketStrategy {
  const first = chanceOf(seed, 'strategies').between(0, marketStrategies.length - 1)
  return marketStrategies[(first + place) % marketStrategies.length] ?? 'matcher'
}

/**
 * Simulates competitors: they check their offers in rounds, re-price by their strategy, restock,
 * and follow others to new products.
 */
export function createCompetitors(world: MarketWorld) {
  const seed = () => world.run().seed

  /** The times of a seller's rounds within an hour: regular, with a few seconds of variation. */
  function roundsOf(sellerId: string, strategy: MarketStrategy, hour: number): number[] {
    const { intensity } = world.run()
    const period = Math.max(fastest, Math.min(cadence[strategy] / intensity, slowest)) * MINUTE
    const phase = chanceOf(seed(), 'phase', sellerId).next() * period
    const times: number[] = []
    for (
      let turn = Math.floor((hour - phase) / period) - 1;
      phase + turn * period < hour + HOUR;
      turn += 1
    ) {
      const at = Math.floor(
        phase + turn * period + chanceOf(seed(), 'turn', sellerId, turn).next() * MINUTE,
      )
      if (at >= hour && at < hour + HOUR) times.push(at)
    }
    return times
  }

  const keysOf = (product: MarketProduct, of: string, count: number): string[] => {
    const random = chanceOf(seed(), 'keys', of, world.now())
    return Array.from({ length: count }, () =>
      unitValue(random, product.platform, product.deliveryType),
    )
  }

  const percentOf = (seller: MarketSeller, kind: MarketKind): number =>
    seller.commission[commissionClassOf(kind)]

  function floorOf(seller: MarketSeller, productId: string, usual: Cents): Cents {
    return cents(
      Math.max(
        1,
        Math.round(usual * (0.74 + chanceOf(seed(), 'costs', seller.id, productId).next() * 0.14)),
      ),
    )
  }

  function viewOf(seller: MarketSeller, offer: OfferRecord, usual: Cents): PriceView {
    const at = world.now()
    const { productId } = offer
    return {
      own: offer.customerPrice,
      rival: world.supply(productId).find(({ no }) => no !== offer.no)?.customerPrice ?? null,
      usual,
      floor: floorOf(seller, productId, usual),
      ceiling: cents(Math.ceil(usual * 1.35)),
      hour: hourOf(at),
      weekend: isWeekend(at),
      war: chanceOf(seed(), 'war', seller.id, productId, Math.floor(at / DAY)).chance(0.12),
    }
  }

  function reprice(
    seller: MarketSeller,
    strategy: MarketStrategy,
    offer: OfferRecord,
    usual: Cents,
  ): void {
    const kind = world.kindOf(offer.productId)
    if (!kind) return
    const view = viewOf(seller, offer, usual)
    const wanted = wantedPrice(strategy, view, chanceOf(seed(), 'price', offer.id, world.now()))
    if (wanted === offer.customerPrice) return
    const price = sellerPriceWithin(wanted, percentOf(seller, kind))
    const kept =
      customerPriceUnder(price, seller.commission, kind) < view.floor
        ? cents(Math.min(price + 1, sellerPriceBounds.max))
        : price
    if (kept !== offer.price) world.reprice(offer, kept)
  }

  function restock(strategy: MarketStrategy, offer: OfferRecord): void {
    const random = chanceOf(seed(), 'restock', offer.id, world.now())
    const [low, chance, least, most] =
      strategy === 'restocker' ? [0, 0.08, 8, 36] : [2, 0.12, 3, 20]
    if (offer.stock > low || !random.chance(chance)) return
    const product = world.product(offer.productId)
    if (product) world.restock(offer, keysOf(product, offer.id, random.between(least, most)))
  }

  function consider(seller: MarketSeller, strategy: MarketStrategy, offer: OfferRecord): void {
    restock(strategy, offer)
    const usual = usualNow(world, offer.productId)
    if (offer.stock > 0 && usual !== null) reprice(seller, strategy, offer, usual)
  }

  /** Starts selling a product that suits the seller. */
  function takeUp(seller: MarketSeller, productId: string): void {
    const likely = seller.newcomer ? assortment.newcomer : assortment.established
    if (
      !chanceOf(seed(), 'assortment', seller.id, productId).chance(likely) ||
      world.offerOf(seller.id, productId)
    )
      return
    const product = world.product(productId)
    const usual = usualNow(world, productId)
    if (!product || usual === null) return
    const random = chanceOf(seed(), 'takes up', seller.id, productId)
    const price = sellerPriceWithin(
      cents(Math.max(1, Math.round(usual * (0.98 + random.next() * 0.14)))),
      percentOf(seller, product),
    )
    world.offer(
      seller.id,
      productId,
      price,
      keysOf(product, `${seller.id} ${productId}`, random.between(3, 20)),
    )
  }

  return {
    begin(): void {
      for (let place = world.shops().length; place < names.shops.length; place += 1)
        world.openShop(names.shops[place] ?? '')
      for (let count = world.sellerCount(); count < world.run().sellers; count += 1)
        world.openSeller(names.sellers[count % names.sellers.length] ?? '')
      const challenged = world.contestedProducts()
      for (const seller of world.sellers())
        if (seller.newcomer) for (const product of challenged) takeUp(seller, product)
    },

    /** Schedules the rounds from now until `to`. */
    plan(to: number): void {
      const { intensity, seed: text } = world.run()
      if (!(intensity > 0)) return
      const now = world.now()
      const hour = Math.floor(now / HOUR) * HOUR
      for (const { id, place } of world.sellers()) {
        for (const at of roundsOf(id, strategyOf(text, place), hour))
          if (at >= now && at < to) world.schedule(at, written({ kind: 'round', seller: id }))
        const random = chanceOf(text, 'look around', id)
        const at = hour + Math.floor(random.next() * HOUR)
        if (random.between(0, 23) === hourOf(hour) && at >= now && at < to)
          world.schedule(at, written({ kind: 'look-around', seller: id }))
      }
    },

    round(sellerId: string): void {
      const seller = world.seller(sellerId)
      if (!seller) return
      const strategy = strategyOf(seed(), seller.place)
      const random = chanceOf(seed(), 'round', sellerId, world.now())
      for (const offer of world.contestedOffers(sellerId)) {
        const watched = chanceOf(seed(), 'watches', offer.id).chance(WATCHED)
        if (random.chance(watched ? attention.watched : attention.other))
          consider(seller, strategy, offer)
      }
      for (const offer of world.someOffers(sellerId, random.next(), OTHERS_PER_ROUND))
        consider(seller, strategy, offer)
    },

    lookAround(sellerId: string): void {
      const seller = world.seller(sellerId)
      if (seller) for (const product of world.contestedProducts()) takeUp(seller, product)
    },
  }
}
