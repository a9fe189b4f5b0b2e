import { type Cents, cents } from '../../api/money.ts'
import type { MarketPurchase, MarketWorld } from '../../domain/ports/market.ts'
import { marketDefaults } from '../../api/dashboard/market.ts'
import { HOUR, shareOfDay } from './calendar.ts'
import { arrivals, randomFor } from './random-for.ts'
import { formatEvent } from './events.ts'
import { type Customer, customerOf } from './people.ts'
import { usualPriceNow } from './competitors/usual-price.ts'

/**
 * Visits per day to a product of average popularity that a seller outside the simulation offers,
 * for the default number of customers.
 */
const VISITS_PER_CHALLENGED_PRODUCT = 1.6
/** The same for the rest of the catalogue, with a limit for its total per day. */
const VISITS_PER_OTHER_PRODUCT = 0.03
const MOST_OTHER_VISITS = 60

/**
 * A product's popularity relative to the average: most are slightly below, a few are several times
 * as popular. The mean is about 1.
 */
const popularity = (seed: string | number, productId: string): number =>
  Math.exp(randomFor(seed, 'popularity', productId).next() * 3 - 1.85)

/** The probability that a visitor buys; `ratio` is the price divided by the usual price. */
export const conversion = (ratio: number): number => 0.92 / (1 + Math.exp((ratio - 1.08) * 7))

/** The times of visits in the hour that starts at `hour`, `mean` of them on average. */
function visitsOfHour(world: MarketWorld, productId: string, mean: number, hour: number): number[] {
  const random = randomFor(world.run().seed, 'visits', hour, productId)
  return Array.from(
    { length: arrivals(random, mean) },
    () => hour + Math.floor(random.next() * HOUR),
  )
}

/** Schedules a visit by a random customer. */
function come(world: MarketWorld, at: number, product: string): void {
  const { seed, customers } = world.run()
  const customer = randomFor(seed, 'who', at, product).between(0, customers - 1)
  world.schedule(at, formatEvent({ kind: 'visit', customer, product }))
}

/** A random product from the rest of the catalogue. */
function anyProduct(world: MarketWorld, at: number, index: number): string | undefined {
  const random = randomFor(world.run().seed, 'any', at, index)
  return world.productAt(random.between(1, world.productCount()))
}

/** How many units the customer buys, at most those offered within the limit. */
function quantity(world: MarketWorld, at: number, productId: string, limit: Cents): number {
  const wanted = randomFor(world.run().seed, 'quantity', at, productId).weighted([
    { weight: 88, qty: 1 },
    { weight: 9, qty: 2 },
    { weight: 3, qty: 3 },
  ]).qty
  const within = world.supply(productId).filter(({ customerPrice }) => customerPrice <= limit)
  return Math.min(
    wanted,
    within.reduce((sum, { stock }) => sum + stock, 0),
  )
}

/** The shop that serves the customer's language. */
function shopOf(world: MarketWorld, { language }: Customer): string | undefined {
  const shops = world.shops()
  return shops[language.shop % Math.max(1, shops.length)]
}

/** Simulates customers that visit and buy. */
export function createDemand(world: MarketWorld) {
  return {
    /** Schedules the visits from now until `to`. */
    plan(to: number): void {
      const { seed, intensity, customers } = world.run()
      const now = world.now()
      const hour = Math.floor(now / HOUR) * HOUR
      const mean = intensity * (customers / marketDefaults.customers) * shareOfDay(hour)
      if (!(mean > 0)) return
      const challenged = world.contestedProducts()
      for (const product of challenged) {
        const times = visitsOfHour(
          world,
          product,
          mean * VISITS_PER_CHALLENGED_PRODUCT * popularity(seed, product),
          hour,
        )
        for (const at of times) if (at >= now && at < to) come(world, at, product)
      }
      const known = new Set(challenged)
      const others = Math.min(MOST_OTHER_VISITS, world.productCount() * VISITS_PER_OTHER_PRODUCT)
      visitsOfHour(world, '', mean * others, hour).forEach((at, index) => {
        const product = anyProduct(world, at, index)
        if (product !== undefined && !known.has(product) && at >= now && at < to)
          come(world, at, product)
      })
    },

    /** A customer visits a product, and possibly buys it at the cheapest offer. */
    visit(number: number, productId: string): MarketPurchase | null {
      world.count('visits')
      const product = world.product(productId)
      const [cheapest] = world.supply(productId)
      const usual = usualPriceNow(world, productId)
      if (product?.buyable !== true || !cheapest || usual === null) return null
      const { seed } = world.run()
      const customer = customerOf(seed, number)
      const at = world.now()
      const ratio = cheapest.customerPrice / (usual * customer.generosity)
      if (!randomFor(seed, 'buys', at, number, productId).chance(conversion(ratio))) return null
      const limit = cents(Math.floor(cheapest.customerPrice * 1.02))
      const qty = quantity(world, at, productId, limit)
      const shop = shopOf(world, customer)
      return shop === undefined ? null : world.buy(shop, productId, qty, limit)
    },
  }
}
