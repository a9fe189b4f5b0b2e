import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { addCents, type Cents, fromCents } from '../../../../../server/api/money.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { useAccountNow } from '../../../lib/account/account-time.tsx'
import { useAccount } from '../../../lib/account/current-account.ts'
import { api } from '../../../lib/core/rpc.ts'
import { dayEdges } from '../../../lib/days.ts'
import { Fact, Facts, FigureStrip } from '../../../ui/data-display/facts.tsx'
import { NotRead } from '../../../ui/feedback/not-read.tsx'
import {
  formatCents,
  formatCount,
  formatDayOfYear,
  formatEur,
  formatServiceDay,
} from '../../../ui/format.ts'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { Attention } from '../attention.tsx'
import { NumberLink } from '../open-list.tsx'
import styles from '../today.module.css'
import { Trend } from '../trend.tsx'
import { batch, disputesIn, marketIn, salesIn, salesOfDay, salesOfMonth } from './places.ts'
import { useSellerAttention } from './use-attention.tsx'

const MONTH_DAYS = 30
const known = (cents: Cents | null | undefined): string =>
  cents == null ? '–' : formatCents(cents)

/** Earnings by day, each day with the list of its sales. */
function useEarned() {
  const { id: accountId } = useAccount()
  const today = new Date(useAccountNow()).toDateString()
  const edges = dayEdges(Date.parse(today), MONTH_DAYS)
  const query = useQuery({
    ...api.sales.earned.queryOptions({ input: { accountId, edges, products: 0 } }),
    placeholderData: keepPreviousData,
  })
  const { data } = query
  return {
    query,
    today: edges.at(-2) ?? 0,
    month: data?.earned,
    days: data?.bars.map((bar) => ({
      from: bar.from,
      sales: bar.sales,
      cents: addCents(bar.releasedCents, bar.pendingCents, bar.heldCents),
    })),
  }
}

/** The open tasks of a seller, and how the shop does. */
export function SellerToday() {
  const { id: accountId } = useAccount()
  const kinds = useSellerAttention()
  const earned = useEarned()
  const last = earned.days?.at(-1)
  const balance = useQuery(api.balance.now.queryOptions({ input: { accountId } })).data
  const pending = useQuery(api.sales.pending.queryOptions({ input: { accountId } })).data
  const overview = useQuery(api.priceWatch.overview.queryOptions({ input: { accountId } }))
  const watch = overview.data
  return (
    <>
      <FigureStrip
        label="The shop today"
        figures={[
          {
            label: 'Earned today, EUR',
            value: <NumberLink place={salesOfDay(earned.today)}>{known(last?.cents)}</NumberLink>,
            ...(last !== undefined && { detail: t('counts.sales', { count: last.sales }) }),
          },
          { label: 'Available, EUR', value: known(balance?.reading?.availableCents) },
          {
            label: 'Pending, EUR',
            value: (
              <NumberLink place={salesIn('pending')}>
                {known(balance?.reading?.pendingCents)}
              </NumberLink>
            ),
            ...(pending !== undefined && {
              detail: (
                <NumberLink place={salesIn('held')}>
                  {formatCents(pending.held.cents)} held
                </NumberLink>
              ),
            }),
          },
          {
            label: 'Offers in the lead',
            value: watch === undefined ? '–' : formatCount(watch.counts.leading),
            ...(watch !== undefined && {
              detail: (
                <>
                  of{' '}
                  <NumberLink place={marketIn('all')}>
                    {formatCount(watch.counts.watched)}
                  </NumberLink>{' '}
                  watched
                </>
              ),
            }),
          },
        ]}
      />
      <Attention kinds={kinds} amount="EUR at stake" />
      <SellerTrends earned={earned} overview={overview} />
    </>
  )
}

/** The earnings of 30 days, and the share of offers in the lead. */
function SellerTrends({
  earned,
  overview,
}: {
  earned: ReturnType<typeof useEarned>
  overview: UseQueryResult<{ leadDay: number | null; leadHours: readonly (number | null)[] }>
}) {
  const leads = overview.data
  return (
    <div className={styles.trends}>
      <Trend
        title="Earned in 30 days"
        figure={
          earned.month === undefined ? null : (
            <NumberLink place={salesOfMonth}>{formatEur(earned.month.cents)}</NumberLink>
          )
        }
        format={(cents) => formatCount(Math.round(cents))}
        points={earned.days?.map(({ from, cents }) => ({
          label: formatDayOfYear(from),
          value: fromCents(cents),
        }))}
        unread={<NotRead query={earned.query} />}
      />
      <Trend
        title="Share of leads, 24 hours"
        figure={leads?.leadDay == null ? null : `${(leads.leadDay * 100).toFixed(1)} %`}
        format={(percent) => `${Math.round(percent)} %`}
        top={100}
        unknown="Nothing is recorded yet. Keydesk records who leads while it runs."
        points={leads?.leadHours.map((share, at, all) => ({
          label: at === all.length - 1 ? 'this hour' : `${all.length - 1 - at} h ago`,
          value: share === null ? null : share * 100,
        }))}
        unread={<NotRead query={overview} />}
      />
    </div>
  )
}

/** What a seller sold and lost since the last visit. `title` names the account if several are shown. */
export function SellerNews({ since, title }: { since: number; title: string }) {
  const { id: accountId } = useAccount()
  const end = Math.ceil(useAccountNow() / 60_000) * 60_000
  // The period grows each minute: its figures stay until the next ones are loaded. Each account
  // mounts its own component, so they are never those of another account.
  const sales = useQuery({
    ...api.sales.earned.queryOptions({
      input: { accountId, edges: [since, Math.max(since + 1, end)], products: 0 },
    }),
    placeholderData: keepPreviousData,
  }).data
  const disputes = useQuery({
    ...api.disputes.report.queryOptions({ input: { accountId, from: since, to: end } }),
    placeholderData: keepPreviousData,
  }).data
  const overview = useQuery(api.priceWatch.overview.queryOptions({ input: { accountId } })).data
  return (
    <PanelSection title={title}>
      <Facts>
        <Fact label="Sales">
          {sales === undefined
            ? '–'
            : `${formatCount(sales.earned.sales)} for ${formatEur(sales.earned.cents)}`}
        </Fact>
        <Fact label="New disputes">{disputes === undefined ? '–' : disputes.claims}</Fact>
        <Fact label="Leads lost in 24 h">{overview === undefined ? '–' : overview.lostToday}</Fact>
      </Facts>
    </PanelSection>
  )
}

/** What happened since the last visit, and the next releases. */
export function SellerGlance({ since }: { since: number }) {
  const { id: accountId } = useAccount()
  const balance = useQuery(api.balance.now.queryOptions({ input: { accountId } }))
  const upcoming = balance.data?.upcoming.slice(0, 7)
  const most = Math.max(1, ...(upcoming ?? []).map(({ cents }) => cents))
  const alarms = useQuery(api.disputes.alarms.queryOptions({ input: { accountId } })).data
  const overview = useQuery(api.priceWatch.overview.queryOptions({ input: { accountId } })).data
  return (
    <>
      <SellerNews since={since} title="Since your last visit" />
      <PanelSection title="Next releases" aside="EUR, days in UTC">
        {upcoming === undefined ? (
          <NotRead query={balance} />
        ) : upcoming.length === 0 ? (
          <p className={styles.text}>No sale is waiting for its release.</p>
        ) : (
          <ul className={styles.releases}>
            {upcoming.map(({ date, cents }) => (
              <li key={date}>
                <span>{formatServiceDay(Date.parse(date))}</span>
                <i style={{ width: `${Math.max(2, (100 * cents) / most)}%` }} aria-hidden />
                <b>{formatCents(cents)}</b>
              </li>
            ))}
          </ul>
        )}
      </PanelSection>
      <PanelSection title="Watch">
        <Facts>
          <Fact label="Batches in alarm">{alarms === undefined ? '–' : alarms.length}</Fact>
          {alarms?.map((each) => (
            <Fact key={each.batchId} label={`${each.name}, ${each.offerName}`}>
              <NumberLink place={batch(each.batchId)}>
                {formatCount(each.claimed)} of {formatCount(each.keys)}
              </NumberLink>
            </Fact>
          ))}
          <Fact label="Prices to decide">
            {overview === undefined ? (
              '–'
            ) : (
              <NumberLink place={marketIn('proposals')}>
                {formatCount(overview.counts.proposals)}
              </NumberLink>
            )}
          </Fact>
          <Fact label="Disputes to answer">
            <NumberLink place={disputesIn('needs-answer')}>
              <NeedsAnswer />
            </NumberLink>
          </Fact>
        </Facts>
      </PanelSection>
    </>
  )
}

function NeedsAnswer() {
  const { id: accountId } = useAccount()
  const list = useQuery(
    api.disputes.list.queryOptions({
      input: { accountId, view: 'needs-answer', window: { offset: 0, limit: 2 } },
    }),
  ).data
  return list === undefined ? '–' : formatCount(list.views['needs-answer'] ?? 0)
}
