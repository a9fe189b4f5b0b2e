import { useState } from 'react'
import {
  addCents,
  type Cents,
  cents,
  subtractCents,
  sumCents,
  ZERO,
} from '../../../../server/api/money.ts'
import type { SpendingDay } from '../../../contract/spending.ts'
import { StackedBars } from '../../ui/charts/stacked-bars.tsx'
import { LinkButton } from '../../ui/controls/buttons/button.tsx'
import { formatCents, formatCount, formatServiceDay, formatWholeEuros } from '../../ui/format.ts'
import styles from './spending.module.css'
import { DAY_MS } from '../../../../server/api/time.ts'

const colors = ['var(--kd-accent)', 'var(--kd-chart-other)']
const short = (date: string): string => formatServiceDay(Date.parse(date))

/** Every day of the period, including days without orders. */
function everyDay(days: readonly SpendingDay[], from: number, to: number): SpendingDay[] {
  const known = new Map(days.map((day) => [day.date, day]))
  const first = Math.floor(from / DAY_MS)
  return Array.from({ length: Math.max(0, Math.ceil(to / DAY_MS) - first) }, (_, index) => {
    const date = new Date((first + index) * DAY_MS).toISOString().slice(0, 10)
    return known.get(date) ?? { date, chargedCents: ZERO, refundedCents: ZERO, orders: 0, units: 0 }
  })
}

/**
 * Spending by day as bars: paid in the accent color, credited back in gray on top; the same data as
 * a table.
 */
export function DayBars({
  days,
  from,
  to,
}: {
  days: readonly SpendingDay[]
  from: number
  to: number
}) {
  const [asTable, setAsTable] = useState(false)
  const all = everyDay(days, from, to).map((day) => ({
    ...day,
    paid: subtractCents(day.chargedCents, day.refundedCents),
  }))
  const isEmpty = all.every(({ chargedCents }) => chargedCents === 0)
  const sum = (of: (day: (typeof all)[number]) => Cents): Cents => sumCents(all.map(of))
  return (
    <figure className={styles.chart} aria-label="Spending by day">
      <div className={styles.legend}>
        <span>
          <i data-tone="paid" />
          Paid <b>{formatCents(sum((day) => day.paid))}</b>
        </span>
        <span>
          <i data-tone="credited" />
          Credited back <b>{formatCents(sum((day) => day.refundedCents))}</b>
        </span>
        {isEmpty ? null : (
          <LinkButton className={styles.switch} onClick={() => setAsTable(!asTable)}>
            {asTable ? 'Show as chart' : 'Show as table'}
          </LinkButton>
        )}
      </div>
      {isEmpty ? (
        <p className={styles.none}>Nothing was spent in this period.</p>
      ) : asTable ? (
        <DayTable days={days} />
      ) : (
        <DayChart days={all} />
      )}
    </figure>
  )
}

function DayTable({ days }: { days: readonly SpendingDay[] }) {
  return (
    <div
      className={styles.scroll}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- lets the keyboard scroll
      tabIndex={0}
      role="region"
      aria-label="Spending by day, as a table"
    >
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            <th scope="col" className={styles.end}>
              Orders
            </th>
            <th scope="col" className={styles.end}>
              Units
            </th>
            <th scope="col" className={styles.end}>
              Charged EUR
            </th>
            <th scope="col" className={styles.end}>
              Credited back
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.date}>
              <td>{day.date}</td>
              <td className={styles.end}>{formatCount(day.orders)}</td>
              <td className={styles.end}>{formatCount(day.units)}</td>
              <td className={styles.end}>{formatCents(day.chargedCents)}</td>
              <td className={styles.end}>{formatCents(day.refundedCents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type ChartedDay = SpendingDay & { paid: Cents }

/** From this sum of a day, the axis shows euros without cents. */
const WHOLE_FROM = cents(100_00)

function DayChart({ days }: { days: readonly ChartedDay[] }) {
  const isWhole = days.some(
    ({ paid, refundedCents }) => addCents(paid, refundedCents) >= WHOLE_FROM,
  )
  return (
    <div className={styles.bars}>
      <StackedBars
        bars={days.map(({ date, paid, refundedCents }) => ({
          name: short(date),
          parts: [paid, refundedCents],
        }))}
        colors={colors}
        axisWidth={56}
        formatAmount={isWhole ? formatWholeEuros : formatCents}
      />
    </div>
  )
}
