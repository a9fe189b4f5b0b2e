import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { InferContractRouterOutputs } from '@orpc/contract'
import { fromCents, subtractCents, ZERO } from '../../../../../server/api/money.ts'
import { DAY_MS } from '../../../../../server/api/time.ts'
import type { Contract } from '../../../../contract/index.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { useAccountNow } from '../../../lib/account/account-time.tsx'
import { useAccount } from '../../../lib/account/current-account.ts'
import { api } from '../../../lib/core/rpc.ts'
import { PriceChart } from '../../../ui/charts/price-chart.tsx'
import { Fact, Facts, FigureStrip } from '../../../ui/data-display/facts.tsx'
import { NotRead } from '../../../ui/feedback/not-read.tsx'
import { formatCents, formatCount, formatServiceDay, formatDuration } from '../../../ui/format.ts'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { Attention } from '../attention.tsx'
import { NumberLink, type Place } from '../open-list.tsx'
import styles from '../today.module.css'
import { Trend } from '../trend.tsx'
import { usePartnerAttention } from './use-attention.ts'

type Balance = InferContractRouterOutputs<Contract['spending']>['balance']

const claimsIn = (view: 'waiting' | 'draft'): Place => ({
  path: '/claims',
  list: { tableId: 'claims', look: { view } },
})

function useSpent(days: number) {
  const { id: accountId } = useAccount()
  const to = (Math.floor(useAccountNow() / DAY_MS) + 1) * DAY_MS
  return useQuery(
    api.spending.spent.queryOptions({ input: { accountId, from: to - days * DAY_MS, to } }),
  )
}

/** The amount paid on each of the last 30 days (UTC); undefined while it isn't known. */
function daysOf(month: ReturnType<typeof useSpent>['data'], now: number) {
  if (month === undefined) return undefined
  const paid = new Map(
    month.days.map(({ date, chargedCents, refundedCents }) => [
      date,
      subtractCents(chargedCents, refundedCents),
    ]),
  )
  const first = (Math.floor(now / DAY_MS) - 29) * DAY_MS
  return Array.from({ length: 30 }, (_, at) => {
    const from = first + at * DAY_MS
    return { from, cents: paid.get(new Date(from).toISOString().slice(0, 10)) ?? ZERO }
  })
}

/** The open tasks of a partner, the balance and the spending. */
export function PartnerToday() {
  const { id: accountId } = useAccount()
  const kinds = usePartnerAttention()
  const read = useQuery(api.spending.balance.queryOptions({ input: { accountId } }))
  const balance = read.data
  const today = useSpent(1).data
  const spent = useSpent(30)
  const month = spent.data
  return (
    <>
      <FigureStrip
        label="Balance and orders"
        figures={[
          {
            label: 'Balance, EUR',
            value: (
              <NumberLink place={{ path: '/balance' }}>
                {balance?.balanceCents == null ? '–' : formatCents(balance.balanceCents)}
              </NumberLink>
            ),
            ...(balance?.balanceCents != null &&
              balance.dailyCents !== null &&
              balance.dailyCents > 0 && {
                detail: `lasts about ${Math.floor(balance.balanceCents / balance.dailyCents)} days`,
              }),
          },
          {
            label: 'Paid today, EUR (UTC)',
            value:
              today === undefined
                ? '–'
                : formatCents(subtractCents(today.chargedCents, today.refundedCents)),
            ...(today !== undefined && { detail: t('counts.orders', { count: today.orders }) }),
          },
          {
            label: 'Paid in 30 days, EUR',
            value:
              month === undefined
                ? '–'
                : formatCents(subtractCents(month.chargedCents, month.refundedCents)),
            ...(month !== undefined && { detail: t('counts.orders', { count: month.orders }) }),
          },
          {
            label: 'Credits in 30 days, EUR',
            value: month === undefined ? '–' : formatCents(month.refundedCents),
          },
        ]}
      />
      <Attention kinds={kinds} amount="EUR" />
      <PartnerTrends spent={spent} balance={read} />
    </>
  )
}

/** The amounts paid on each of 30 days, and the balance as read on this computer. */
function PartnerTrends({
  spent,
  balance,
}: {
  spent: ReturnType<typeof useSpent>
  balance: UseQueryResult<Balance>
}) {
  const now = useAccountNow()
  const points = balance.data?.readings.map(({ at, cents }) => ({ at, cents }))
  return (
    <div className={styles.trends}>
      <Trend
        title="Paid in 30 days, EUR"
        format={(euros) => formatCount(Math.round(euros))}
        points={daysOf(spent.data, now)?.map(({ from, cents }) => ({
          label: formatServiceDay(from),
          value: fromCents(cents),
        }))}
        unread={<NotRead query={spent} />}
      />
      {points === undefined || points.length < 2 ? (
        <figure className={styles.trend} aria-label="Balance over time">
          <figcaption>
            <b>Balance over time</b>
          </figcaption>
          {points === undefined ? (
            <NotRead query={balance} />
          ) : (
            <p className={styles.text}>
              The service reports only the current balance. Keydesk records its history from now on.
            </p>
          )}
        </figure>
      ) : (
        <PriceChart
          label="Balance over time"
          from={points[0]?.at ?? 0}
          to={Math.max(now, points.at(-1)?.at ?? 0)}
          line={{ name: 'Balance', points, tone: 'own' }}
          floorCents={balance.data?.lowCents ?? null}
        />
      )}
    </div>
  )
}

/** What a partner ordered and was credited since the last visit. `title` names the account if several are shown. */
export function PartnerNews({ since, title }: { since: number; title: string }) {
  const { id: accountId } = useAccount()
  const news = useQuery(api.spending.news.queryOptions({ input: { accountId, since } })).data
  return (
    <PanelSection title={title}>
      <Facts>
        <Fact label="Orders placed">{news === undefined ? '–' : formatCount(news.orders)}</Fact>
        <Fact label="Credited back, undelivered">
          {news === undefined ? '–' : formatCents(news.creditedCents)}
        </Fact>
      </Facts>
    </PanelSection>
  )
}

/** What happened since the last visit, open claims, and the most ordered products. */
export function PartnerGlance({ since }: { since: number }) {
  const { id: accountId } = useAccount()
  const now = useAccountNow()
  const open = useQuery(api.claims.list.queryOptions({ input: { accountId, view: 'waiting' } }))
  const claims = open.data
  const spent = useSpent(30)
  const products = spent.data?.products.slice(0, 5)
  const most = Math.max(1, ...(products ?? []).map(({ cents }) => cents))
  return (
    <>
      <PartnerNews since={since} title="Since your last visit" />
      <PanelSection
        title="Open claims"
        aside={
          <NumberLink place={claimsIn('waiting')}>
            {claims === undefined ? '–' : formatCount(claims.counts.waiting)}
          </NumberLink>
        }
      >
        {claims === undefined ? (
          <NotRead query={open} />
        ) : claims.rows.length === 0 ? (
          <p className={styles.text}>No claim is in progress.</p>
        ) : (
          <Facts>
            {claims.rows.slice(0, 3).map((claim) => (
              <Fact key={claim.claimId} label={`${claim.externalId}, ${claim.name}`}>
                {claim.escalatesAt === null
                  ? '–'
                  : `${formatDuration(Math.max(0, claim.escalatesAt - now))} left`}
              </Fact>
            ))}
          </Facts>
        )}
      </PanelSection>
      <PanelSection title="Ordered most, 30 days" aside="EUR">
        {products === undefined ? (
          <NotRead query={spent} />
        ) : products.length === 0 ? (
          <p className={styles.text}>No orders in 30 days.</p>
        ) : (
          <ul className={styles.releases} data-names>
            {products.map(({ productId, name, cents }) => (
              <li key={productId}>
                <span title={name}>{name}</span>
                <i style={{ width: `${Math.max(2, (100 * cents) / most)}%` }} aria-hidden />
                <b>{formatCents(cents)}</b>
              </li>
            ))}
          </ul>
        )}
      </PanelSection>
    </>
  )
}
