import { type SeededRandom, seededRandom } from '../random.ts'

/**
 * The chance of one decision: by the run's seed and what the decision is about (kind, time, actor,
 * product), never by how many were taken before, so that the order of decisions does not matter and
 * a restart changes nothing.
 */
export const chanceOf = (
  seed: string | number,
  ...about: readonly (string | number)[]
): SeededRandom => seededRandom([seed, ...about].join('|'))

/**
 * How many of something happen where `mean` are expected (Poisson); for means up to a few hundred.
 */
export function arrivals(random: SeededRandom, mean: number): number {
  if (!(mean > 0)) return 0
  // Large means are split: e to their power would vanish.
  if (mean > 30) return arrivals(random, 30) + arrivals(random, mean - 30)
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random.next(); product > limit; product *= random.next()) count += 1
  return count
}
