import { lazy, Suspense, useState } from 'react'
import type { Cents } from '../../../../server/api/money.ts'
import { LinkButton } from '../controls/buttons/button.tsx'
import { formatCents, formatCount, formatMoment } from '../format.ts'
import { priceChartData, type PriceChartData, type PriceChartProps } from './price-chart-data.ts'
import styles from './price-chart.module.css'

// The charts' library is larger than all pages that show a price, which appear without it.
const PricePlot = lazy(async () => ({ default: (await import('./price-plot.tsx')).PricePlot }))

/**
 * Prices as step lines, with current values in the legend, time behind as an amber band and gaps in
 * gray. The same data is available as a table.
 */
export function PriceChart(props: PriceChartProps) {
  const { label, from, to, line, best = [], proposalCents = null, height = 168, note } = props
  const [asTable, setAsTable] = useState(false)
  const data = priceChartData(props)
  return (
    <figure className={styles.chart} aria-label={label}>
      <div className={styles.legend}>
        <Legend line={line} floorCents={props.floorCents ?? null} data={data} />
        <LinkButton className={styles.switch} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </LinkButton>
      </div>
      {asTable ? (
        <PriceTable name={line.name} data={data} to={to} hasBest={best.length > 0} />
      ) : (
        <Suspense fallback={<div style={{ height }} />}>
          <PricePlot
            data={data}
            from={from}
            to={to}
            tone={line.tone}
            proposalCents={proposalCents}
            height={height}
          />
        </Suspense>
      )}
      {note === undefined ? null : <figcaption className={styles.note}>{note}</figcaption>}
    </figure>
  )
}

function Legend({
  line,
  floorCents,
  data: { now, bestNow, marks },
}: {
  line: PriceChartProps['line']
  floorCents: Cents | null
  data: PriceChartData
}) {
  return (
    <>
      <span>
        <i data-tone={line.tone} />
        {line.name} <b>{now === null ? 'none' : formatCents(now)}</b>
      </span>
      {bestNow === null ? null : (
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
      {marks.length === 0 ? null : (
        <span>
          <i data-tone="mark" />
          Decisions <b>{formatCount(marks.length)}</b>
        </span>
      )}
    </>
  )
}

function PriceTable({
  name,
  data: { points, marks },
  to,
  hasBest,
}: {
  name: string
  data: PriceChartData
  to: number
  hasBest: boolean
}) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Since</th>
          <th scope="col">{name}</th>
          {hasBest ? <th scope="col">Best</th> : null}
          {marks.length === 0 ? null : <th scope="col">Decision</th>}
        </tr>
      </thead>
      <tbody>
        {points
          .slice(0, -1)
          .toReversed()
          .map((point) => (
            <tr key={`${point.at} ${point.line}`}>
              <td>{formatMoment(point.at, to)}</td>
              <td>{point.line === null ? 'none' : formatCents(point.line)}</td>
              {hasBest ? <td>{point.best === null ? '' : formatCents(point.best)}</td> : null}
              {marks.length === 0 ? null : (
                <td>
                  {marks
                    .filter(({ at }) => at === point.at)
                    .map((mark) => mark.label)
                    .join(', ')}
                </td>
              )}
            </tr>
          ))}
      </tbody>
    </table>
  )
}
