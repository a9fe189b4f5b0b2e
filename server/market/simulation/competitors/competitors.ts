import names from '../../../../resources/demo/market.json' with { type: 'json' }
import { type MarketStrategy, marketStrategies } from '../../../api/dashboard/market.ts'
import type { MarketWorld } from '../../../domain/ports/market.ts'
import { HOUR, hourOf, MINUTE } from '../calendar.ts'
import { randomFor } from '../random-for.ts'
import { createCompetitorOffers } from './competitor-offers.ts'
import { formatEvent } from '../events.ts'

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
 * The pricing strategy of the seller with this index: every strategy in turn, starting at an offset
 * from the seed.
 */
export function strategyOf(seed: string | number, place: number): MarketStrategy {
  const first = randomFor(seed, 'strategies').between(0, marketStrategies.length - 1)
  return marketStrategies[(first + place) % marketStrategies.length] ?? 'matcher'
}

/**
 * Simulates competitors: they check their offers in rounds, re-price by their strategy, restock,
 * and follow others to new products.
 */
export function createCompetitors(world: MarketWorld) {
  const seed = () => world.run().seed
  const { consider, takeUp } = createCompetitorOffers(world)

  /** The times of a seller's rounds within an hour: regular, with a few seconds of variation. */
  function roundsOf(sellerId: string, strategy: MarketStrategy, hour: number): number[] {
    const { intensity } = world.run()
    const period = Math.max(fastest, Math.min(cadence[strategy] / intensity, slowest)) * MINUTE
    const phase = randomFor(seed(), 'phase', sellerId).next() * period
    const times: number[] = []
    for (
      let turn = Math.floor((hour - phase) / period) - 1;
      phase + turn * period < hour + HOUR;
      turn += 1
    ) {
      const at = Math.floor(
        phase + turn * period + randomFor(seed(), 'turn', sellerId, turn).next() * MINUTE,
      )
      if (at >= hour && at < hour + HOUR) times.push(at)
    }
    return times
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
          if (at >= now && at < to) world.schedule(at, formatEvent({ kind: 'round', seller: id }))
        const random = randomFor(text, 'look around', id)
        const at = hour + Math.floor(random.next() * HOUR)
        if (random.between(0, 23) === hourOf(hour) && at >= now && at < to)
          world.schedule(at, formatEvent({ kind: 'look-around', seller: id }))
      }
    },

    round(sellerId: string): void {
      const seller = world.seller(sellerId)
      if (!seller) return
      const strategy = strategyOf(seed(), seller.place)
      const random = randomFor(seed(), 'round', sellerId, world.now())
      for (const offer of world.contestedOffers(sellerId)) {
        const watched = randomFor(seed(), 'watches', offer.id).chance(WATCHED)
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
