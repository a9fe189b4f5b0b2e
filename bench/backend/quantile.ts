/**
 * The value below which the given part of the values is, rounded to hundredths; `sorted` in
 * ascending order.
 */
export const quantile = (sorted: readonly number[], part: number): number =>
  Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 100) /
  100
