import { useState } from 'react'
import { CartesianGrid, ComposedChart, Line, ResponsiveContainer, XAxis, YAxis } from 'recharts'
import type { SimulationResult } from '../../../../contract/price-watch/price-simulation.ts'
import { LinkButton } from '../../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { said } from './simulation-figures.ts'
import type { Kind } from './simulation-figures.ts'
import styles from './simulation.module.css'

const days = {
  lead: { label: 'Lead', kind: 'share' },
  units: { label: 'Units', kind: 'count' },
  revenueCents: { label: 'Revenue', kind: 'cents' },
  changes: { label: 'Changes', kind: 'count' },
} as const
type Measure = keyof typeof days
/** Maximum number of days labeled below the chart. */
const MOST_TICKS = 8

/** Both sets by day, as a chart or a table. */
export function SimulationDays({ a, b }: { a: SimulationResult; b: SimulationResult }) {
  const [measure, setMeasure] = useState<Measure>('lead')
  const [asTable, setAsTable] = useState(false)
  const { kind } = days[measure]
  const data = a.days.map((day, index) => ({
    day: index + 1,
    a: day[measure],
    b: b.days[index]?.[measure] ?? null,
  }))
  return (
    <figure className={styles.days} aria-label={`${days[measure].label} by day`}>
      <figcaption>
        <b>{days[measure].label} by day</b>
        <span>
          <i data-set="a" />A
        </span>
        <span>
          <i data-set="b" />B
        </span>
        <span className={styles.daysEnd}>
          <CountTabs
            label="Measure"
            value={measure}
            onChange={setMeasure}
            tabs={(Object.keys(days) as Measure[]).map((id) => ({ id, label: days[id].label }))}
          />
          <LinkButton onClick={() => setAsTable(!asTable)}>
            {asTable ? 'Show as chart' : 'Show as table'}
          </LinkButton>
        </span>
      </figcaption>
      {asTable ? <DayTable data={data} kind={kind} /> : <DayChart data={data} kind={kind} />}
    </figure>
  )
}

type DayPoint = { day: number; a: number | null; b: number | null }

function DayTable({ data, kind }: { data: readonly DayPoint[]; kind: Kind }) {
  return (
    <table className={styles.differ}>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">A</th>
          <th scope="col">B</th>
        </tr>
      </thead>
      <tbody>
        {data.map((point) => (
          <tr key={point.day}>
            <th scope="row">{point.day}</th>
            <td>{said(point.a, kind)}</td>
            <td>{said(point.b, kind)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function DayChart({ data, kind }: { data: readonly DayPoint[]; kind: Kind }) {
  const last = data.at(-1)
  // A step line only reaches the end of its last day with one more point.
  const drawn = last === undefined ? data : [...data, { ...last, day: last.day + 1 }]
  const every = Math.ceil(data.length / MOST_TICKS)
  const axis = { fontSize: 10.5, fill: 'var(--kd-text-3)' }
  return (
    <ResponsiveContainer width="100%" height={200}>
      <ComposedChart
        data={drawn}
        margin={{ top: 8, right: 4, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--kd-chart-grid)" />
        <XAxis
          dataKey="day"
          type="number"
          domain={[1, data.length + 1]}
          ticks={data.filter((_, index) => index % every === 0).map(({ day }) => day + 0.5)}
          tickFormatter={(at: number) => `day ${at - 0.5}`}
          tick={axis}
          tickLine={false}
          axisLine={false}
          interval={0}
        />
        <YAxis
          orientation="right"
          tick={axis}
          tickLine={false}
          axisLine={false}
          width={58}
          domain={['auto', 'auto']}
          tickFormatter={(value: number) => said(value, kind)}
        />
        <Line
          dataKey="a"
          type="stepAfter"
          stroke="var(--kd-chart-other)"
          strokeWidth={1.75}
          dot={false}
          isAnimationActive={false}
        />
        <Line
          dataKey="b"
          type="stepAfter"
          stroke="var(--kd-accent)"
          strokeWidth={1.75}
          dot={false}
          isAnimationActive={false}
        />
      </ComposedChart>
    </ResponsiveContainer>
  )
}
