import { useMutation } from '@tanstack/react-query'
import { IconDownload, IconRepeat } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { InferContractRouterOutputs } from '@orpc/contract'
import { t } from '../../../../contract/localization/localized.ts'
import type { Contract } from '../../../../contract/index.ts'
import type { BulkLine } from '../../../../contract/order-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Money } from '../../../ui/data-display/amounts/money.tsx'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import type { Tone } from '../../../ui/data-display/status-tag.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { formatEur, formatMoment } from '../../../ui/format.ts'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { Bar, Page, PageHeader } from '../../../ui/layout/page.tsx'
import type { Column } from '../../../ui/table/columns/columns.ts'
import { plainAmount } from '../../../ui/table/copy/table-text.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
import styles from '../orders.module.css'
import { ProductLines } from '../product-lines.tsx'
import { BulkNotice } from './bulk-notices.tsx'
import { noneMissing } from './none-missing.ts'
import { TableDialog } from './table-dialog.tsx'
import { previousOf, useTableDrafts } from './table-draft.ts'

type Results = InferContractRouterOutputs<Contract['orders']>['bulkResults']

const outcomes: Record<BulkLine['state'], { word: string; tone: Tone }> = {
  waiting: { word: 'Waiting', tone: 'neutral' },
  sending: { word: 'Sending', tone: 'info' },
  unknown: { word: 'Not confirmed', tone: 'warn' },
  placed: { word: 'Placed', tone: 'ok' },
  refused: { word: 'Rejected', tone: 'bad' },
  left: { word: 'Not sent', tone: 'neutral' },
}

const keyOf = ({ externalId, line }: BulkLine): string => `${externalId} ${line}`
const columns: readonly Column<BulkLine>[] = [
  {
    id: 'external',
    header: 'Order',
    text: (row) => row.externalId,
    width: 150,
    hideable: false,
    cell: (row) => <span title={row.externalId}>{row.externalId}</span>,
  },
  {
    id: 'product',
    header: 'Product',
    text: (row) => [row.name, variantLabel(row)].filter(Boolean).join(', '),
    width: 260,
    minWidth: 180,
    grow: true,
    hideable: false,
    cell: (row) => <ProductLines name={row.name} detail={variantLabel(row)} />,
  },
  { id: 'units', header: 'Units', width: 60, align: 'end', cell: (row) => row.qty },
  {
    id: 'max',
    header: 'Max. EUR',
    text: (row) => plainAmount(row.maxUnitCents),
    width: 90,
    align: 'end',
    cell: (row) => <Money cents={row.maxUnitCents} />,
  },
  {
    id: 'price',
    header: 'Charged EUR',
    text: (row) => (row.unitCents === null ? '' : plainAmount(row.unitCents)),
    width: 100,
    align: 'end',
    cell: (row) => (row.unitCents === null ? '–' : <Money cents={row.unitCents} />),
  },
  {
    id: 'outcome',
    header: 'Result',
    text: (row) => outcomes[row.state].word,
    width: 120,
    cell: (row) => (
      <StatusTag tone={outcomes[row.state].tone}>{outcomes[row.state].word}</StatusTag>
    ),
  },
  {
    id: 'reason',
    header: 'Reason and next step',
    text: (row) => (row.reason === null ? '' : `${row.reason.what} ${row.reason.next}`),
    width: 320,
    minWidth: 200,
    grow: true,
    title: (row) => (row.reason === null ? undefined : `${row.reason.what} ${row.reason.next}`),
    cell: (row) =>
      row.reason === null ? null : (
        <span className={styles.reason}>
          <span>{row.reason.what}</span>
          <span>{row.reason.next}</span>
        </span>
      ),
  },
]

/** Exports the results, and retries the lines that were not placed. */
function ResultButtons({ bulkId, page }: { bulkId: string; page: Results | undefined }) {
  const { id: accountId } = useAccount()
  const { exports, isRetrying, retryLines } = useResultActions()
  const ref = { accountId, bulkId }
  const isOver = page !== undefined && page.bulk.state !== 'running'
  return (
    <>
      <Button
        icon={<IconDownload size={16} stroke={1.6} />}
        busy={exports.isPending}
        disabled={page === undefined}
        onClick={() => exports.mutate(ref)}
      >
        Export results
      </Button>
      {isOver && page.failed > 0 ? (
        <Button
          icon={<IconRepeat size={16} stroke={1.6} />}
          busy={isRetrying}
          onClick={() => retryLines(ref)}
        >
          {t('screens.orders-retry', { count: page.failed })}
        </Button>
      ) : null}
    </>
  )
}

/** How far the bulk order is, and why it doesn't continue. */
function BulkState({ bulk }: { bulk: Results['bulk'] }) {
  return (
    <>
      <Bar label="Summary">
        <span className={styles.grey}>
          Started {formatMoment(bulk.startedAt, Date.now())}.{' '}
          {t('screens.orders-placed', {
            count: bulk.counts.placed,
            amount: formatEur(bulk.chargedCents),
          })}
        </span>
      </Bar>
      {bulk.state === 'done' || bulk.state === 'cancelled' ? null : (
        <div className={styles.attempts}>
          <BulkNotice bulk={bulk} />
        </div>
      )}
    </>
  )
}

/** The result of each line of a bulk order, with a file of them and another try of the failed ones. */
export function BulkResultsPage({ bulkId }: { bulkId: string }) {
  const account = useAccount()
  const [, go] = useLocation()
  const [view, setView] = useState<'all' | 'failed'>('all')
  const ref = { accountId: account.id, bulkId }
  const rows = usePagedRows<BulkLine, Results>(
    `${account.id} ${bulkId} ${view}`,
    (window) => api.orders.bulkResults.queryOptions({ input: { ...ref, view, window } }),
    keyOf,
  )
  const { page } = rows
  useShortcut('Escape', () => go('/orders'))
  return (
    <Page>
      <PageHeader
        before={
          <Link href="/orders" className={styles.crumb}>
            Orders<span aria-hidden>›</span>
          </Link>
        }
        title={page?.bulk.name ?? 'Bulk order'}
        beside={
          <CountTabs
            label="Results"
            value={view}
            onChange={setView}
            tabs={[
              { id: 'all', label: 'All lines', count: page?.all ?? null },
              { id: 'failed', label: 'Not placed', count: page?.failed ?? null },
            ]}
          />
        }
        actions={<ResultButtons bulkId={bulkId} page={page} />}
      />
      {page === undefined ? null : <BulkState bulk={page.bulk} />}
      {rows.error !== null ? (
        <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
      ) : (
        <DataTable
          tableId="bulk-results"
          label="Results of the bulk order"
          columns={columns}
          total={rows.total}
          getRow={rows.getRow}
          rowKey={keyOf}
          onRange={rows.onRange}
          onOpen={(row) => (row.orderId === null ? undefined : go(`/orders/${row.orderId}`))}
          toneOf={(row) => (row.state === 'refused' ? 'bad' : undefined)}
          rowHeight={44}
          loading={rows.loading}
          stale={rows.stale}
          empty={
            <p className="kd-nothing">{page === undefined ? '' : noneMissing(page.bulk.counts)}</p>
          }
        />
      )}
      <TableDialog />
    </Page>
  )
}

/** The file of the results, and the table of the lines that were not placed. */
function useResultActions() {
  const account = useAccount()
  const replace = useTableDrafts((drafts) => drafts.replace)
  const onError = (error: Error): void => void toastProblem(problemOf(error), null)
  const exports = useMutation(
    api.orders.exportBulk.mutationOptions({
      onSuccess: ({ fileName, base64 }) => {
        saveFile(fileName, base64)
        toast({ title: 'Results exported', text: fileName })
      },
      onError,
    }),
  )
  const retry = useMutation(api.orders.bulkRetry.mutationOptions({ onError }))
  const retryLines = (ref: { accountId: string; bulkId: string }): void =>
    retry.mutate(ref, {
      // Not an option of the mutation: those are also called after this page was left, when the
      // toast and its undo would belong to the account shown then.
      onSuccess: ({ name, text, previous }) => {
        const undo = replace(account.id, { name, text, previous: previousOf(previous) })
        if (undo === null) return
        toast({
          title: `Your table of orders was replaced by ${name}`,
          text: 'Nothing was ordered.',
          undo: async () => {
            if (undo()) return true
            toast({
              kind: 'bad',
              title: 'Your earlier table wasn’t brought back',
              text: 'Another table of orders was entered since. Place or clear it, then undo again.',
            })
            return false
          },
        })
      },
    })
  return { exports, isRetrying: retry.isPending, retryLines }
}
