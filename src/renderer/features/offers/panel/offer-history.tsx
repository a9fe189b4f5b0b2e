import { useState } from 'react'
import type { Cents } from '../../../../../server/api/money.ts'
import type { ListedOffer } from '../../../../contract/offers/offers.ts'
import { customerPays } from '../../../lib/commission.ts'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { formatDay, formatMoment } from '../../../ui/format.ts'
import { MoneyChange } from '../../../ui/data-display/amounts/money.tsx'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { estimatedNote } from '../../../ui/charts/estimated-note.ts'
import { PriceChart } from '../../../ui/charts/price-chart.tsx'
import { pointsSince } from '../../../ui/charts/price-steps.ts'
import styles from '../offers.module.css'
import { DAY_MS } from '../../../../../server/api/time.ts'

type Point = {
  at: number
  priceCents: Cents
  /** Null if an earlier version recorded the reading. */
  customerCents: Cents | null
  lowestCustomerCents: Cents | null
  isCheapest: boolean | null
  stock: number
}

const ranges = [
  { id: '7', label: '7 d' },
  { id: '30', label: '30 d' },
  { id: '90', label: '90 d' },
] as const

/** The price history of an offer over 7, 30 or 90 days. */
export function PriceHistory({
  offer: { name, commission, floorCents },
  points,
}: {
  offer: ListedOffer
  points: readonly Point[]
}) {
  const [days, setDays] = useState<(typeof ranges)[number]['id']>('30')
  const now = Date.now()
  const [first] = points
  if (first === undefined) return null
  if (points.length < 2)
    return (
      <PanelSection title="Price history" aside={`recorded since ${formatMoment(first.at, now)}`} />
    )
  const from = Math.max(first.at, now - Number(days) * DAY_MS)
  const estimated = estimatedNote(
    points.map(({ at, customerCents }) => ({ at, isEstimated: customerCents === null })),
    from,
  )
  const customer = (cents: Cents): Cents =>
    commission === null ? cents : customerPays(cents, commission.percent)
  return (
    <PanelSection
      title="Price history"
      aside={
        <CountTabs label="Price history in days" value={days} onChange={setDays} tabs={ranges} />
      }
    >
      <PriceChart
        label={`Price history of ${name}`}
        from={from}
        to={now}
        floorCents={floorCents === null ? null : customer(floorCents)}
        line={{
          name: 'You',
          tone: 'own',
          points: pointsSince(
            points.map((point) => ({
              at: point.at,
              cents: point.customerCents ?? customer(point.priceCents),
            })),
            from,
          ),
        }}
        best={pointsSince(
          points.map((point) => ({
            at: point.at,
            cents: point.isCheapest === false ? point.lowestCustomerCents : null,
          })),
          from,
        )}
        note={estimated ?? `Customer prices, recorded since ${formatDay(first.at)}.`}
      />
    </PanelSection>
  )
}

/** The last five price changes of an offer. */
export function RecentChanges({ points }: { points: readonly Point[] }) {
  const changes = points
    .flatMap((point, index) => {
      const before = points[index - 1]
      return before === undefined || before.priceCents === point.priceCents
        ? []
        : [{ at: point.at, from: before.priceCents, to: point.priceCents }]
    })
    .slice(-5)
    .toReversed()
  if (changes.length === 0) return null
  return (
    <PanelSection title="Recent changes">
      <ul className={styles.changes}>
        {changes.map((change) => (
          <li key={change.at}>
            <time>{formatMoment(change.at, Date.now())}</time>
            <MoneyChange from={change.from} to={change.to} />
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}
