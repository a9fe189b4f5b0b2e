import type { MarketStrategy } from '../../../api/dashboard/market.ts'
import { type Cents, cents } from '../../../api/money.ts'
import { sellerPriceBounds } from '../../../api/schemas/offer.ts'
import { commissionClassOf, customerPriceUnder } from '../../../domain/offers/pricing.ts'
import type {
  MarketKind,
  MarketProduct,
  MarketSeller,
  MarketWorld,
} from '../../../domain/ports/market.ts'
import type { OfferRecord } from '../../../domain/ports/selling/offers.ts'
import { unitValue } from '../../demo/unit-values.ts'
import { DAY, hourOf, isWeekend } from '../calendar.ts'
import { randomFor } from '../random-for.ts'
import { type PriceView, sellerPriceWithin, wantedPrice } from './strategies.ts'
import { usualPriceNow } from './usual-price.ts'

/**
 * The probability that a seller adds a product that others started to sell; new sellers have no
 * other offers.
 */
const assortment = { newcomer: 0.45, established: 0.1 } as const

const seedOf = (world: MarketWorld) => world.run().seed

function unitValues(
  world: MarketWorld,
  product: MarketProduct,
  of: string,
  count: number,
): string[] {
  const random = randomFor(seedOf(world), 'keys', of, world.now())
  return Array.from({ length: count }, () =>
    unitValue(random, product.platform, product.deliveryType),
  )
}

const percentOf = (seller: MarketSeller, kind: MarketKind): number =>
  seller.commission[commissionClassOf(kind)]

/** The lowest customer price that pays the seller's own costs. */
function floorOf(world: MarketWorld, seller: MarketSeller, productId: string, usual: Cents): Cents {
  const share = randomFor(seedOf(world), 'costs', seller.id, productId).next()
  return cents(Math.max(1, Math.round(usual * (0.74 + share * 0.14))))
}

function viewOf(
  world: MarketWorld,
  seller: MarketSeller,
  offer: OfferRecord,
  usual: Cents,
): PriceView {
  const at = world.now()
  const { productId } = offer
  return {
    own: offer.customerPrice,
    rival: world.supply(productId).find(({ no }) => no !== offer.no)?.customerPrice ?? null,
    usual,
    floor: floorOf(world, seller, productId, usual),
    ceiling: cents(Math.ceil(usual * 1.35)),
    hour: hourOf(at),
    weekend: isWeekend(at),
    war: randomFor(seedOf(world), 'war', seller.id, productId, Math.floor(at / DAY)).chance(0.12),
  }
}

function reprice(
  world: MarketWorld,
  seller: MarketSeller,
  strategy: MarketStrategy,
  offer: OfferRecord,
  usual: Cents,
): void {
  const kind = world.kindOf(offer.productId)
  if (!kind) return
  const view = viewOf(world, seller, offer, usual)
  const wanted = wantedPrice(
    strategy,
    view,
    randomFor(seedOf(world), 'price', offer.id, world.now()),
  )
  if (wanted === offer.customerPrice) return
  const price = sellerPriceWithin(wanted, percentOf(seller, kind))
  const kept =
    customerPriceUnder(price, seller.commission, kind) < view.floor
      ? cents(Math.min(price + 1, sellerPriceBounds.max))
      : price
  if (kept !== offer.price) world.reprice(offer, kept)
}

function restock(world: MarketWorld, strategy: MarketStrategy, offer: OfferRecord): void {
  const random = randomFor(seedOf(world), 'restock', offer.id, world.now())
  const [low, chance, least, most] = strategy === 'restocker' ? [0, 0.08, 8, 36] : [2, 0.12, 3, 20]
  if (offer.stock > low || !random.chance(chance)) return
  const product = world.product(offer.productId)
  if (product)
    world.restock(offer, unitValues(world, product, offer.id, random.between(least, most)))
}

function consider(
  world: MarketWorld,
  seller: MarketSeller,
  strategy: MarketStrategy,
  offer: OfferRecord,
): void {
  restock(world, strategy, offer)
  const usual = usualPriceNow(world, offer.productId)
  if (offer.stock > 0 && usual !== null) reprice(world, seller, strategy, offer, usual)
}

/** Starts selling a product that suits the seller. */
function takeUp(world: MarketWorld, seller: MarketSeller, productId: string): void {
  const likely = seller.newcomer ? assortment.newcomer : assortment.established
  if (
    !randomFor(seedOf(world), 'assortment', seller.id, productId).chance(likely) ||
    world.offerOf(seller.id, productId)
  )
    return
  const product = world.product(productId)
  const usual = usualPriceNow(world, productId)
  if (!product || usual === null) return
  const random = randomFor(seedOf(world), 'takes up', seller.id, productId)
  const price = sellerPriceWithin(
    cents(Math.max(1, Math.round(usual * (0.98 + random.next() * 0.14)))),
    percentOf(seller, product),
  )
  world.offer(
    seller.id,
    productId,
    price,
    unitValues(world, product, `${seller.id} ${productId}`, random.between(3, 20)),
  )
}

/** The decisions of simulated sellers about single offers: price, stock and new products. */
export function createCompetitorOffers(world: MarketWorld) {
  return {
    consider: (seller: MarketSeller, strategy: MarketStrategy, offer: OfferRecord) =>
      consider(world, seller, strategy, offer),
    takeUp: (seller: MarketSeller, productId: string) => takeUp(world, seller, productId),
  }
}
