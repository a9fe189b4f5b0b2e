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
import { LinkButton } from '../../ui/button.tsx'
import { CountTabs } from '../../ui/count-tabs.tsx'
import { formatCents, formatCount, formatDay, formatDayOfYear } from '../../ui/format.ts'
import { roundTicks } from './round-ticks.ts'
import styles from './sales.module.css'

interface EarnedBar {
  from: number
  releasedCents: number
  pendingCents: number
  heldCents: number
  refundedCents: number
  sales: number
}
interface EarnedProduct {
  productId: string | null
  name: string
  cents: number
  sales: number
}
export interface EarnedChartProps {
  bars: readonly EarnedBar[]
  products: readonly EarnedProduct[]
  byMonth: boolean
  /** The bar to highlight for the chosen release day: its sales are released then. */
  litFrom: number | null
  onBar: (from: number) => void
  onProduct: (product: { productId: string; name: string }) => void
}

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
  const most = Math.max(
    0,
    ...bars.map(
      ({ releasedCents, pendingCents, heldCents }) => releasedCents + pendingCents + heldCents,
    ),
  )
  const [by, setBy] = useState<'day' | 'product'>('day')
  const [asTable, setAsTable] = useState(false)
  const tell = (from: number): string => (byMonth ? month.format(from) : formatDayOfYear(from))
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
                tickFormatter={tell}
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
                tickFormatter={(cents: number) => formatCount(Math.round(cents / 100))}
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
              <Bar
                dataKey="heldCents"
                stackId="bar"
                fill="var(--kd-warn)"
                isAnimationActive={false}
              />
            </BarChart>
          </ResponsiveContainer>
        </div>
      )}
    </figure>
  )
}

function Days({
  bars,
  byMonth,
  onBar,
}: {
  bars: readonly EarnedBar[]
  byMonth: boolean
  onBar: (from: number) => void
}) {
  return (
    <div
      className={styles.scroll}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- lets the keyboard scroll
      tabIndex={0}
      role="region"
      aria-label="Earnings table"
    >
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{byMonth ? 'Month' : 'Day'}</th>
            <th scope="col">Sales</th>
            <th scope="col">Released EUR</th>
            <th scope="col">Pending</th>
            <th scope="col">Held</th>
            <th scope="col">Refunded</th>
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map((bar) => (
            <tr key={bar.from}>
              <td>
                <button type="button" className={styles.link} onClick={() => onBar(bar.from)}>
                  {byMonth ? month.format(bar.from) : formatDay(bar.from)}
                </button>
              </td>
              <td>{formatCount(bar.sales)}</td>
              <td>{formatCents(bar.releasedCents)}</td>
              <td>{formatCents(bar.pendingCents)}</td>
              <td>{formatCents(bar.heldCents)}</td>
              <td>{formatCents(bar.refundedCents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Products({
  products,
  onProduct,
}: {
  products: readonly EarnedProduct[]
  onProduct: EarnedChartProps['onProduct']
}) {
  const most = Math.max(1, ...products.map(({ cents }) => cents))
  if (products.length === 0) return <p className={styles.none}>No sales in this period.</p>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
    <div
      className={styles.scroll}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- lets the keyboard scroll
      tabIndex={0}
      role="region"
      aria-label="Earned by product, highest first"
    >
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col">
              <span className="kd-hidden">Share</span>
            </th>
            <th scope="col">Sales</th>
            <th scope="col">Earned EUR</th>
          </tr>
        </thead>
        <tbody>
          {products.map(({ productId, name, cents, sales }) => (
            <tr key={productId ?? name}>
              <td>
                {productId === null ? (
                  name
                ) : (
                  <button
                    type="button"
                    className={styles.link}
                    onClick={() => onProduct({ productId, name })}
                  >
                    {name}
                  </button>
                )}
              </td>
              <td>
                <span
                  className={styles.share}
                  style={{ width: `${Math.max(1, (cents / most) * 100)}%` }}
                  aria-hidden
                />
              </td>
              <td>{formatCount(sales)}</td>
              <td>{formatCents(cents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
