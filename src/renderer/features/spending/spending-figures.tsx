import { t } from '../../../contract/localization/localized.ts'
import { subtractCents } from '../../../../server/api/money.ts'
import type { rpc } from '../../lib/core/rpc.ts'
import { FigureStrip } from '../../ui/data-display/facts.tsx'
import { formatEur, formatMoment } from '../../ui/format.ts'

/** The balance, and the payments and credits of a period; undefined while it loads. */
export function SpendingFigures({
  balance,
  spent,
}: {
  balance: Awaited<ReturnType<typeof rpc.spending.balance>>
  spent: Awaited<ReturnType<typeof rpc.spending.spent>> | undefined
}) {
  return (
    <FigureStrip
      label="Balance and spending"
      figures={[
        {
          label: 'Balance',
          value: balance.balanceCents === null ? 'unknown' : formatEur(balance.balanceCents),
          ...(balance.readAt !== null && { detail: formatMoment(balance.readAt, Date.now()) }),
        },
        {
          label: 'Paid in this period',
          value:
            spent === undefined
              ? ''
              : formatEur(subtractCents(spent.chargedCents, spent.refundedCents)),
          ...(spent !== undefined && { detail: t('counts.orders', { count: spent.orders }) }),
        },
        {
          label: 'Credited back',
          value: spent === undefined ? '' : formatEur(spent.refundedCents),
        },
        {
          label: 'Per day, last 7 days',
          value: balance.dailyCents === null ? '–' : formatEur(balance.dailyCents),
          ...(balance.dailyCents !== null &&
            balance.dailyCents > 0 &&
            balance.balanceCents !== null && {
              detail: `lasts ${Math.floor(balance.balanceCents / balance.dailyCents)} days`,
            }),
        },
      ]}
    />
  )
}
