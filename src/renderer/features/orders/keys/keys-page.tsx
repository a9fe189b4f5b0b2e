import { t } from '../../../../contract/localization/localized.ts'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { LONGEST_KEY } from '../../../../contract/orders.ts'
import type { KeyRow } from '../../../../contract/order-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { NoMatches } from '../../../ui/feedback/no-matches.tsx'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Bar, Page, PageHeader } from '../../../ui/layout/page.tsx'
import { SearchField } from '../../../ui/controls/fields/search-field.tsx'
import { ColumnMenu } from '../../../ui/table/columns/column-menu.tsx'
import { DataTable, type TableHandle } from '../../../ui/table/data-table.tsx'
import { oneOf, useListSettings } from '../../../ui/table/saved/list-settings.ts'
import { usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { TableCopy } from '../../../ui/table/copy/table-copy.tsx'
import { keyColumns } from './key-columns.tsx'
import { KeyBulkBar, keyOf, useKeySelection } from './key-selection.tsx'
import { useOrderClaims } from './key-row.tsx'
import styles from '../orders.module.css'

const views = ['all', 'unhanded', 'handed', 'claimable', 'ending', 'claimed', 'new'] as const
type View = (typeof views)[number]
const viewLabels: Record<View, string> = {
  all: 'All',
  unhanded: 'Not handed over yet',
  handed: 'Handed over',
  claimable: 'Claimable',
  ending: 'Ends within 24 h',
  claimed: 'Claimed',
  new: 'New from claims',
}
const viewParams = { view: oneOf(views, 'all') }
type KeysAnswer = {
  total: number
  rows: KeyRow[]
  counts: Record<View, number>
  uncompared: number
}

function KeysHeader({
  view,
  counts,
  onView,
}: {
  view: View
  counts: KeysAnswer['counts'] | undefined
  onView: (view: View) => void
}) {
  return (
    <PageHeader
      title="Keys"
      beside={
        <CountTabs
          label="Views of keys"
          value={view}
          onChange={onView}
          tabs={views.map((id) => ({
            id,
            label: viewLabels[id],
            count: counts?.[id] ?? null,
          }))}
        />
      }
    />
  )
}

/**
 * Every key stored on this computer, with its order: found by words or by the key itself, also
 * offline. Values stay masked; an order's page reveals them.
 */
export function KeysPage() {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
  const [{ view }, look] = useListSettings('keys', accountId, viewParams)
  const [words, setWords] = useState('')
  const table = useRef<TableHandle>(null)
  const query = useDeferredValue(words)
  const claims = useOrderClaims()
  const rows = usePagedRows<KeyRow, KeysAnswer>(
    JSON.stringify([accountId, view, query]),
    (window) => api.orders.keys.queryOptions({ input: { accountId, view, query, window } }),
    keyOf,
  )
  const columns = useMemo(() => keyColumns(claims), [claims])
  const { page } = rows
  const selection = useKeySelection(
    { view, query },
    {
      stale: rows.stale,
      showList: () => {
        look({ view })
        setWords(query)
      },
    },
  )
  return (
    <Page>
      <KeysHeader view={view} counts={page?.counts} onView={(next) => look({ view: next })} />
      <Bar
        label="Find keys"
        end={
          <>
            <TableCopy tableId="keys" columns={columns} rowsOf={rows.read} total={rows.total} />
            <ColumnMenu tableId="keys" columns={columns} />
          </>
        }
      >
        <SearchField
          label="Search order or product, or paste a key"
          width={320}
          longest={LONGEST_KEY}
          value={words}
          onChange={setWords}
          list={table}
        />
      </Bar>
      {rows.error === null ? (
        <DataTable
          ref={table}
          tableId="keys"
          label="Keys"
          columns={columns}
          total={rows.total}
          getRow={rows.getRow}
          rowKey={keyOf}
          checked={selection.checked}
          onCheck={selection.check}
          onCheckAll={selection.checkAll}
          over={<KeyBulkBar selection={selection} total={rows.total} />}
          onRange={rows.onRange}
          onOpen={(row) => go(`/orders/${row.orderId}`)}
          loading={rows.loading}
          stale={rows.stale}
          empty={
            <NoRows
              isFiltered={view !== 'all' || query !== ''}
              {...(view !== 'all' && { hint: 'Choose another view.' })}
              query={query}
              uncompared={page?.uncompared ?? 0}
              onOpened={rows.retry}
              onClear={() => setWords('')}
            />
          }
        />
      ) : (
        <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
      )}
    </Page>
  )
}

function NoRows({
  isFiltered,
  ...search
}: Parameters<typeof NoMatch>[0] & { isFiltered: boolean }) {
  return isFiltered ? <NoMatch {...search} /> : <NoKeys />
}

function NoKeys() {
  const [, go] = useLocation()
  return (
    <EmptyState
      title="No keys stored yet"
      text={
        'Download the keys of an order. They are saved encrypted on this computer, and you ' +
        'can read them offline.'
      }
      actions={
        <Button kind="primary" size="lg" autoFocus onClick={() => go('/orders')}>
          Open orders
        </Button>
      }
    />
  )
}

/** Nothing matches; a locked vault also means that the text wasn't compared with the keys. */
function NoMatch({
  query,
  hint,
  uncompared,
  onOpened,
  onClear,
}: {
  query: string
  hint?: string
  uncompared: number
  onOpened: () => void
  onClear: () => void
}) {
  if (query === '' || uncompared === 0)
    return <NoMatches query={query} {...(hint !== undefined && { hint })} onClear={onClear} />
  return (
    <div className={styles.ready}>
      <Notice
        tone="warn"
        title="No order or product matches."
        action={
          <Button
            onClick={() =>
              void openVault().then((opened) => {
                if (opened) onOpened()
              })
            }
          >
            Unlock the vault…
          </Button>
        }
      >
        {t('screens.orders-compare', { count: uncompared })}
      </Notice>
    </div>
  )
}
