import { type Cents, fromCents, roundedEuros, ZERO } from '../../../../server/api/money.ts'
const steps = [1, 2, 2.5, 5, 10] as const

/**
 * Marks of an axis that starts at zero: three or four, in round euro amounts. The last one is at or
 * below the largest amount, in cents.
 */
export function roundTicks(mostCents: Cents): Cents[] {
  const most = fromCents(mostCents)
  if (most < 1) return [ZERO]
  const size = 10 ** Math.floor(Math.log10(most / 3))
  const step = Math.max(
    1,
    steps.map((each) => each * size).find((each) => most / each < 4) ?? 10 * size,
  )
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => roundedEuros(at * step))
}
