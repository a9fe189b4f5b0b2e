import { type SeededRandom, seededRandom } from '../random.ts'

/**
 * The random stream for one decision. It depends on the run's seed and the decision's subject
 * (kind, time, actor, product), never on earlier decisions, so that their order doesn't matter and
 * a restart changes nothing.
 */
export const randomFor = (
  seed: string | number,
  ...about: readonly (string | number)[]
): SeededRandom => seededRandom([seed, ...about].join('|'))

/** A random count with the expected value `mean` (Poisson), for means up to a few hundred. */
export function arrivals(random: SeededRandom, mean: number): number {
  if (!(mean > 0)) return 0
  // Large means are split, because e to their negative power would underflow.
  if (mean > 30) return arrivals(random, 30) + arrivals(random, mean - 30)
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random.next(); product > limit; product *= random.next()) count += 1
  return count
}
