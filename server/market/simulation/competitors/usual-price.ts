import { type Cents, cents } from '../../../api/money.ts'
import type { MarketWorld } from '../../../domain/ports/market.ts'
import { DAY } from '../calendar.ts'
import { randomFor } from '../random-for.ts'

/**
 * A product's usual customer price at a time: its first price, varied from day to day in slow waves
 * of a few percent. Null for a product that was never sold.
 */
export function usualPriceNow(world: MarketWorld, productId: string): Cents | null {
  const first = world.usualPrice(productId)
  if (first === null) return null
  const random = randomFor(world.run().seed, 'wave', productId)
  const period = (9 + random.next() * 14) * DAY
  const phase = random.next()
  const day = Math.floor(world.now() / DAY) * DAY
  return cents(
    Math.max(1, Math.round(first * (1 + 0.05 * Math.sin(2 * Math.PI * (day / period + phase))))),
  )
}
