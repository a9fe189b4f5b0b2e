import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { t } from '../../../../contract/localization/localized.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { api } from '../../../lib/core/rpc.ts'
import { saveText } from '../../../lib/save-file.ts'
import { ResultActions } from '../../../ui/feedback/result-actions.tsx'
import { MoneyChange } from '../../../ui/data-display/amounts/money.tsx'
import { formatCount } from '../../../ui/format.ts'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import type { Column } from '../../../ui/table/columns/columns.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import styles from './market.module.css'
import { appliedCsv, appliedPrices, isFailed, reasonOf, resultOf } from './apply-results-csv.ts'
import type { AppliedPrice, AppliedPrices } from './apply-results-csv.ts'

const columns: Column<AppliedPrice>[] = [
  {
    id: 'name',
    header: 'Product',
    width: 220,
    grow: true,
    hideable: false,
    cell: ({ row }) => <NameCell name={row.name} detail={variantLabel(row)} />,
  },
  {
    id: 'change',
    header: 'You receive',
    width: 140,
    align: 'end',
    cell: ({ row }) =>
      row.proposal === null ? null : (
        <MoneyChange from={row.priceCents} to={row.proposal.targetCents} />
      ),
  },
  { id: 'result', header: 'Result', width: 150, cell: resultOf },
  {
    id: 'reason',
    header: 'Reason',
    width: 220,
    cell: (line) => <span title={reasonOf(line)}>{reasonOf(line)}</span>,
  },
]

/** The results of applying several proposals, line by line, while they are sent. */
export function ApplyResultsDialog({
  applied,
  onRetry,
  onClose,
}: {
  applied: AppliedPrices
  /** Asks about the current proposals of these offers. */
  onRetry: (offerIds: string[]) => void
  onClose: () => void
}) {
  const account = useAccount()
  const sendIds = applied.sends.map(({ sendId }) => sendId)
  const read = useQuery({
    ...api.priceWatch.sends.queryOptions({ input: { accountId: account.id, sendIds } }),
    enabled: sendIds.length > 0,
  }).data
  const lines = useMemo(() => appliedPrices(applied, read ?? []), [applied, read])
  const getRow = useCallback((index: number) => lines[index], [lines])
  const failed = lines.filter(isFailed)
  // Without a failure, names and editions get the place of the reasons.
  const shown = failed.length === 0 ? columns.filter(({ id }) => id !== 'reason') : columns
  const sent = lines.filter(({ send }) => send?.state === 'applied').length
  return (
    <Dialog
      opened
      onClose={onClose}
      closable
      account={account}
      width={820}
      title={t('screens.price-watch-results', { count: lines.length })}
      lead={
        <span aria-live="polite">
          {formatCount(sent)} of {formatCount(lines.length)} sent
          {failed.length === 0 ? '' : `, ${formatCount(failed.length)} not`}. You can close this and
          follow them in Decisions.
        </span>
      }
      actions={
        <ResultActions
          failed={failed.length}
          asks
          onExport={() => saveText('results-prices.csv', appliedCsv(lines))}
          onRetry={() => onRetry(failed.map(({ row }) => row.offerId))}
          onClose={onClose}
        />
      }
    >
      <div className={styles.applied}>
        <DataTable
          tableId="price-results"
          label="Results"
          columns={shown}
          total={lines.length}
          getRow={getRow}
          rowKey={({ row }) => row.offerId}
          rowHeight={32}
          empty={<p className="kd-nothing">No lines.</p>}
        />
      </div>
    </Dialog>
  )
}
