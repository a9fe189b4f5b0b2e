import { useQuery } from '@tanstack/react-query'
import { IconArrowLeft, IconDownload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { DisputeReason, DisputeReport } from '../../../../contract/disputes/dispute-records.ts'
import { disputeReasons } from '../../../../contract/disputes/dispute-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { useAccountNow } from '../../../lib/account/account-time.tsx'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { saveText } from '../../../lib/save-file.ts'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { FigureStrip } from '../../../ui/data-display/facts.tsx'
import { formatCount, formatDuration } from '../../../ui/format.ts'
import { Body, Page, PageHeader } from '../../../ui/layout/page.tsx'
import { reportCsv } from './report-csv.ts'
import { Answers, DisputeTrend, Sums } from './report-tables.tsx'
import styles from './report.module.css'
import { reasonWord } from '../../../lib/labels/dispute-labels.ts'
import { DAY_MS } from '../../../../../server/api/time.ts'

const periods = [
  { id: '30', label: '30 days' },
  { id: '90', label: '90 days' },
  { id: '365', label: '1 year' },
] as const
type Period = (typeof periods)[number]['id']
const isReason = (key: string): key is DisputeReason =>
  (disputeReasons as readonly string[]).includes(key)

/** The report of the last days, with the names of the reasons. */
function useReport(accountId: string, period: Period) {
  const to = Math.ceil(useAccountNow() / DAY_MS) * DAY_MS
  const query = useQuery({
    ...api.disputes.report.queryOptions({
      input: { accountId, from: to - Number(period) * DAY_MS, to },
    }),
    staleTime: 30_000,
  })
  const report = useMemo(
    () =>
      query.data === undefined
        ? undefined
        : {
            ...query.data,
            byReason: query.data.byReason.map((row) => ({
              ...row,
              name: isReason(row.key) ? reasonWord(row.key) : 'Not read yet',
            })),
          },
    [query.data],
  )
  return { report, query }
}

const figuresOf = ({ claims, answer, outcome }: DisputeReport) => [
  { label: 'Disputes', value: formatCount(claims) },
  { label: 'Half answered within', value: within(answer.medianMs) },
  { label: '90 % answered within', value: within(answer.p90Ms) },
  { label: 'Replaced', value: formatCount(outcome.replaced) },
  { label: 'Refunded', value: formatCount(outcome.refunded) },
  { label: 'Rejected', value: formatCount(outcome.rejected) },
  {
    label: 'Still open',
    value: formatCount(outcome.open + outcome.escalated),
    detail: `${formatCount(outcome.escalated)} of them escalated`,
  },
]

/** Disputes of a period by shared properties, with answer times and outcomes. */
export function DisputeReportPage() {
  const account = useAccount()
  const [, go] = useLocation()
  const [period, setPeriod] = useState<Period>('30')
  const { report, query } = useReport(account.id, period)
  return (
    <Page>
      <PageHeader
        title="Dispute report"
        before={
          <IconButton label="Back to disputes" onClick={() => go('/disputes')}>
            <IconArrowLeft size={16} stroke={1.6} />
          </IconButton>
        }
        beside={<CountTabs label="Period" value={period} onChange={setPeriod} tabs={periods} />}
        actions={
          <Button
            icon={<IconDownload size={16} stroke={1.6} />}
            disabled={report === undefined || report.claims === 0}
            onClick={() => {
              if (report !== undefined) saveText(`disputes-${period}-days.csv`, reportCsv(report))
            }}
          >
            Save as CSV
          </Button>
        }
      />
      {report === undefined ? (
        query.isError ? (
          <ErrorState problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
        ) : null
      ) : report.claims === 0 ? (
        <EmptyState
          title="No disputes in this period"
          text={
            period === '365' ? 'None of your sales was disputed in a year.' : 'Try a longer one.'
          }
        />
      ) : (
        <>
          <FigureStrip label="Totals" figures={figuresOf(report)} />
          <Body>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is
                reached by keyboard */}
            <div className={styles.report} role="region" aria-label="Tables" tabIndex={0}>
              <DisputeTrend trend={report.trend} />
              <Answers answer={report.answer} />
              <Sums title="By reason" rows={report.byReason} total={report.total} />
              <Sums title="By product" rows={report.byProduct} total={report.total} />
              <Sums title="By batch" rows={report.byBatch} total={report.total} />
              <Sums title="By supplier" rows={report.bySupplier} total={report.total} />
            </div>
          </Body>
        </>
      )}
    </Page>
  )
}

const within = (ms: number | null): string => (ms === null ? 'none yet' : formatDuration(ms))
