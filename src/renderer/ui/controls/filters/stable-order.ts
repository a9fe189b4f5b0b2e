/**
 * Sorts `now` in the order of `before`. Missing choices stay in place with a count of 0, and new
 * choices come last.
 */
export function stableOrder<T extends { value: string; count: number }>(
  before: readonly T[],
  now: readonly T[],
): readonly T[] {
  const counted = new Map(now.map((choice) => [choice.value, choice]))
  const known = new Set(before.map(({ value }) => value))
  return [
    ...before.map((choice) => counted.get(choice.value) ?? { ...choice, count: 0 }),
    ...now.filter(({ value }) => !known.has(value)),
  ]
}
