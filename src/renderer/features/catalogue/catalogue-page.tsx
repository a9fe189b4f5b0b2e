import { memo, useCallback, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { ProductRow } from '../../../contract/catalogue.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { BulkBar } from '../../ui/layout/bulk-bar.tsx'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { formatCount } from '../../ui/format.ts'
import { Bar, Page, PageHeader } from '../../ui/layout/page.tsx'
import { SearchField } from '../../ui/controls/fields/search-field.tsx'
import { ColumnMenu } from '../../ui/table/columns/column-menu.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { TableHandle } from '../../ui/table/data-table.tsx'
import { TableCopy } from '../../ui/table/copy/table-copy.tsx'
import { toastBulkStarted } from '../offers/bulk/started-toast.ts'
import { CreateOffers } from '../offers/bulk/create-offers.tsx'
import styles from './catalogue.module.css'
import { EmptyCatalogue } from './empty-catalogue.tsx'
import { FilterChips } from './filter-chips.tsx'
import { FilterRail } from './filter-rail.tsx'
import { ProductPanel } from './product-panel.tsx'
import { keyOf, useCatalogueList, useCheckedProducts } from './use-catalogue-list.ts'
import type { SearchAnswer, SyncState } from './use-catalogue-list.ts'

const isOut = (row: ProductRow): boolean => row.inStock === false

/**
 * The full catalogue of an account with search as you type. Reads the mirror, so it also works
 * offline.
 */
export function CataloguePage({ productId = null }: { productId?: string | null }) {
  const account = useAccount()
  const table = useRef<TableHandle>(null)
  const { filter, change, columns, listed, rows, sync, sort, onSort, locate } = useCatalogueList()
  const { checked, check, checkAll, clear } = useCheckedProducts({ filter, change, rows })
  const [, go] = useLocation()
  const isOpen = productId !== null
  const open = useCallback(
    (id: string | null): void =>
      go(id === null ? '/catalogue' : `/catalogue/${encodeURIComponent(id)}`, { replace: isOpen }),
    [go, isOpen],
  )
  const sells = account.role === 'seller'
  const [offers, setOffers] = useState(false)
  const { page, total, list, getRow, onRange, read, loading, stale } = rows
  const step = (by: 1 | -1): void => {
    const next = (table.current?.current() ?? -1) + by
    if (next >= 0 && next < total) table.current?.goTo(next)
  }
  const onOpen = useCallback((row: ProductRow) => open(row.productId), [open])
  const onClose = useCallback(() => open(null), [open])
  const tableId = `catalogue-${account.role}`

  // Typing must stay fast, so these are memoized: for each letter, only the text and then the rows
  // render.
  const tools = useMemo(
    () => (
      <>
        <TableCopy tableId={tableId} columns={columns} rowsOf={read} total={total} />
        <ColumnMenu tableId={tableId} columns={columns} />
      </>
    ),
    [tableId, columns, read, total],
  )
  const products = useMemo(
    () => (
      <DataTable
        ref={table}
        tableId={tableId}
        label="Products"
        columns={columns}
        total={total}
        list={list}
        getRow={getRow}
        rowKey={keyOf}
        onRange={onRange}
        sort={sort}
        onSort={onSort}
        openKey={productId}
        locate={locate}
        onOpen={onOpen}
        onClose={onClose}
        isMuted={isOut}
        loading={loading}
        stale={stale}
        {...(sells && {
          checked,
          onCheck: check,
          onCheckAll: checkAll,
          over: (
            <BulkBar selected={checked.size} total={total} onSelectAll={checkAll} onClose={clear}>
              <Button kind="primary" onClick={() => setOffers(true)}>
                Create offers…
              </Button>
            </BulkBar>
          ),
        })}
        empty={<EmptyCatalogue isEmpty={page?.all === 0} sync={sync} />}
      />
    ),
    [
      tableId,
      columns,
      total,
      list,
      getRow,
      onRange,
      sort,
      onSort,
      productId,
      locate,
      onOpen,
      onClose,
      loading,
      stale,
      sells,
      checked,
      check,
      checkAll,
      clear,
      page?.all,
      sync,
    ],
  )

  return (
    <Page
      panel={
        productId === null ? undefined : (
          <ProductPanel
            productId={productId}
            country={filter.country}
            onClose={onClose}
            onStep={step}
          />
        )
      }
    >
      <Heading page={page} sync={sync} />
      <Bar label="Search and filters" end={tools}>
        <SearchField
          label="Search the catalogue"
          value={filter.query}
          onChange={(query) => change(account.id, { query })}
          list={table}
        />
        <FilterChips filter={filter} />
      </Bar>
      <div className={styles.split}>
        <FilterRail filter={filter} listed={loading || stale ? null : listed} />
        {rows.error === null ? (
          products
        ) : (
          <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
        )}
      </div>
      {offers ? (
        <CreateOffers
          source={{ items: [...checked].map((id) => ({ productId: id, priceCents: null })) }}
          count={checked.size}
          onClose={() => setOffers(false)}
          onBegun={(started) => {
            setOffers(false)
            clear()
            toastBulkStarted(account.id, started, {
              label: 'View offers',
              run: () => go('/offers'),
            })
          }}
        />
      ) : null}
    </Page>
  )
}

const Heading = memo(function Heading({
  page,
  sync,
}: {
  page: SearchAnswer | undefined
  sync: SyncState | undefined
}) {
  return (
    <PageHeader
      title="Catalogue"
      beside={
        page === undefined ? undefined : (
          <span className={styles.count}>
            {page.total === page.all ? (
              <b>{formatCount(page.all)}</b>
            ) : (
              <>
                <b>
                  {formatCount(page.total)}
                  {page.more ? '+' : ''}
                </b>{' '}
                of {formatCount(page.all)}
              </>
            )}{' '}
            products
            {page.guessed === null ? null : <> · showing results for “{page.guessed}”</>}
            {sync?.state === 'running' ? (
              <>
                {' '}
                · syncing
                {sync.total === null
                  ? ''
                  : ` ${formatCount(sync.done)} of ${formatCount(sync.total)}`}
              </>
            ) : null}
          </span>
        )
      }
    />
  )
})
