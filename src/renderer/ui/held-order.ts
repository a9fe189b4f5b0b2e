/**
 * `now` in the order of `before`: what is gone keeps its place, with none left, and what is new
 * comes last.
 */
export function inOrderOf<T extends { value: string; count: number }>(
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
