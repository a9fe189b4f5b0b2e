import { useState } from 'react'
import { StackedBars } from '../../../ui/charts/stacked-bars.tsx'
import { LinkButton } from '../../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { formatDayOfYear, formatWholeEuros } from '../../../ui/format.ts'
import { Days, Products } from './earned-tables.tsx'
import type { EarnedChartProps } from './earnings.ts'
import styles from '../sales.module.css'

const colors = ['var(--kd-bar)', 'var(--kd-accent)', 'var(--kd-warn)']
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
  const isEmpty = bars.every(
    ({ releasedCents, pendingCents, heldCents }) =>
      releasedCents === 0 && pendingCents === 0 && heldCents === 0,
  )
  if (isEmpty) return <p className={styles.nothing}>Nothing was earned in this period.</p>
  const nameOf = (from: number): string => (byMonth ? month.format(from) : formatDayOfYear(from))
  const litAt = bars.findIndex(({ from }) => from === litFrom)
  return (
    <div className={styles.bars}>
      <StackedBars
        bars={bars.map(({ from, releasedCents, pendingCents, heldCents }) => ({
          name: nameOf(from),
          parts: [releasedCents, pendingCents, heldCents],
        }))}
        colors={colors}
        axisWidth={46}
        formatAmount={formatWholeEuros}
        lit={litAt < 0 ? null : litAt}
        onBar={(at) => {
          const bar = bars[at]
          if (bar !== undefined) onBar(bar.from)
        }}
      />
    </div>
  )
}
