import { t } from '../../../../contract/localization/localized.ts'
import { useMutation } from '@tanstack/react-query'
import type { Bulk, BulkResult } from '../../../../contract/offers/offer-bulk.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { saveText } from '../../../lib/save-file.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { formatCents, formatCount } from '../../../ui/format.ts'
import { MoneyChange } from '../../../ui/data-display/amounts/money.tsx'
import type { Column } from '../../../ui/table/columns/columns.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import { usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { askToUndoBulk } from './undo-bulk-dialog.tsx'
import { bulkProgress, undoLabel } from './bulk-texts.ts'
import styles from '../parts.module.css'
import { variantLabel } from '../../../lib/labels/product-labels.ts'

const stateTexts: Record<BulkResult['state'], string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  done: 'Done',
  refused: 'Failed',
  skipped: 'Skipped',
  cancelled: 'Not sent',
}

function Change({ line: { before, after } }: { line: BulkResult }) {
  if (
    before.priceCents !== null &&
    after.priceCents !== null &&
    before.priceCents !== after.priceCents
  )
    return <MoneyChange from={before.priceCents} to={after.priceCents} />
  if (before.priceCents === null && after.priceCents !== null) return formatCents(after.priceCents)
  return after.status === null
    ? 'closed'
    : after.stock === 0 && (before.stock ?? 0) > 0
      ? t('counts.keys', { count: before.stock ?? 0 })
      : after.status
}

const columns: Column<BulkResult>[] = [
  {
    id: 'name',
    header: 'Product',
    width: 220,
    grow: true,
    hideable: false,
    cell: (line) => <NameCell name={line.name} detail={variantLabel(line)} />,
  },
  {
    id: 'change',
    header: 'Change',
    width: 140,
    align: 'end',
    cell: (line) => <Change line={line} />,
  },
  {
    id: 'state',
    header: 'Result',
    width: 300,
    cell: (line) => (
      <span
        className={styles.note}
        data-tone={line.state === 'refused' ? 'bad' : line.state === 'done' ? 'ok' : undefined}
        title={line.problem?.next}
      >
        {line.problem === null ? stateTexts[line.state] : line.problem.what.replace(/\.$/, '')}
      </span>
    ),
  },
]

/** The actions on a bulk change while it runs, and afterwards. */
function BulkActions({ bulk, onClose }: { bulk: Bulk; onClose: () => void }) {
  const { id: accountId } = useAccount()
  const failed = {
    onError: (error: Error) => void toastProblem(problemOf(error), bulk.title),
  }
  const exported = useMutation(
    api.offers.bulk.export.mutationOptions({
      ...failed,
      onSuccess: ({ fileName, text }) => saveText(fileName, text),
    }),
  )
  const retry = useMutation(api.offers.bulk.retry.mutationOptions(failed))
  const pause = useMutation(api.offers.bulk.pause.mutationOptions(failed))
  const resume = useMutation(api.offers.bulk.resume.mutationOptions(failed))
  const cancel = useMutation(api.offers.bulk.cancel.mutationOptions(failed))
  const ref = { accountId, bulkId: bulk.bulkId }
  return (
    <>
      {bulk.state === 'running' ? (
        <Button size="md" onClick={() => pause.mutate(ref)}>
          Pause
        </Button>
      ) : null}
      {bulk.state === 'paused' ? (
        <Button size="md" onClick={() => resume.mutate(ref)}>
          Resume
        </Button>
      ) : null}
      {bulk.state === 'running' || bulk.state === 'paused' ? (
        <Button size="md" onClick={() => cancel.mutate(ref)}>
          Cancel the rest
        </Button>
      ) : null}
      {bulk.undoable > 0 ? (
        <Button
          size="md"
          onClick={() => {
            onClose()
            void askToUndoBulk(bulk.bulkId)
          }}
        >
          {undoLabel(bulk.undoes !== null, bulk.undoable)}…
        </Button>
      ) : null}
      <Button size="md" onClick={() => exported.mutate(ref)}>
        Export CSV
      </Button>
      {bulk.counts.skipped > 0 ? (
        <Button
          size="md"
          busy={retry.isPending}
          title="Overwrites changes made in between"
          onClick={() => retry.mutate({ ...ref, skipped: true })}
        >
          Change {formatCount(bulk.counts.skipped)} skipped too
        </Button>
      ) : null}
      {bulk.counts.refused > 0 ? (
        <Button size="md" busy={retry.isPending} onClick={() => retry.mutate(ref)}>
          Retry {formatCount(bulk.counts.refused)}
        </Button>
      ) : null}
    </>
  )
}

/** Results of a bulk change line by line, rejected lines first. */
export function ResultsDialog({ bulkId, onClose }: { bulkId: string; onClose: () => void }) {
  const account = useAccount()
  const rows = usePagedRows<BulkResult, { bulk: Bulk; total: number; rows: BulkResult[] }>(
    `${account.id} ${bulkId}`,
    (window) =>
      api.offers.bulk.results.queryOptions({ input: { accountId: account.id, bulkId, window } }),
    (line) => line.subjectId,
  )
  const bulk = rows.page?.bulk
  return (
    <Dialog
      opened
      onClose={onClose}
      closable
      account={account}
      width={760}
      title={bulk?.title ?? 'Changes'}
      lead={bulk === undefined ? undefined : <span aria-live="polite">{bulkProgress(bulk)}</span>}
      actions={
        <>
          {bulk === undefined ? (
            <Button size="md" disabled>
              Export CSV
            </Button>
          ) : (
            <BulkActions bulk={bulk} onClose={onClose} />
          )}
          <Button size="md" kind="primary" keys={['Esc']} data-autofocus onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      {rows.error !== null ? (
        <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
      ) : (
        <div className={styles.results}>
          <DataTable
            tableId="offers-results"
            label="Results"
            columns={columns}
            total={rows.total}
            getRow={rows.getRow}
            rowKey={(line) => line.subjectId}
            onRange={rows.onRange}
            loading={rows.loading}
            stale={rows.stale}
            rowHeight={32}
            empty={<p className="kd-nothing">No lines.</p>}
          />
        </div>
      )}
    </Dialog>
  )
}
