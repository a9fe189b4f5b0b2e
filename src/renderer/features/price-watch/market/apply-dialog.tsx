import { IconCheck } from '@tabler/icons-react'
import { t } from '../../../../contract/localization/localized.ts'
import type { MarketRow } from '../../../../contract/price-watch/price-watch-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { productLine } from '../../../lib/labels/product-labels.ts'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { formatCents, formatCount } from '../../../ui/format.ts'

/** Asks before several proposals are sent. */
export function ApplyDialog({
  rows,
  onClose,
  onConfirm,
}: {
  rows: readonly MarketRow[]
  onClose: () => void
  onConfirm: () => Promise<void>
}) {
  const account = useAccount()
  const down = rows.filter(
    ({ proposal, priceCents }) => proposal !== null && proposal.targetCents < priceCents,
  )
  const up = rows.length - down.length
  const lowest = rows.toSorted(
    (a, b) =>
      (a.proposal?.targetCents ?? 0) / a.priceCents - (b.proposal?.targetCents ?? 0) / b.priceCents,
  )[0]
  return (
    <ConfirmDialog
      opened={rows.length > 0}
      onClose={onClose}
      onConfirm={onConfirm}
      account={account}
      title={`Apply ${t('counts.prices', { count: rows.length })}?`}
      confirmLabel={`Apply ${t('counts.prices', { count: rows.length })}`}
      typed={{ text: String(rows.length), verb: 'apply' }}
      effects={[
        {
          icon: <span aria-hidden>↓</span>,
          what: `${formatCount(down.length)} go down,`,
          more: `${formatCount(up)} go up`,
        },
        ...(lowest?.proposal == null
          ? []
          : [
              {
                icon: <span aria-hidden>%</span>,
                what: 'Largest change:',
                more:
                  `${productLine(lowest)}, ${formatCents(lowest.priceCents)} to ` +
                  `${formatCents(lowest.proposal.targetCents)}`,
              },
            ]),
        {
          icon: <IconCheck size={15} stroke={1.6} aria-hidden />,
          what: 'Every price is checked again',
          more: 'before it’s sent: floor, ceiling, size of the change, fresh data',
        },
      ]}
      note="Ctrl+. stops the rest"
    />
  )
}
