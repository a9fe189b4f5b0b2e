import { useCallback } from 'react'
import type { OutboxEntry } from '../../../../contract/outbox.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { saveText } from '../../../lib/save-file.ts'
import { ResultActions } from '../../../ui/feedback/result-actions.tsx'
import { formatCount } from '../../../ui/format.ts'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import type { Column } from '../../../ui/table/columns/columns.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import styles from '../outbox.module.css'
import { canRetry, reasonOf, resultOf, resultsCsv } from './results-csv.ts'

const columns: Column<OutboxEntry>[] = [
  {
    id: 'name',
    header: 'Change',
    width: 240,
    grow: true,
    hideable: false,
    cell: (entry) => <NameCell name={entry.title} detail={entry.subtitle} />,
  },
  { id: 'result', header: 'Result', width: 170, cell: resultOf },
  {
    id: 'reason',
    header: 'Reason',
    width: 260,
    cell: (entry) => <span title={entry.problem?.next}>{reasonOf(entry)}</span>,
  },
]

/** The results of sending several queued changes, line by line. */
export function SendResultsDialog({
  entries,
  onRetry,
  onClose,
}: {
  entries: readonly OutboxEntry[]
  onRetry: (failed: OutboxEntry[]) => void
  onClose: () => void
}) {
  const account = useAccount()
  const getRow = useCallback((index: number) => entries[index], [entries])
  const failed = entries.filter(canRetry)
  const sent = entries.filter(({ state }) => state === 'sent').length
  return (
    <Dialog
      opened
      onClose={onClose}
      closable
      account={account}
      width={760}
      title={t('screens.outbox-results', { count: entries.length })}
      lead={`${formatCount(sent)} of ${formatCount(entries.length)} sent.${
        sent === entries.length ? '' : ' The others are still queued.'
      }`}
      actions={
        <ResultActions
          failed={failed.length}

          onExport={() => saveText('results-queued-changes.csv', resultsCsv(entries))}
          onRetry={() => onRetry(failed)}
          onClose={onClose}
        />
      }
    >
      <div className={styles.results}>
        <DataTable
          tableId="outbox-results"
          label="Results"
          columns={columns}
          total={entries.length}
          getRow={getRow}
          rowKey={({ entryId }) => entryId}
          rowHeight={32}
          empty={<p className="kd-nothing">No lines.</p>}
        />
      </div>
    </Dialog>
  )
}
