import { useQuery } from '@tanstack/react-query'
import { DAY_MS } from '../../../../../server/api/time.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { api } from '../../../lib/core/rpc.ts'
import type { SalesFilter } from '../list/use-sales-filter.ts'
import { SalesFigures } from '../sales-figures.tsx'
import styles from '../sales.module.css'
import { EarnedChart } from './earned-chart.tsx'

/** The bar of the sales that are released on a day; null without a day. */
function useReleaseBar(
  accountId: string,
  date: string | null,
  edges: readonly number[],
): number | null {
  const from = Date.parse(date ?? '') || 0
  const { data } = useQuery({
    ...api.sales.releases.queryOptions({ input: { accountId, from, to: from + DAY_MS } }),
    enabled: date !== null,
  })
  if (date === null || data?.soldTo == null) return null
  const { soldTo } = data
  return edges.findLast((edge) => edge <= soldTo) ?? null
}

/**
 * Earnings and profit of the chosen period, in total and by day and product. The bar of the sales
 * that are released on `releaseDate` is highlighted.
 */
export function PeriodEarnings({
  filter,
  releaseDate,
}: {
  filter: SalesFilter
  releaseDate: string | null
}) {
  const { id: accountId } = useAccount()
  const { edges, period } = filter
  const { offerId } = filter.asked
  const earned = useQuery(
    api.sales.earned.queryOptions({ input: { accountId, edges, offerId } }),
  ).data
  const profit = useQuery(
    api.sales.profit.queryOptions({
      input: { accountId, from: edges[0] ?? 0, to: edges.at(-1) ?? 0, offerId },
    }),
  ).data
  const litFrom = useReleaseBar(accountId, releaseDate, edges)
  return (
    <>
      <SalesFigures period={period} earned={earned} profit={profit} />
      {earned === undefined ? (
        <div className={styles.chartWaits} />
      ) : (
        <EarnedChart
          bars={earned.bars}
          products={earned.products}
          byMonth={period === 'all'}
          litFrom={litFrom}
          onBar={filter.toggleBar}
          onProduct={(product) => filter.setLinked('product', product.productId)}
        />
      )}
    </>
  )
}
