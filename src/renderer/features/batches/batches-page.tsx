import { t } from '../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Batch } from '../../../contract/keys/batches.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { NoMatches } from '../../ui/feedback/no-matches.tsx'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { formatCount, formatMoment, formatUtc } from '../../ui/format.ts'
import { Money } from '../../ui/data-display/amounts/money.tsx'
import { Bar, Page, PageHeader } from '../../ui/layout/page.tsx'
import { SearchField } from '../../ui/controls/fields/search-field.tsx'
import { ColumnMenu } from '../../ui/table/columns/column-menu.tsx'
import { type Column, momentWidth } from '../../ui/table/columns/columns.ts'
import { DataTable, type TableHandle } from '../../ui/table/data-table.tsx'
import { NameCell } from '../../ui/table/cells/name-cell.tsx'
import { TableCopy } from '../../ui/table/copy/table-copy.tsx'
import { isoMoment, plainAmount } from '../../ui/table/copy/table-text.ts'
import { BatchPanel } from './batch-panel.tsx'
import styles from './batches.module.css'

/** Share of disputed keys among sold keys above which a batch is highlighted. */
const BAD_SHARE = 0.03

const columns: readonly Column<Batch>[] = [
  {
    id: 'name',
    header: 'Batch',
    text: (batch) => batch.name,
    width: 250,
    minWidth: 180,
    grow: true,
    hideable: false,
    cell: (batch) => <NameCell keepsName name={batch.name} detail={batch.files.join(', ')} />,
  },
  {
    id: 'offer',
    header: 'Offer',
    text: (batch) => batch.offerName,
    width: 290,
    minWidth: 140,
    cell: (batch) => (
      <NameCell
        name={batch.offerName}
        detail={[batch.platform, batch.region].filter(Boolean).join(' · ')}
      />
    ),
  },
  { id: 'supplier', header: 'Supplier', width: 140, hideOrder: 1, cell: (batch) => batch.supplier },
  {
    id: 'at',
    header: 'Uploaded',
    text: (batch) => isoMoment(batch.uploadedAt),
    width: momentWidth,
    hideOrder: 2,
    cell: (batch) =>
      batch.uploadedAt === null ? null : (
        <time title={formatUtc(batch.uploadedAt)}>
          {formatMoment(batch.uploadedAt, Date.now())}
        </time>
      ),
  },
  {
    id: 'cost',
    header: 'Cost EUR',
    text: (batch) => plainAmount(batch.costCents),
    width: 84,
    align: 'end',
    cell: (batch) =>
      batch.costCents === null ? (
        <span className={styles.grey}>–</span>
      ) : (
        <Money cents={batch.costCents} />
      ),
  },
  {
    id: 'keys',
    header: 'Keys',
    text: (batch) => batch.keys,
    width: 80,
    align: 'end',
    hideable: false,
    cell: (batch) => formatCount(batch.keys),
  },
  {
    id: 'sold',
    header: 'Sold',
    text: (batch) => batch.sold,
    width: 76,
    align: 'end',
    cell: (batch) => formatCount(batch.sold),
  },
  {
    id: 'gone',
    header: 'Withdrawn',
    text: (batch) => batch.gone,
    width: 92,
    align: 'end',
    hideOrder: 3,
    cell: (batch) => (batch.gone === 0 ? null : formatCount(batch.gone)),
  },
  {
    id: 'claimed',
    header: 'Disputed',
    text: (batch) => batch.claimed,
    width: 112,
    align: 'end',
    hideable: false,
    cell: (batch) => <DisputedCell batch={batch} />,
  },
]

function DisputedCell({ batch: { claimed, sold } }: { batch: Batch }) {
  if (claimed === 0) return <span className={styles.grey}>none</span>
  const share = sold === 0 ? 1 : claimed / sold
  return (
    <span className={styles.share} data-bad={share > BAD_SHARE || undefined}>
      {formatCount(claimed)} · {(share * 100).toFixed(1)} %
    </span>
  )
}

const matchesFilter = (batch: Batch, words: string): boolean => {
  const text = [batch.name, batch.supplier, batch.note, batch.offerName, ...batch.files]
    .join('\n')
    .toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Lists every import per offer with its cost, sales and disputes. */
export function BatchesPage({ batchId }: { batchId: string | null }) {
  const account = useAccount()
  const [, go] = useLocation()
  const [typed, setTyped] = useState('')
  const words = useDeferredValue(typed)
  const table = useRef<TableHandle>(null)
  const found = useQuery(api.batches.list.queryOptions({ input: { accountId: account.id } }))
  const all = useMemo(() => found.data?.batches ?? [], [found.data])
  const rows = useMemo(() => all.filter((batch) => matchesFilter(batch, words)), [all, words])
  const untold = found.data?.toldBy.untold ?? 0
  return (
    <Page
      panel={
        batchId === null ? undefined : (
          <BatchPanel
            key={batchId}
            batchId={batchId}
            onClose={() => {
              go('/batches')
              table.current?.focus()
            }}
          />
        )
      }
    >
      <PageHeader
        title="Import history"
        actions={
          <Button kind="primary" onClick={() => go('/import')}>
            Import keys
          </Button>
        }
      />
      <Bar
        label="Filters"
        end={
          <>
            <TableCopy
              tableId="batches"
              columns={columns}
              rowsOf={async () => rows}
              total={rows.length}
            />
            <ColumnMenu tableId="batches" columns={columns} />
          </>
        }
      >
        <SearchField
          label="Filter by name, supplier, file, offer"
          width={300}
          value={typed}
          onChange={setTyped}
          list={table}
        />
        {untold === 0 ? null : (
          <span
            className={styles.grey}
            title="The service didn’t report the key, or the vault was locked when the sale was synced."
          >
            {t('screens.batches-unknown-keys', { count: untold })}
          </span>
        )}
      </Bar>
      {found.isError ? (
        <ErrorState
          problem={problemOf(found.error)}
          onRetry={() => {
            void found.refetch()
          }}
        />
      ) : (
        <DataTable
          ref={table}
          tableId="batches"
          label="Import history"
          columns={columns}
          total={rows.length}
          getRow={(index) => rows[index]}
          rowKey={(batch) => batch.batchId}
          loading={found.isPending}
          openKey={batchId}
          onOpen={(batch) => go(`/batches/${batch.batchId}`)}
          onClose={() => go('/batches')}
          autoFocus
          empty={
            all.length === 0 ? (
              <EmptyState
                title="No imported keys yet"
                text="Each import that adds keys to an offer appears here with its cost, sales and disputes."
                actions={
                  <Button kind="primary" autoFocus onClick={() => go('/import')}>
                    Import keys
                  </Button>
                }
                columns={[120, 100, 60]}
              />
            ) : (
              <NoMatches query={words} onClear={() => setTyped('')} />
            )
          }
        />
      )}
    </Page>
  )
}
