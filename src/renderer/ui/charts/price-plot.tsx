import type { ReactNode } from 'react'
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
import type { Cents } from '../../../../server/api/money.ts'
import { formatCents, formatClock, formatDayOfYear } from '../format.ts'
import type { PriceChartData } from './price-chart-data.ts'
import { timeTicks, type Span } from './price-steps.ts'
import { DAY_MS, MINUTE_MS } from '../../../../server/api/time.ts'

const axisText = { fontSize: 10.5, fill: 'var(--kd-text-3)' }

interface PricePlotProps {
  data: PriceChartData
  from: number
  to: number
  tone: 'own' | 'other'
  proposalCents: Cents | null
  height: number
}

/** The drawing of a price chart. Recharts finds its parts only as direct elements of the chart. */
export function PricePlot({ data, from, to, tone, proposalCents, height }: PricePlotProps) {
  const { now, ticks, domain } = data
  const stroke = tone === 'own' ? 'var(--kd-accent)' : 'var(--kd-chart-other)'
  // About six pixels per digit at this font size.
  const axisWidth = Math.max(42, ...ticks.map((tick) => formatCents(tick).length * 6 + 6))
  const zoneMs = -new Date(to).getTimezoneOffset() * MINUTE_MS
  const timeLabel = (at: number): string =>
    at === to ? 'Now' : (at + zoneMs) % DAY_MS === 0 ? formatDayOfYear(at) : formatClock(at)
  return (
    <div aria-hidden style={{ height }}>
      <ResponsiveContainer width="100%" height="100%">
        <ComposedChart
          data={data.points}
          margin={{ top: 6, right: 0, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid vertical={false} syncWithTicks stroke="var(--kd-chart-grid)" />
          <XAxis
            dataKey="at"
            type="number"
            domain={[from, to]}
            ticks={timeTicks(from, to, zoneMs)}
            tickFormatter={timeLabel}
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
            ticks={ticks.filter((tick) => tick >= domain[0] && tick <= domain[1])}
            tickFormatter={(cents: Cents) => formatCents(cents)}
            tick={axisText}
            axisLine={false}
            tickLine={false}
          />
          {data.behind.map((span) =>
            band(span, from, 'var(--kd-chart-behind)', span === data.lost),
          )}
          {data.gaps.map((span) => band(span, from, 'var(--kd-chart-gap)', false))}
          {data.floor === null ? null : (
            <ReferenceLine y={data.floor} stroke="var(--kd-chart-other)" strokeDasharray="2 3" />
          )}
          {stepLine('best', 'var(--kd-chart-other)')}
          {stepLine('line', stroke)}
          {data.marks.map(decisionDot)}
          {proposalCents === null
            ? now === null || tone === 'own'
              ? null
              : currentDot(to, now, stroke)
            : proposalMarks(to, now, proposalCents)}
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  )
}

const stepLine = (dataKey: 'line' | 'best', stroke: string): ReactNode => (
  <Line
    dataKey={dataKey}
    type="stepAfter"
    stroke={stroke}
    strokeWidth={1.75}
    dot={false}
    isAnimationActive={false}
  />
)

const band = (span: Span, from: number, fill: string, isLost: boolean): ReactNode => (
  <ReferenceArea
    key={span.from}
    x1={Math.max(from, span.from)}
    x2={span.to}
    fill={fill}
    fillOpacity={1}
    stroke="none"
    {...(isLost && {
      label: {
        value: `lost at ${formatClock(span.from)}`,
        position: 'insideTopRight',
        fontSize: 10.5,
        fill: 'var(--kd-warn-text)',
      },
    })}
  />
)

const decisionDot = (mark: PriceChartData['marks'][number]): ReactNode => (
  <ReferenceDot
    key={`${mark.at} ${mark.label}`}
    x={mark.at}
    y={mark.cents}
    r={3}
    fill={mark.tone === 'done' ? 'var(--kd-accent)' : 'var(--kd-panel)'}
    stroke={mark.tone === 'done' ? 'var(--kd-panel)' : 'var(--kd-warn)'}
    strokeWidth={mark.tone === 'done' ? 1 : 1.75}
  />
)

const currentDot = (to: number, now: number, fill: string): ReactNode => (
  <ReferenceDot x={to} y={now} r={3} fill={fill} stroke="none" />
)

/** A dashed line from the current price to a hollow dot at the proposed one. */
const proposalMarks = (to: number, now: number | null, proposalCents: Cents): ReactNode => [
  now === null ? null : (
    <ReferenceLine
      key="line"
      segment={[
        { x: to, y: now },
        { x: to, y: proposalCents },
      ]}
      stroke="var(--kd-accent)"
      strokeWidth={1.75}
      strokeDasharray="3 3"
    />
  ),
  <ReferenceDot
    key="dot"
    x={to}
    y={proposalCents}
    r={3.5}
    fill="var(--kd-panel)"
    stroke="var(--kd-accent)"
    strokeWidth={1.75}
  />,
]
