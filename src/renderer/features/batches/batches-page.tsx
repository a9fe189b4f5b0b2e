import { t } from '../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Batch } from '../../../contract/keys/batches.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { NoMatches } from '../../ui/feedback/no-matches.tsx'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Bar, Page, PageHeader } from '../../ui/layout/page.tsx'
import { SearchField } from '../../ui/controls/fields/search-field.tsx'
import { ColumnMenu } from '../../ui/table/columns/column-menu.tsx'
import { DataTable, type TableHandle } from '../../ui/table/data-table.tsx'
import { TableCopy } from '../../ui/table/copy/table-copy.tsx'
import { BatchPanel } from './batch-panel.tsx'
import styles from './batches.module.css'
import { batchColumns } from './columns.tsx'

const matchesFilter = (batch: Batch, words: string): boolean => {
  const text = [batch.name, batch.supplier, batch.note, batch.offerName, ...batch.files]
    .join('\n')
    .toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** The batches that match the words in the search field. */
function useBatches() {
  const { id: accountId } = useAccount()
  const [typed, setTyped] = useState('')
  const words = useDeferredValue(typed)
  const found = useQuery(api.batches.list.queryOptions({ input: { accountId } }))
  const all = useMemo(() => found.data?.batches ?? [], [found.data])
  const rows = useMemo(() => all.filter((batch) => matchesFilter(batch, words)), [all, words])
  return { found, typed, setTyped, words, rows, isEmpty: all.length === 0 }
}
type Batches = ReturnType<typeof useBatches>

/** Lists every import per offer with its cost, sales and disputes. */
export function BatchesPage({ batchId }: { batchId: string | null }) {
  const [, go] = useLocation()
  const table = useRef<TableHandle>(null)
  const batches = useBatches()
  const { found, rows } = batches
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
          batches.isEmpty ? null : (
            <Button kind="primary" onClick={() => go('/import')}>
              Import keys
            </Button>
          )
        }
      />
      <BatchesBar batches={batches} table={table} />
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
          columns={batchColumns}
          total={rows.length}
          getRow={(index) => rows[index]}
          rowKey={(batch) => batch.batchId}
          loading={found.isPending}
          openKey={batchId}
          onOpen={(batch) => go(`/batches/${batch.batchId}`)}
          onClose={() => go('/batches')}
          autoFocus
          empty={<NoBatches batches={batches} />}
        />
      )}
    </Page>
  )
}

/** The filter of the batches, and how many disputes couldn't be assigned to one. */
function BatchesBar({
  batches: { found, typed, setTyped, rows },
  table,
}: {
  batches: Batches
  table: RefObject<TableHandle | null>
}) {
  const untold = found.data?.toldBy.untold ?? 0
  return (
    <Bar
      label="Filters"
      end={
        <>
          <TableCopy
            tableId="batches"
            columns={batchColumns}
            rowsOf={async () => rows}
            total={rows.length}
          />
          <ColumnMenu tableId="batches" columns={batchColumns} />
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
  )
}

function NoBatches({ batches: { isEmpty, words, setTyped } }: { batches: Batches }) {
  const [, go] = useLocation()
  if (!isEmpty) return <NoMatches query={words} onClear={() => setTyped('')} />
  return (
    <EmptyState
      title="No imported keys yet"
      text="Each import that adds keys to an offer appears here with its cost, sales and disputes."
      actions={
        <Button kind="primary" autoFocus onClick={() => go('/import')}>
          Import keys
        </Button>
      }
      outline
    />
  )
}
