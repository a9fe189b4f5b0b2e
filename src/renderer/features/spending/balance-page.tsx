import { useMutation, useQuery } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { ZERO } from '../../../../server/api/money.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { useAccountNow } from '../../lib/account/account-time.tsx'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { formatEur } from '../../ui/format.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Body, Page, PageHeader } from '../../ui/layout/page.tsx'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { BalancePanel } from './balance-panel.tsx'
import { DayBars } from './day-bars.tsx'
import { Ledger } from './ledger.tsx'
import { ProductSpending } from './product-spending.tsx'
import { SpendingFigures } from './spending-figures.tsx'
import styles from './spending.module.css'
import { DAY_MS } from '../../../../server/api/time.ts'

const periods = { '7': '7 days', '30': '30 days', '365': 'A year' } as const
type Period = keyof typeof periods

/**
 * A partner's balance, spending by day and product, and every movement where the service reports
 * them.
 */
export function BalancePage() {
  const { id: accountId } = useAccount()
  const [period, setPeriod] = useState<Period>('30')
  const to = (Math.floor(useAccountNow() / DAY_MS) + 1) * DAY_MS
  const from = to - Number(period) * DAY_MS
  const balance = useQuery(api.spending.balance.queryOptions({ input: { accountId } }))
  const spent = useQuery(api.spending.spent.queryOptions({ input: { accountId, from, to } }))
  const exports = useMutation(
    api.spending.export.mutationOptions({
      onSuccess: ({ fileName, base64 }) => {
        saveFile(fileName, base64)
        toast({ title: 'Spending exported', text: fileName })
      },
      onError: (error) => toastProblem(problemOf(error), null),
    }),
  )
  const now = balance.data
  return (
    <Page panel={now === undefined ? undefined : <BalancePanel balance={now} />}>
      <PageHeader
        title="Balance"
        beside={
          <CountTabs
            label="Period"
            value={period}
            onChange={setPeriod}
            tabs={(Object.keys(periods) as Period[]).map((id) => ({
              id,
              label: periods[id],
              count: null,
            }))}
          />
        }
        actions={
          <Button
            icon={<IconDownload size={16} stroke={1.6} />}
            busy={exports.isPending}
            onClick={() => exports.mutate({ accountId, from, to })}
          >
            Export
          </Button>
        }
      />
      {spent.isError && spent.data === undefined ? (
        <ErrorState problem={problemOf(spent.error)} onRetry={() => void spent.refetch()} />
      ) : (
        <Body>
          {now === undefined ? null : <SpendingFigures balance={now} spent={spent.data} />}
          {now?.low === true ? (
            <div className={styles.notice}>
              <Notice tone="warn" title="The balance is low.">
                It is below {formatEur(now.lowCents ?? ZERO)}. Top up before orders are rejected.
              </Notice>
            </div>
          ) : null}
          {spent.data === undefined ? null : (
            <>
              {spent.data.complete ? null : (
                <div className={styles.notice}>
                  <Notice tone="info" title="The order history is still loading.">
                    Totals grow until all orders are on this computer.
                  </Notice>
                </div>
              )}
              <section className={styles.section}>
                <h2>Spending by day</h2>
                <DayBars days={spent.data.days} from={from} to={to} />
              </section>
              <ProductSpending products={spent.data.products} />
            </>
          )}
          {now?.tellsLedger === true ? <Ledger /> : null}
        </Body>
      )}
    </Page>
  )
}
