import { useMutation, useQuery } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { plainEuros, subtractCents, ZERO } from '../../../../server/api/money.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { useAccountNow } from '../../lib/account/account-time.tsx'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { FigureStrip } from '../../ui/data-display/facts.tsx'
import { formatEur, formatMoment } from '../../ui/format.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Body, Page, PageHeader } from '../../ui/layout/page.tsx'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { BalancePanel } from './balance-panel.tsx'
import { DayBars } from './day-bars.tsx'
import { Ledger } from './ledger.tsx'
import styles from './spending.module.css'
import { DAY_MS } from '../../../../server/api/time.ts'
import { variantLabel } from '../../lib/labels/product-labels.ts'

const periods = { '7': '7 days', '30': '30 days', '365': 'A year' } as const
type Period = keyof typeof periods

/**
 * A partner's balance, spending by day and product, and every movement where the service reports
 * them.
 */
export function BalancePage() {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
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
      onError: (error) => toastProblem(problemOf(error)),
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
          {now === undefined ? null : (
            <FigureStrip
              label="Balance and spending"
              figures={[
                {
                  label: 'Balance',
                  value: now.balanceCents === null ? 'unknown' : formatEur(now.balanceCents),
                  ...(now.readAt !== null && { detail: formatMoment(now.readAt, Date.now()) }),
                },
                {
                  label: 'Paid in this period',
                  value:
                    spent.data === undefined
                      ? ''
                      : formatEur(subtractCents(spent.data.chargedCents, spent.data.refundedCents)),
                  ...(spent.data !== undefined && { detail: `${spent.data.orders} orders` }),
                },
                {
                  label: 'Credited back',
                  value: spent.data === undefined ? '' : formatEur(spent.data.refundedCents),
                },
                {
                  label: 'Per day, last 7 days',
                  value: now.dailyCents === null ? '–' : formatEur(now.dailyCents),
                  ...(now.dailyCents !== null &&
                    now.dailyCents > 0 &&
                    now.balanceCents !== null && {
                      detail: `lasts ${Math.floor(now.balanceCents / now.dailyCents)} days`,
                    }),
                },
              ]}
            />
          )}
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
              <section className={styles.section}>
                <h2>By product</h2>
                {spent.data.products.length === 0 ? (
                  <p className={styles.none}>No orders in this period.</p>
                ) : (
                  <table className={styles.table}>
                    <thead>
                      <tr>
                        <th scope="col">Product</th>
                        <th scope="col" className={styles.end}>
                          Orders
                        </th>
                        <th scope="col" className={styles.end}>
                          Units
                        </th>
                        <th scope="col" className={styles.end}>
                          Paid EUR
                        </th>
                      </tr>
                    </thead>
                    <tbody>
                      {spent.data.products.slice(0, 50).map((product) => (
                        <tr key={product.productId}>
                          <td>
                            <button
                              type="button"
                              className={styles.product}
                              onClick={() =>
                                go(`/catalogue/${encodeURIComponent(product.productId)}`)
                              }
                            >
                              {product.name}
                            </button>{' '}
                            <small>{variantLabel(product)}</small>
                          </td>
                          <td className={styles.end}>{product.orders}</td>
                          <td className={styles.end}>{product.units}</td>
                          <td className={styles.end}>
                            <b>{plainEuros(product.cents)}</b>
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                )}
              </section>
            </>
          )}
          {now?.tellsLedger === true ? <Ledger /> : null}
        </Body>
      )}
    </Page>
  )
}
