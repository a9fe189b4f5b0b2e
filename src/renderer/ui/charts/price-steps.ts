import { type Cents, cents } from '../../../../server/api/money.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../server/api/time.ts'

/** A price from a moment on; null: no price (out of stock, unknown). */
export interface PricePoint {
  at: number
  cents: Cents | null
}
export interface Span {
  from: number
  to: number
}

/** The spans in which a step line has no value, up to `until`. */
export function gapsOf(points: readonly PricePoint[], until: number): Span[] {
  const gaps: Span[] = []
  points.forEach((point, index) => {
    if (point.cents !== null) return
    const to = points[index + 1]?.at ?? until
    const before = gaps.at(-1)
    if (before !== undefined && before.to === point.at) before.to = to
    else gaps.push({ from: point.at, to })
  })
  return gaps
}

/** The value of a step line at a moment: the value of the last point at or before it. */
export function valueAt(points: readonly PricePoint[], at: number): Cents | null {
  let value: Cents | null = null
  for (const point of points) {
    if (point.at > at) break
    value = point.cents
  }
  return value
}

/** The spans in which `own` is above `other`: the time behind. */
export function spansBehind(
  own: readonly PricePoint[],
  other: readonly PricePoint[],
  until: number,
): Span[] {
  const moments = [...new Set([...own, ...other].map((point) => point.at))].sort((a, b) => a - b)
  const spans: Span[] = []
  moments.forEach((at, index) => {
    const mine = valueAt(own, at)
    const best = valueAt(other, at)
    if (mine === null || best === null || mine <= best) return
    const to = moments[index + 1] ?? until
    const before = spans.at(-1)
    if (before !== undefined && before.to === at) before.to = to
    else spans.push({ from: at, to })
  })
  return spans
}

/** The points from a moment on, starting with the value that was valid then. */
export function pointsSince(points: readonly PricePoint[], from: number): PricePoint[] {
  const later = points.filter((point) => point.at > from)
  const before = points.findLast((point) => point.at <= from)
  return before === undefined ? later : [{ at: from, cents: before.cents }, ...later]
}

const nice = [
  1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000, 20_000, 50_000,
  100_000, 1_000_000, 10_000_000,
]

/** Distances of the labels of a time axis, ascending. */
const timeSteps = [
  ...[5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14, 30, 60, 90].map((days) => days * DAY_MS),
]

/**
 * Up to four round times between two moments, and the end itself. Times too close to the end are
 * left out, because its label is there.
 *
 * @param zoneMs How far this computer's time zone is ahead of UTC, in milliseconds.
 */
export function timeTicks(from: number, to: number, zoneMs: number): number[] {
  const step = timeSteps.find((each) => (to - from) / each <= 4) ?? 365 * DAY_MS
  const first = Math.ceil((from + zoneMs) / step) * step - zoneMs
  const count = Math.max(0, Math.ceil((to - step / 2 - first) / step))
  return [...Array.from({ length: count }, (_, index) => first + index * step), to]
}

/** Three or four round amounts in cents around the values, for the grid lines. */
export function priceTicks(values: readonly Cents[]): Cents[] {
  if (values.length === 0) return []
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const step =
    nice.find((each) => Math.ceil(high / each) - Math.floor(low / each) <= 3) ?? 100_000_000
  const first = Math.max(0, Math.floor(low / step) * step)
  const last = Math.max(first + 2 * step, Math.ceil(high / step) * step)
  return Array.from({ length: Math.round((last - first) / step) + 1 }, (_, index) =>
    cents(first + index * step),
  )
}
