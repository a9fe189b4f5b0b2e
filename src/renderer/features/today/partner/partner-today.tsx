import { useQuery } from '@tanstack/react-query'
import { IconHourglass, IconShoppingBag, IconUserCheck } from '@tabler/icons-react'
import { fromCents, subtractCents } from '../../../../../server/api/money.ts'
import { DAY_MS, HOUR_MS } from '../../../../../server/api/time.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { useAccountNow } from '../../../lib/account/account-time.tsx'
import { useAccount } from '../../../lib/account/current-account.ts'
import { api } from '../../../lib/core/rpc.ts'
import { PriceChart } from '../../../ui/charts/price-chart.tsx'
import { Fact, Facts, FigureStrip } from '../../../ui/data-display/facts.tsx'
import { formatCents, formatCount, formatDayOfYear, formatDuration } from '../../../ui/format.ts'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { Attention, type AttentionKind } from '../attention.tsx'
import { NumberLink, type Place } from '../open-list.tsx'
import styles from '../today.module.css'
import { Trend } from '../trend.tsx'
import { deliveryLabel, variantLabel } from '../../../lib/labels/product-labels.ts'

const ROWS = 2
const isAhead = (at: number | null, now: number): at is number => at !== null && at > now
const WEEK = 'last 7 days'
const ordersIn = (view: string, days: readonly string[] = []): Place => ({
  path: '/orders',
  list: { tableId: 'orders', look: { view, days } },
})
const keysIn = (view: 'ending' | 'unhanded'): Place => ({
  path: '/keys',
  list: { tableId: 'keys', look: { view } },
})
const claimsIn = (view: 'waiting' | 'draft'): Place => ({
  path: '/claims',
  list: { tableId: 'claims', look: { view } },
})

/** The first moment of the seven days up to today, in the person's time zone. */
function weekStart(now: number): number {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - 6).getTime()
}

function useOrdersOf(status: string, from: number | null, oldestFirst: boolean) {
  const { id: accountId } = useAccount()
  return useQuery(
    api.orders.list.queryOptions({
      input: {
        accountId,
        statuses: [status],
        from,
        sort: { column: 'created', direction: oldestFirst ? 'asc' : 'desc' },
        window: { offset: 0, limit: ROWS },
      },
    }),
  ).data
}

function useKeysOf(view: 'ending' | 'unhanded') {
  const { id: accountId } = useAccount()
  return useQuery(
    api.orders.keys.queryOptions({
      input: { accountId, view, window: { offset: 0, limit: ROWS } },
    }),
  ).data
}

function usePartnerAttention(now: number): AttentionKind[] {
  const failed = useOrdersOf('failed', weekStart(now), false)
  const processing = useOrdersOf('processing', null, true)
  const ending = useKeysOf('ending')
  const unhanded = useKeysOf('unhanded')
  return [
    {
      id: 'failed',
      icon: IconShoppingBag,
      name: 'Failed orders',
      count: failed?.total ?? null,
      place: ordersIn('failed', [WEEK]),
      note: 'in 7 days',
      rows: (failed?.rows ?? []).map((order) => ({
        id: order.orderId,
        name: order.externalId,
        detail: `${order.title}, ${variantLabel(order)}, fully credited back`,
        cents: order.totalCents,
        when: `${formatDuration(now - order.createdAt)} ago`,
        tone: 'urgent',
        action: 'Open',
        place: { path: `/orders/${encodeURIComponent(order.orderId)}` },
      })),
    },
    {
      id: 'processing',
      icon: IconShoppingBag,
      name: 'In progress',
      count: processing?.total ?? null,
      place: ordersIn('processing'),
      rows: (processing?.rows ?? []).map((order) => ({
        id: order.orderId,
        name: order.externalId,
        detail: [order.title, variantLabel(order)].filter(Boolean).join(', '),
        cents: order.totalCents,
        when: isAhead(order.releaseAt, now)
          ? `release in ${formatDuration(order.releaseAt - now)}`
          : `for ${formatDuration(now - order.createdAt)}`,
        ...(!isAhead(order.releaseAt, now) &&
          now - order.createdAt > HOUR_MS && { tone: 'soon' as const }),
        action: 'Open',
        place: { path: `/orders/${encodeURIComponent(order.orderId)}` },
      })),
    },
    {
      id: 'ending',
      icon: IconHourglass,
      name: 'Claims ending',
      count: ending?.counts.ending ?? null,
      place: keysIn('ending'),
      note: 'keys, within 24 h',
      rows: (ending?.rows ?? []).slice(0, ROWS).map((key) => ({
        id: key.keyId,
        name: key.externalId,
        detail: [key.name, variantLabel(key)].filter(Boolean).join(', '),
        cents: null,
        when: `${formatDuration(key.claimUntil - now)} left`,
        tone: key.claimUntil - now < 6 * HOUR_MS ? 'urgent' : 'soon',
        action: 'Check',
        place: { path: `/orders/${encodeURIComponent(key.orderId)}` },
      })),
    },
    {
      id: 'unhanded',
      icon: IconUserCheck,
      name: 'To hand over',
      count: unhanded?.counts.unhanded ?? null,
      place: keysIn('unhanded'),
      note: 'keys, stored here',
      rows: (unhanded?.rows ?? []).map((key) => ({
        id: key.keyId,
        name: key.externalId,
        detail: [key.name, deliveryLabel(key)].filter(Boolean).join(', '),
        cents: 'none',
        when: `for ${formatDuration(now - key.deliveredAt)}`,
        action: 'Open',
        place: { path: `/orders/${encodeURIComponent(key.orderId)}` },
      })),
    },
  ]
}

function useSpent(days: number) {
  const { id: accountId } = useAccount()
  const to = (Math.floor(useAccountNow() / DAY_MS) + 1) * DAY_MS
  return useQuery(
    api.spending.spent.queryOptions({ input: { accountId, from: to - days * DAY_MS, to } }),
  ).data
}

/** What waits for a partner, the balance and the spending. */
export function PartnerToday() {
  const { id: accountId } = useAccount()
  const now = useAccountNow()
  const kinds = usePartnerAttention(now)
  const balance = useQuery(api.spending.balance.queryOptions({ input: { accountId } })).data
  const today = useSpent(1)
  const month = useSpent(30)
  const paid = new Map(
    month?.days.map(({ date, chargedCents, refundedCents }) => [
      date,
      subtractCents(chargedCents, refundedCents),
    ]),
  )
  const first = (Math.floor(now / DAY_MS) - 29) * DAY_MS
  const days = Array.from({ length: 30 }, (_, at) => {
    const from = first + at * DAY_MS
    return { from, cents: paid.get(new Date(from).toISOString().slice(0, 10)) }
  })
  const points = balance?.readings.map(({ at, cents }) => ({ at, cents })) ?? []
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
            label: 'Credited back in 30 days, EUR',
            value: month === undefined ? '–' : formatCents(month.refundedCents),
          },
        ]}
      />
      <Attention kinds={kinds} amount="EUR" />
      <div className={styles.trends}>
        <Trend
          title="Paid in 30 days, EUR"
          format={(euros) => formatCount(Math.round(euros))}
          points={days.map(({ from, cents }) => ({
            label: formatDayOfYear(from),
            value: cents === undefined ? 0 : fromCents(cents),
          }))}
        />
        {points.length < 2 ? (
          <p className={styles.text}>
            The service reports only the current balance. Keydesk records its history from now on.
          </p>
        ) : (
          <PriceChart
            label="Balance over time"
            from={points[0]?.at ?? 0}
            to={Date.now()}
            line={{ name: 'Balance', points, tone: 'own' }}
            floorCents={balance?.lowCents ?? null}
          />
        )}
      </div>
    </>
  )
}

/** What happened since the last visit, open claims, and what was ordered most. */
export function PartnerGlance({ since }: { since: number }) {
  const { id: accountId } = useAccount()
  const now = useAccountNow()
  const news = useQuery(
    api.orders.list.queryOptions({
      input: { accountId, from: since, window: { offset: 0, limit: 1 } },
    }),
  ).data
  const claims = useQuery(
    api.claims.list.queryOptions({ input: { accountId, view: 'waiting' } }),
  ).data
  const products = (useSpent(30)?.products ?? []).slice(0, 5)
  const most = Math.max(1, ...products.map(({ cents }) => cents))
  return (
    <>
      <PanelSection title="Since your last visit">
        <Facts>
          <Fact label="Orders placed">{news === undefined ? '–' : formatCount(news.total)}</Fact>
          <Fact label="Credited back">
            {news === undefined ? '–' : formatCents(news.refundedCents)}
          </Fact>
        </Facts>
      </PanelSection>
      <PanelSection
        title="Open claims"
        aside={
          <NumberLink place={claimsIn('waiting')}>
            {claims === undefined ? '–' : formatCount(claims.counts.waiting)}
          </NumberLink>
        }
      >
        {claims === undefined || claims.rows.length === 0 ? (
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
        {products.length === 0 ? (
          <p className={styles.text}>No orders in 30 days.</p>
        ) : (
          <ul className={styles.releases}>
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
