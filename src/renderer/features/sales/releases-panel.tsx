import { t } from '../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import { IconMessageReport } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import { type Cents, subtractCents, sumCents, ZERO } from '../../../../server/api/money.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { useAccountNow } from '../../lib/account/account-time.tsx'
import { api } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { Fact, Facts } from '../../ui/data-display/facts.tsx'
import {
  formatCents,
  formatDay,
  formatDayOfYear,
  formatEur,
  formatWholeEuros,
  formatFullServiceDay,
} from '../../ui/format.ts'
import { NotRead } from '../../ui/feedback/not-read.tsx'
import { PanelSection, SidePanel } from '../../ui/layout/page.tsx'
import { PriceChart } from '../../ui/charts/price-chart.tsx'
import { calendarOf } from './periods.ts'
import styles from './sales.module.css'
import { DAY_MS } from '../../../../server/api/time.ts'

const BALANCE_DAYS = 90
const weekday = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})

/**
 * The panel next to the sales: release calendar, the chosen day, amounts held by disputes, and the
 * balance history.
 */
export function ReleasesPanel({
  date,
  onDate,
  onClose,
}: {
  date: string | null
  onDate: (date: string | null) => void
  /** Closes the panel in a window that is too narrow to always show it. */
  onClose: (() => void) | undefined
}) {
  const { id: accountId } = useAccount()
  const balance = useQuery(api.balance.now.queryOptions({ input: { accountId } })).data
  const upcoming = new Map((balance?.upcoming ?? []).map((release) => [release.date, release]))
  return (
    <SidePanel
      title="Releases"
      detail="EUR per day, rounded; days in UTC"
      width={356}
      {...(onClose !== undefined && { onClose })}
    >
      <PanelSection>
        <ReleaseCalendar upcoming={upcoming} chosen={date} onChoose={onDate} />
        {balance !== undefined && upcoming.size === 0 ? (
          <p className={styles.text}>No upcoming releases.</p>
        ) : null}
      </PanelSection>
      {date === null ? null : <ReleaseDay date={date} reported={upcoming.get(date)} />}
      <HeldByDisputes />
      <BalanceHistory />
    </SidePanel>
  )
}

type Release = { cents: Cents; sales: number | null }

/** The weeks of the upcoming releases, each day with its amount. */
function ReleaseCalendar({
  upcoming,
  chosen,
  onChoose,
}: {
  upcoming: ReadonlyMap<string, Release>
  chosen: string | null
  onChoose: (date: string | null) => void
}) {
  const now = useAccountNow()
  return (
    <div className={styles.calendar} role="group" aria-label="Releases by day">
      {['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'].map((name) => (
        <span key={name} className={styles.weekday} aria-hidden>
          {name}
        </span>
      ))}
      {calendarOf(now, [...upcoming.keys()]).map((day) => {
        const release = upcoming.get(day.date)
        if (release === undefined)
          return (
            <span
              key={day.date}
              className={styles.day}
              data-past={day.past || undefined}
              data-today={day.today || undefined}
            >
              {day.day}
            </span>
          )
        return (
          <button
            key={day.date}
            type="button"
            className={styles.day}
            data-release
            data-today={day.today || undefined}
            aria-pressed={chosen === day.date}
            title={
              formatEur(release.cents) +
              (release.sales === null ? '' : `, ${t('counts.sales', { count: release.sales })}`)
            }
            onClick={() => onChoose(chosen === day.date ? null : day.date)}
          >
            {day.day}
            <b>{formatWholeEuros(release.cents)}</b>
            <span className="kd-hidden">
              EUR on {formatFullServiceDay(Date.parse(day.date))}
              {release.sales === null ? '' : `, ${t('counts.sales', { count: release.sales })}`}
            </span>
          </button>
        )
      })}
    </div>
  )
}

function HeldByDisputes() {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
  const held = useQuery(api.sales.pending.queryOptions({ input: { accountId } })).data?.held
  if (held === undefined) return null
  return (
    <PanelSection
      title="Held by disputes"
      aside={<b className={styles.sum}>{formatCents(held.cents)}</b>}
    >
      {held.sales === 0 ? (
        <p className={styles.text}>No sales are held by disputes.</p>
      ) : (
        <>
          <p className={styles.text}>
            {t('screens.sales-held', { count: held.sales })}{' '}
            {t('screens.sales-held-until', { count: held.sales })}
          </p>
          <div className={styles.buttons}>
            <Button
              icon={<IconMessageReport size={16} stroke={1.6} />}
              onClick={() => go('/disputes')}
            >
              View disputes
            </Button>
          </div>
        </>
      )}
    </PanelSection>
  )
}

function BalanceHistory() {
  const { id: accountId } = useAccount()
  const now = useAccountNow()
  const to = (Math.floor(now / DAY_MS) + 1) * DAY_MS
  const query = useQuery(
    api.balance.history.queryOptions({
      input: { accountId, from: to - BALANCE_DAYS * DAY_MS, to },
    }),
  )
  const history = query.data
  const points = history?.readings.flatMap(({ at, availableCents }) =>
    availableCents === null ? [] : [{ at, cents: availableCents }],
  )
  return (
    <PanelSection
      title={`Balance, ${BALANCE_DAYS} days`}
      aside={
        history?.keptSince == null
          ? undefined
          : `recorded since ${formatDayOfYear(history.keptSince)}`
      }
    >
      {points === undefined ? (
        <NotRead query={query} />
      ) : points.length < 2 ? (
        <p className={styles.text}>
          The service reports only the current balance. Keydesk records its history from now on.
        </p>
      ) : (
        <PriceChart
          label="Available balance over time"
          from={points[0]?.at ?? to}
          to={Math.max(now, points.at(-1)?.at ?? 0)}
          line={{ name: 'Available', points, tone: 'own' }}
          height={92}
        />
      )}
    </PanelSection>
  )
}

function ReleaseDay({ date, reported: told }: { date: string; reported: Release | undefined }) {
  const { id: accountId } = useAccount()
  const from = Date.parse(date)
  const day = useQuery(
    api.sales.releases.queryOptions({ input: { accountId, from, to: from + DAY_MS } }),
  ).data
  const named = sumCents((day?.products ?? []).map((product) => product.cents))
  const sold =
    day?.soldFrom == null || day.soldTo === null
      ? ''
      : formatDay(day.soldFrom) === formatDay(day.soldTo)
        ? ` of ${formatDayOfYear(day.soldFrom)}`
        : `, sold ${formatDayOfYear(day.soldFrom)} to ${formatDayOfYear(day.soldTo)}`
  return (
    <PanelSection
      title={weekday.format(from)}
      aside={<b className={styles.sum}>{formatCents(told?.cents ?? day?.cents ?? ZERO)}</b>}
    >
      {day === undefined ? null : (
        <>
          <p className={styles.text}>
            {t('counts.sales', { count: day.sales })}
            {sold}
          </p>
          <Facts>
            {day.products.map((product) => (
              <Fact key={product.productId ?? product.name} label={product.name}>
                {formatCents(product.cents)}
              </Fact>
            ))}
            {day.cents === named ? null : (
              <Fact label="Other products">{formatCents(subtractCents(day.cents, named))}</Fact>
            )}
          </Facts>
          {told !== undefined && told.cents !== day.cents ? (
            <p className={styles.text}>
              The sales on this computer add up to {formatEur(day.cents)}: the rest hasn’t been
              loaded yet.
            </p>
          ) : null}
        </>
      )}
    </PanelSection>
  )
}
