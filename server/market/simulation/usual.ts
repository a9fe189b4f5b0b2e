import { type Cents, cents } from '../../api/money.ts'
import type { MarketWorld } from '../../domain/ports/market.ts'
import { DAY } from './calendar.ts'
import { chanceOf } from './chance.ts'

/**
 * What a product usually costs a customer these days: what it cost first, in slow waves of a few
 * percent, from day to day. Null for what was never sold.
 */
export function usualNow(world: MarketWorld, productId: string): Cents | null {
  const first = world.usualPrice(productId)
  if (first === null) return null
  const random = chanceOf(world.run().seed, 'wave', productId)
  const period = (9 + random.next() * 14) * DAY
  const phase = random.next()
  const day = Math.floor(world.now() / DAY) * DAY
  return cents(
    Math.max(1, Math.round(first * (1 + 0.05 * Math.sin(2 * Math.PI * (day / period + phase))))),
  )
}
