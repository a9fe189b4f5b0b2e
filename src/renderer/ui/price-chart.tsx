import { useState } from 'react'
import {
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceDot,
  ReferenceLine,
  ResponsiveContainer,
  XAxis,
  YAxis,
} from 'recharts'
import { LinkButton } from './button.tsx'
import { formatCents, formatClock, formatCount, formatDayOfYear, formatMoment } from './format.ts'
import styles from './price-chart.module.css'
import { behindSpans, gapsOf, type PricePoint, priceTicks, valueAt } from './price-steps.ts'

/**
 * A pricing decision at a moment, sent or held back: a dot on the own line and a row of the table.
 */
export interface PriceMark {
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
  floorCents?: number | null
  /** A proposed price: a dashed line to a hollow dot on the right. */
  proposalCents?: number | null
  marks?: readonly PriceMark[]
  /** Labels the last band with the time the lead was lost, while it is still lost. */
  tellsLoss?: boolean
  height?: number
  /** The caption under the chart: "Saved since 4 Aug. Gray: out of stock." */
  note?: string
}

const none: readonly PricePoint[] = []
const noMarks: readonly PriceMark[] = []

/**
 * Prices as step lines, with current values in the legend, time behind as an amber band and gaps in
 * gray. The same data is available as a table.
 */
export function PriceChart({
  label,
  from,
  to,
  line,
  best = none,
  floorCents = null,
  proposalCents = null,
  marks = noMarks,
  tellsLoss = false,
  height = 168,
  note,
}: PriceChartProps) {
  const [asTable, setAsTable] = useState(false)
  const behind = behindSpans(line.points, best, to)
  const isBehind = (at: number): boolean => behind.some((span) => at >= span.from && at < span.to)
  // A state that started before the chart's range starts at its left edge.
  const edge = valueAt(line.points, from) === null ? [] : [{ at: from }]
  const moments = [
    ...new Set(
      [
        ...edge,
        ...line.points,
        ...best,
        ...marks,
        ...behind.flatMap((span) => [{ at: span.from }, { at: span.to }]),
      ]
        .map((point) => point.at)
        .filter((at) => at >= from && at <= to),
    ),
    to,
  ].sort((a, b) => a - b)
  const gaps = gapsOf(line.points, to)
  const data = moments.flatMap((at) => {
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
  const prices = [...data.flatMap((point) => [point.line, point.best]), proposalCents].filter(
    (value) => value !== null,
  )
  // A floor far below would leave too little height for the prices, so only the legend shows it
  // then.
  const floorNear =
    floorCents !== null && prices.every((value) => floorCents >= value * 0.5) ? floorCents : null
  const values = floorNear === null ? prices : [...prices, floorNear]
  const ticks = priceTicks(values)
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0)
  const domain = [
    Math.min(...values, ticks[1] ?? 0) - step * 0.35,
    Math.max(...values, ticks.at(-2) ?? 1) + step * 0.35,
  ]
  const now = valueAt(line.points, to)
  const bestNow = valueAt(best, to)
  const stroke = line.tone === 'own' ? 'var(--kd-accent)' : 'var(--kd-chart-other)'
  const marked = marks.flatMap((mark) => {
    const cents = mark.at < from || mark.at > to ? null : valueAt(line.points, mark.at)
    return cents === null ? [] : [{ ...mark, cents }]
  })
  const lost = tellsLoss ? behind.find((span) => span.to === to && span.from > from) : undefined
  // About six pixels per digit at this font size.
  const axisWidth = Math.max(42, ...ticks.map((tick) => formatCents(tick).length * 6 + 6))
  const axisText = { fontSize: 10.5, fill: 'var(--kd-text-3)' }
  const dayTicks = [from, from + (to - from) / 3, from + (2 * (to - from)) / 3, to]
  const tell = (at: number): string =>
    at === to ? 'Now' : to - from > 3 * 86_400_000 ? formatDayOfYear(at) : formatClock(at)
  return (
    <figure className={styles.chart} aria-label={label}>
      <div className={styles.legend}>
        <span>
          <i data-tone={line.tone} />
          {line.name} <b>{now === null ? 'none' : formatCents(now)}</b>
        </span>
        {bestNow === null || !isBehind(to - 1) ? null : (
          <span>
            <i data-tone="other" />
            Best <b>{formatCents(bestNow)}</b>
          </span>
        )}
        {floorCents === null ? null : (
          <span>
            <i data-tone="floor" />
            Floor <b>{formatCents(floorCents)}</b>
          </span>
        )}
        {marked.length === 0 ? null : (
          <span>
            <i data-tone="mark" />
            Decisions <b>{formatCount(marked.length)}</b>
          </span>
        )}
        <LinkButton className={styles.switch} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </LinkButton>
      </div>
      {asTable ? (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Since</th>
              <th scope="col">{line.name}</th>
              {best.length === 0 ? null : <th scope="col">Best</th>}
              {marked.length === 0 ? null : <th scope="col">Decision</th>}
            </tr>
          </thead>
          <tbody>
            {data
              .slice(0, -1)
              .toReversed()
              .map((point) => (
                <tr key={`${point.at} ${point.line}`}>
                  <td>{formatMoment(point.at, to)}</td>
                  <td>{point.line === null ? 'none' : formatCents(point.line)}</td>
                  {best.length === 0 ? null : (
                    <td>{point.best === null ? '' : formatCents(point.best)}</td>
                  )}
                  {marked.length === 0 ? null : (
                    <td>
                      {marked
                        .filter(({ at }) => at === point.at)
                        .map((mark) => mark.label)
                        .join(', ')}
                    </td>
                  )}
                </tr>
              ))}
          </tbody>
        </table>
      ) : (
        <div aria-hidden style={{ height }}>
          <ResponsiveContainer width="100%" height="100%">
            <ComposedChart
              data={data}
              margin={{ top: 6, right: 0, bottom: 0, left: 0 }}
              accessibilityLayer={false}
            >
              <CartesianGrid vertical={false} syncWithTicks stroke="var(--kd-chart-grid)" />
              <XAxis
                dataKey="at"
                type="number"
                domain={[from, to]}
                ticks={dayTicks}
                tickFormatter={tell}
                tick={axisText}
                axisLine={false}
                tickLine={false}
                height={20}
                interval="preserveStartEnd"
              />
              <YAxis
                orientation="right"
                width={axisWidth}
                domain={domain}
                ticks={ticks.filter((tick) => tick >= (domain[0] ?? 0) && tick <= (domain[1] ?? 0))}
                tickFormatter={(cents: number) => formatCents(cents)}
                tick={axisText}
                axisLine={false}
                tickLine={false}
              />
              {behind.map((span) => (
                <ReferenceArea
                  key={span.from}
                  x1={Math.max(from, span.from)}
                  x2={span.to}
                  fill="var(--kd-chart-behind)"
                  fillOpacity={1}
                  stroke="none"
                  {...(span === lost && {
                    label: {
                      value: `lost at ${formatClock(span.from)}`,
                      position: 'insideTopRight',
                      fontSize: 10.5,
                      fill: 'var(--kd-warn-text)',
                    },
                  })}
                />
              ))}
              {gaps.map((span) => (
                <ReferenceArea
                  key={span.from}
                  x1={Math.max(from, span.from)}
                  x2={span.to}
                  fill="var(--kd-chart-gap)"
                  fillOpacity={1}
                  stroke="none"
                />
              ))}
              {floorNear === null ? null : (
                <ReferenceLine y={floorNear} stroke="var(--kd-chart-other)" strokeDasharray="2 3" />
              )}
              <Line
                dataKey="best"
                type="stepAfter"
                stroke="var(--kd-chart-other)"
                strokeWidth={1.75}
                dot={false}
                isAnimationActive={false}
              />
              <Line
                dataKey="line"
                type="stepAfter"
                stroke={stroke}
                strokeWidth={1.75}
                dot={false}
                isAnimationActive={false}
              />
              {marked.map((mark) => (
                <ReferenceDot
                  key={`${mark.at} ${mark.label}`}
                  x={mark.at}
                  y={mark.cents}
                  r={3}
                  fill={mark.tone === 'done' ? 'var(--kd-accent)' : 'var(--kd-panel)'}
                  stroke={mark.tone === 'done' ? 'var(--kd-panel)' : 'var(--kd-warn)'}
                  strokeWidth={mark.tone === 'done' ? 1 : 1.75}
                />
              ))}
              {proposalCents === null || now === null ? null : (
                <ReferenceLine
                  segment={[
                    { x: to, y: now },
                    { x: to, y: proposalCents },
                  ]}
                  stroke="var(--kd-accent)"
                  strokeWidth={1.75}
                  strokeDasharray="3 3"
                />
              )}
              {proposalCents === null ? (
                now === null || line.tone === 'own' ? null : (
                  <ReferenceDot x={to} y={now} r={3} fill={stroke} stroke="none" />
                )
              ) : (
                <ReferenceDot
                  x={to}
                  y={proposalCents}
                  r={3.5}
                  fill="var(--kd-panel)"
                  stroke="var(--kd-accent)"
                  strokeWidth={1.75}
                />
              )}
            </ComposedChart>
          </ResponsiveContainer>
        </div>
      )}
      {note === undefined ? null : <figcaption className={styles.note}>{note}</figcaption>}
    </figure>
  )
}
