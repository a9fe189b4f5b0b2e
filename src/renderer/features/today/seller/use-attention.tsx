import { useQueries, useQuery } from '@tanstack/react-query'
import {
  IconKey,
  IconMessageReport,
  IconPlayerPause,
  IconSend,
  IconTrendingDown,
} from '@tabler/icons-react'
import { subtractCents } from '../../../../../server/api/money.ts'
import type { Job } from '../../../../contract/app/app.ts'
import type { DisputeRow } from '../../../../contract/disputes/dispute-records.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { useAccountNow } from '../../../lib/account/account-time.tsx'
import { useAccount } from '../../../lib/account/current-account.ts'
import { api } from '../../../lib/core/rpc.ts'
import { reasonWord } from '../../../lib/labels/dispute-labels.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { formatCents, formatCount, formatDuration } from '../../../ui/format.ts'
import type { AttentionKind, AttentionRow } from '../attention.tsx'
import { NumberLink } from '../open-list.tsx'
import type { Place } from '../open-list.tsx'
import { dispute, disputesIn, marketIn, offer, offersIn } from './places.ts'
import { byUrgency, type StockNeed, stockNeed, stockTexts } from './stock.ts'
import { DAY_MS, HOUR_MS } from '../../../../../server/api/time.ts'

/** Rows per kind, and offers of which the most urgent are chosen. */
const ROWS = 2
const CANDIDATES = 50

const toneOf = (leftMs: number): 'urgent' | 'soon' | undefined =>
  leftMs < 6 * HOUR_MS ? 'urgent' : leftMs < DAY_MS ? 'soon' : undefined

const top = <Row,>(rows: readonly Row[]): Row[] => rows.slice(0, ROWS)

function useDisputes(now: number): AttentionKind {
  const { id: accountId } = useAccount()
  const list = useQuery(
    api.disputes.list.queryOptions({
      input: { accountId, view: 'needs-answer', window: { offset: 0, limit: ROWS } },
    }),
  ).data
  const rows = top(list?.rows ?? [])
  // What a customer paid is held until the dispute is resolved.
  const sales = useQueries({
    queries: rows.map(({ saleId }) => ({
      ...api.sales.sale.queryOptions({ input: { accountId, saleId: saleId ?? '' } }),
      enabled: saleId !== null,
    })),
  })
  const rowOf = (row: DisputeRow, at: number): AttentionRow => ({
    id: row.disputeId,
    name: row.name,
    detail: [variantLabel(row), reasonWord(row.reasonKind)].filter(Boolean).join(', '),
    cents: sales[at]?.data?.priceCents ?? null,
    when: row.escalatesAt === null ? '–' : `${formatDuration(row.escalatesAt - now)} left`,
    ...(row.escalatesAt !== null && toneOf(row.escalatesAt - now) !== undefined
      ? { tone: toneOf(row.escalatesAt - now) ?? 'soon' }
      : {}),
    action: 'Reply',
    place: dispute(row.disputeId),
  })
  return {
    id: 'disputes',
    icon: IconMessageReport,
    name: 'Disputes',
    count: list?.views['needs-answer'] ?? null,
    place: disputesIn('needs-answer'),
    rows: rows.map(rowOf),
  }
}

function useLostLeads(): AttentionKind {
  const { id: accountId } = useAccount()
  const now = Date.now()
  const overview = useQuery(api.priceWatch.overview.queryOptions({ input: { accountId } })).data
  const market = useQuery(
    api.priceWatch.market.queryOptions({
      input: { accountId, tab: 'losing', window: { offset: 0, limit: ROWS } },
    }),
  ).data
  const lost = overview?.lostPerDayCents ?? null
  return {
    id: 'leads',
    icon: IconTrendingDown,
    name: 'Lost leads',
    count: market?.tabs.losing ?? null,
    place: marketIn('losing'),
    ...(lost !== null && lost > 0 && { note: `${formatCents(lost)} a day` }),
    rows: top(market?.rows ?? []).map((row) => ({
      id: row.offerId,
      name: row.name,
      detail:
        row.bestCents === null
          ? variantLabel(row)
          : `${variantLabel(row)}, ${formatCents(subtractCents(row.customerCents, row.bestCents))} behind`,
      cents: row.perDayCents,
      perDay: true,
      when: `for ${formatDuration(now - row.since)}`,
      tone: 'soon',
      action: 'Re-price',
      place: offer(row.offerId),
    })),
  }
}

/** No view of the offers shows empty and low stock together. */
function stockPlace(empty: number, low: number): Place | null {
  if (empty > 0 && low > 0) return null
  return offersIn(empty > 0 ? 'empty' : 'low-stock')
}

function stockRow(need: StockNeed): AttentionRow {
  const { offer: row, days } = need
  const { keys, ...texts } = stockTexts(need)
  return {
    id: row.offerId,
    name: row.name,
    detail: [variantLabel(row), keys].filter(Boolean).join(', '),
    ...texts,
    perDay: true,
    ...(texts.when === 'empty'
      ? { tone: 'urgent' as const }
      : days !== null && days < 3
        ? { tone: 'soon' as const }
        : {}),
    action: 'Import',
    place: { path: `/import?offer=${encodeURIComponent(row.offerId)}` },
  }
}

function useStock(): AttentionKind {
  const { id: accountId } = useAccount()
  const input = {
    accountId,
    sort: { column: 'week', direction: 'desc' },
    window: { offset: 0, limit: CANDIDATES },
  } as const
  const empty = useQuery(api.offers.list.queryOptions({ input: { ...input, view: 'empty' } })).data
  const low = useQuery(
    api.offers.list.queryOptions({ input: { ...input, view: 'low-stock' } }),
  ).data
  const needs = [...(empty?.rows ?? []), ...(low?.rows ?? [])].map(stockNeed).toSorted(byUrgency)
  return {
    id: 'stock',
    icon: IconKey,
    name: 'Stock',
    count: empty === undefined || low === undefined ? null : empty.total + low.total,
    place: stockPlace(empty?.total ?? 0, low?.total ?? 0),
    note: (
      <>
        <NumberLink place={offersIn('empty')}>{formatCount(empty?.total ?? 0)} empty</NumberLink>,{' '}
        <NumberLink place={offersIn('low-stock')}>{formatCount(low?.total ?? 0)} low</NumberLink>
      </>
    ),
    rows: top(needs).map(stockRow),
  }
}

/** `2 to decide, 5 ready to send`; a count of zero is left out. */
const queuedDetail = ({ decide, ready } = { decide: 0, ready: 0 }): string =>
  [
    decide === 0 ? '' : `${formatCount(decide)} to decide`,
    ready === 0 ? '' : `${formatCount(ready)} ready to send`,
  ]
    .filter(Boolean)
    .join(', ')

function useQueued(): AttentionKind {
  const { id: accountId } = useAccount()
  const list = useQuery(
    api.outbox.list.queryOptions({ input: { accountId, window: { offset: 0, limit: 500 } } }),
  ).data
  const count = list?.counts.waiting ?? null
  const first = Math.min(...(list?.rows ?? []).map(({ writtenAt }) => writtenAt))
  return {
    id: 'queued',
    icon: IconSend,
    name: 'Queued changes',
    count,
    place: { path: '/outbox' },
    rows:
      count === null || count === 0
        ? []
        : [
            {
              id: 'queued',
              name: t('counts.changes', { count }),
              detail: queuedDetail(list?.verdicts),
              cents: 'none',
              when: Number.isFinite(first) ? `queued ${formatDuration(Date.now() - first)}` : '',
              action: 'Review',
              place: { path: '/outbox' },
            },
          ],
  }
}

const stopped: Partial<Record<Job['state'], string>> = {
  paused: 'paused',
  waiting: 'waiting',
  failed: 'needs attention',
}
const pageOfJob: Partial<Record<Job['kind'], string>> = {
  'key-import': '/import',
  'key-check': '/import',
  'offer-changes': '/offers',
  'catalogue-sync': '/catalogue',
  'dispute-replies': '/disputes',
}

function useStoppedJobs(): AttentionKind {
  const { id: accountId } = useAccount()
  const all = useQuery(api.app.jobs.queryOptions()).data
  const jobs = (all ?? []).filter(
    (job) =>
      stopped[job.state] !== undefined && (job.accountId === null || job.accountId === accountId),
  )
  return {
    id: 'jobs',
    icon: IconPlayerPause,
    name: 'Stopped jobs',
    count: all === undefined ? null : jobs.length,
    place: null,
    rows: top(jobs).map((job) => ({
      id: job.id,
      name: job.title,
      detail:
        job.total === null
          ? formatCount(job.done)
          : `${formatCount(job.done)} of ${formatCount(job.total)}`,
      cents: 'none',
      when: stopped[job.state] ?? '',
      tone: 'soon',
      action: 'Open',
      place: { path: pageOfJob[job.kind] ?? '/activity' },
    })),
  }
}

/** Everything that waits for the seller, most urgent kinds first. */
export function useSellerAttention(): AttentionKind[] {
  const now = useAccountNow()
  return [useDisputes(now), useLostLeads(), useStock(), useQueued(), useStoppedJobs()]
}
