import { useState } from 'react'
import {
  Bar,
  BarChart,
  CartesianGrid,
  ReferenceArea,
  ResponsiveContainer,
  XAxis,
  YAxis,
} from 'recharts'
import { addCents, atLeast, type Cents, ZERO } from '../../../../../server/api/money.ts'
import { LinkButton } from '../../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { formatDayOfYear, formatWholeEuros } from '../../../ui/format.ts'
import { Days, Products } from './earned-tables.tsx'
import type { EarnedChartProps } from './earnings.ts'
import { roundTicks } from './round-ticks.ts'
import styles from '../sales.module.css'

const axisText = { fontSize: 10.5, fill: 'var(--kd-text-3)' }
const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: '2-digit' })

/**
 * Earnings by day or by product as bars: released in gray, pending in the accent color, held by a
 * dispute in amber on top. The same data as a table links each day to its sales.
 */
export function EarnedChart({
  bars,
  products,
  byMonth,
  litFrom,
  onBar,
  onProduct,
}: EarnedChartProps) {
  const [by, setBy] = useState<'day' | 'product'>('day')
  const [asTable, setAsTable] = useState(false)
  return (
    <figure
      className={styles.chart}
      aria-label={by === 'day' ? 'Earned by day' : 'Earned by product'}
    >
      <div className={styles.legend}>
        <b className={styles.chartTitle}>
          {by === 'product' ? 'Earned by product' : byMonth ? 'Earned by month' : 'Earned by day'}
        </b>
        {by === 'product' ? null : (
          <>
            <span>
              <i />
              Released
            </span>
            <span>
              <i data-tone="pending" />
              Pending, 7 days to dispute
            </span>
            <span>
              <i data-tone="held" />
              Held by a dispute
            </span>
          </>
        )}
        <div className={styles.legendEnd}>
          <CountTabs
            label="Bars"
            value={by}
            onChange={setBy}
            tabs={[
              { id: 'day', label: byMonth ? 'Month' : 'Day' },
              { id: 'product', label: 'Product' },
            ]}
          />
          {by === 'product' ? null : (
            <LinkButton onClick={() => setAsTable(!asTable)}>
              {asTable ? 'Show as chart' : 'Show as table'}
            </LinkButton>
          )}
        </div>
      </div>
      {by === 'product' ? (
        <Products products={products} onProduct={onProduct} />
      ) : asTable ? (
        <Days bars={bars} byMonth={byMonth} onBar={onBar} />
      ) : (
        <Bars bars={bars} byMonth={byMonth} litFrom={litFrom} onBar={onBar} />
      )}
    </figure>
  )
}

/** Stacked bars; screen readers use the table instead. */
function Bars({
  bars,
  byMonth,
  litFrom,
  onBar,
}: Pick<EarnedChartProps, 'bars' | 'byMonth' | 'litFrom' | 'onBar'>) {
  const most = atLeast(
    ZERO,
    ...bars.map(({ releasedCents, pendingCents, heldCents }) =>
      addCents(releasedCents, pendingCents, heldCents),
    ),
  )
  const nameOf = (from: number): string => (byMonth ? month.format(from) : formatDayOfYear(from))
  return (
    <div aria-hidden className={styles.bars}>
      <ResponsiveContainer width="100%" height="100%">
        <BarChart
          data={bars.map((bar) => ({ ...bar }))}
          margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
          accessibilityLayer={false}
          barCategoryGap={bars.length > 120 ? 1 : '18%'}
          onClick={({ activeLabel }) => {
            if (typeof activeLabel === 'number') onBar(activeLabel)
          }}
        >
          <CartesianGrid vertical={false} syncWithTicks stroke="var(--kd-chart-grid)" />
          <XAxis
            dataKey="from"
            tickFormatter={nameOf}
            tick={axisText}
            axisLine={false}
            tickLine={false}
            height={20}
            interval="preserveStartEnd"
            minTickGap={60}
          />
          <YAxis
            orientation="right"
            width={46}
            tickFormatter={(cents: Cents) => formatWholeEuros(cents)}
            tick={axisText}
            axisLine={false}
            tickLine={false}
            ticks={roundTicks(most)}
            domain={[0, Math.max(100, most * 1.05)]}
          />
          {litFrom === null ? null : (
            <ReferenceArea
              x1={litFrom}
              x2={litFrom}
              fill="var(--kd-tint)"
              fillOpacity={1}
              stroke="var(--kd-tint-2)"
              ifOverflow="visible"
            />
          )}
          <Bar
            dataKey="releasedCents"
            stackId="bar"
            fill="var(--kd-bar)"
            isAnimationActive={false}
          />
          <Bar
            dataKey="pendingCents"
            stackId="bar"
            fill="var(--kd-accent)"
            isAnimationActive={false}
          />
          <Bar dataKey="heldCents" stackId="bar" fill="var(--kd-warn)" isAnimationActive={false} />
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}
