import { formatCents, formatCount, formatDay } from '../../../ui/format.ts'
import type { EarnedBar, EarnedChartProps, EarnedProduct } from './earnings.ts'
import styles from '../sales.module.css'

const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: '2-digit' })

/** Earnings by day or month as a table. */
export function Days({
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

/** Earnings by product as a table with bars. */
export function Products({
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
