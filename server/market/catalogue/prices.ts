import type { Cents } from '../../api/money.ts'
import { cents } from '../../api/money.ts'
import type { SeededRandom } from '../random.ts'

const endings = [
  { weight: 45, cents: 99 },
  { weight: 20, cents: 49 },
  { weight: 10, cents: 95 },
  { weight: 8, cents: 29 },
  { weight: 7, cents: 79 },
  { weight: 5, cents: 0 },
] as const

/**
 * A price near `euros` that looks like a real shop price; sometimes any odd amount. At least 0.49.
 */
export const shopPrice = (random: SeededRandom, euros: number): Cents => {
  const spread = euros * (0.85 + random.next() * 0.3)
  if (random.chance(0.12)) return cents(Math.max(49, Math.round(spread * 100)))
  return cents(Math.max(49, Math.floor(spread) * 100 + random.weighted(endings).cents))
}
