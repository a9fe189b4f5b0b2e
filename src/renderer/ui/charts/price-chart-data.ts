import type { Cents } from '../../../../server/api/money.ts'
import {
  spansBehind,
  gapsOf,
  type PricePoint,
  priceTicks,
  type Span,
  valueAt,
} from './price-steps.ts'

/**
 * A pricing decision at a moment, sent or held back: a dot on the own line and a row of the table.
 */
interface PriceMark {
  at: number
  label: string
  tone: 'done' | 'held'
}

export interface PriceChartProps {
  /** The accessible name of the chart: "Price history of Hollow Tide". */
  label: string
  from: number
  to: number
  /** The own price, or the shop's price where no offer exists; drawn first. */
  line: { name: string; points: readonly PricePoint[]; tone: 'own' | 'other' }
  /** The best other price, drawn only while behind. */
  best?: readonly PricePoint[]
  floorCents?: Cents | null
  /** A proposed price: a dashed line to a hollow dot on the right. */
  proposalCents?: Cents | null
  marks?: readonly PriceMark[]
  /** Labels the last band with the time the lead was lost, while it is still lost. */
  tellsLoss?: boolean
  height?: number
  /** The caption under the chart: "Saved since 4 Aug. Gray: out of stock." */
  note?: string
}

/** A moment of the chart with the prices that are valid from then on. */
interface ChartPoint {
  at: number
  line: Cents | null
  best: Cents | null
}

export interface PriceChartData {
  points: ChartPoint[]
  /** The time behind. */
  behind: Span[]
  /** The time without an own price. */
  gaps: Span[]
  /** The time behind that still lasts, if the chart labels it. */
  lost: Span | undefined
  /** Decisions within the chart's range, with the price at that time. */
  marks: (PriceMark & { cents: Cents })[]
  now: Cents | null
  /** Null while leading: then the best price is the own one. */
  bestNow: Cents | null
  /** Null if the floor is too far below the prices to draw it. */
  floor: Cents | null
  ticks: Cents[]
  domain: [low: number, high: number]
}

/** The contents of a price chart, without its looks. */
export function priceChartData({
  from,
  to,
  line,
  best = [],
  floorCents = null,
  proposalCents = null,
  marks = [],
  tellsLoss = false,
}: PriceChartProps): PriceChartData {
  const behind = spansBehind(line.points, best, to)
  const isBehind = (at: number): boolean => behind.some((span) => at >= span.from && at < span.to)
  const gaps = gapsOf(line.points, to)
  const points = momentsOf({ from, to, line: line.points, best, marks, behind }).flatMap((at) => {
    const point = {
      at,
      line: valueAt(line.points, at),
      best: isBehind(at) || behind.some((span) => span.to === at) ? valueAt(best, at) : null,
    }
    // Draw a step to its end only where a value follows.
    return gaps.some((gap) => gap.from === at)
      ? [{ ...point, line: valueAt(line.points, at - 1) }, point]
      : [point]
  })
  const prices = [...points.flatMap((point) => [point.line, point.best]), proposalCents].filter(
    (value) => value !== null,
  )
  // A floor far below would leave too little height for the prices, so only the legend shows it
  // then.
  const floor =
    floorCents !== null && prices.every((value) => floorCents >= value * 0.5) ? floorCents : null
  return {
    points,
    behind,
    gaps,
    lost: tellsLoss ? behind.find((span) => span.to === to && span.from > from) : undefined,
    marks: marks.flatMap((mark) => {
      const cents = mark.at < from || mark.at > to ? null : valueAt(line.points, mark.at)
      return cents === null ? [] : [{ ...mark, cents }]
    }),
    now: valueAt(line.points, to),
    bestNow: isBehind(to - 1) ? valueAt(best, to) : null,
    floor,
    ...scaleOf(floor === null ? prices : [...prices, floor]),
  }
}

/** Every moment at which something changes, within the chart's range. */
function momentsOf({
  from,
  to,
  line,
  best,
  marks,
  behind,
}: {
  from: number
  to: number
  line: readonly PricePoint[]
  best: readonly PricePoint[]
  marks: readonly PriceMark[]
  behind: readonly Span[]
}): number[] {
  // A state that started before the chart's range starts at its left edge.
  const edge = valueAt(line, from) === null ? [] : [{ at: from }]
  const changes = [
    ...edge,
    ...line,
    ...best,
    ...marks,
    ...behind.flatMap((span) => [{ at: span.from }, { at: span.to }]),
  ]
    .map((point) => point.at)
    .filter((at) => at >= from && at <= to)
  return [...new Set(changes), to].sort((a, b) => a - b)
}

function scaleOf(values: readonly Cents[]): Pick<PriceChartData, 'ticks' | 'domain'> {
  const ticks = priceTicks(values)
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0)
  return {
    ticks,
    domain: [
      Math.min(...values, ticks[1] ?? 0) - step * 0.35,
      Math.max(...values, ticks.at(-2) ?? 1) + step * 0.35,
    ],
  }
}
