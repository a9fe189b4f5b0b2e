import { t } from '../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import { type Cents, subtractCents, sumCents, ZERO } from '../../../../server/api/money.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { api } from '../../lib/core/rpc.ts'
import { formatCents, formatCount } from '../../ui/format.ts'
import { type Period, periodWords } from './periods.ts'
import styles from './sales.module.css'

interface Sum {
  cents: Cents
  sales: number
}
interface ProfitSum extends Sum {
  estimated: number
  unknown: number
}

/** How much of the profit is certain: "116 unknown, 3 estimated"; if all costs are known, its sales. */
function profitDetail({ sales, estimated, unknown }: ProfitSum): string {
  const parts = [
    ...(unknown === 0 ? [] : [`${formatCount(unknown)} unknown`]),
    ...(estimated === 0 ? [] : [`${formatCount(estimated)} estimated`]),
  ]
  return parts.length === 0 ? t('counts.sales', { count: sales }) : parts.join(', ')
}

/** The same in full, for the tooltip. */
const profitTitle = ({ sales, estimated, unknown }: ProfitSum): string =>
  `Profit of ${t('counts.sales', { count: sales })}, ${formatCount(estimated)} of them with the cost of the offer. ` +
  `Left out: ${t('counts.sales', { count: unknown })} of unknown cost.`

/** Available and pending balance, and earnings and profit of the chosen period. */
export function SalesFigures({
  period,
  earned,
  profit,
}: {
  period: Period
  earned: { earned: Sum; refunded: Sum } | undefined
  profit: ProfitSum | undefined
}) {
  const { id: accountId } = useAccount()
  const balance = useQuery(api.balance.now.queryOptions({ input: { accountId } })).data
  const pending = useQuery(api.sales.pending.queryOptions({ input: { accountId } })).data
  const reading = balance?.reading ?? null
  const told = (cents: Cents | null | undefined): string =>
    balance === undefined ? '–' : cents == null ? 'unknown' : formatCents(cents)
  const sales = (sum: Sum | undefined): string =>
    sum === undefined ? '' : t('counts.sales', { count: sum.sales })
  const pendingCents = reading?.pendingCents ?? null
  // Held = pending minus the upcoming releases.
  const upcoming = sumCents((balance?.upcoming ?? []).map((release) => release.cents))
  const held =
    pendingCents === null ? (pending?.held.cents ?? ZERO) : subtractCents(pendingCents, upcoming)
  return (
    <dl className={styles.figures} aria-label="Balance and earnings">
      <div>
        <dt>Available</dt>
        <dd>
          <b>{told(reading?.availableCents)}</b>{' '}
          {balance === undefined ? '' : reading === null ? 'not read yet' : 'EUR'}
        </dd>
      </div>
      <div data-wide>
        <dt>Pending</dt>
        <dd>
          <b>{told(pendingCents)}</b>{' '}
          {pendingCents === null
            ? ''
            : `= ${formatCents(upcoming)} within 7 days + ${formatCents(held)} held`}
        </dd>
      </div>
      <div>
        <dt>Earned {periodWords[period]}</dt>
        <dd>
          <b>{earned === undefined ? '–' : formatCents(earned.earned.cents)}</b>{' '}
          {sales(earned?.earned)}
        </dd>
      </div>
      <div data-wide>
        <dt>Profit {periodWords[period]}</dt>
        <dd title={profit === undefined ? undefined : profitTitle(profit)}>
          <b>{profit === undefined || profit.sales === 0 ? '–' : formatCents(profit.cents)}</b>{' '}
          {profit === undefined ? '' : profitDetail(profit)}
        </dd>
      </div>
      <div>
        <dt>Refunded {periodWords[period]}</dt>
        <dd>
          <b>{earned === undefined ? '–' : formatCents(earned.refunded.cents)}</b>{' '}
          {sales(earned?.refunded)}
        </dd>
      </div>
    </dl>
  )
}
