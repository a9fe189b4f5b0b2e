import { useQuery } from '@tanstack/react-query'
import { memo, useCallback, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { catalogueSortColumns, type ProductRow } from '../../../contract/catalogue.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { BulkBar } from '../../ui/layout/bulk-bar.tsx'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { formatCount } from '../../ui/format.ts'
import { Bar, Page, PageHeader } from '../../ui/layout/page.tsx'
import { SearchField } from '../../ui/controls/fields/search-field.tsx'
import { ColumnMenu } from '../../ui/table/columns/column-menu.tsx'
import type { Sort } from '../../ui/table/columns/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { TableHandle } from '../../ui/table/data-table.tsx'
import { type ListSetting, sortedBy, useListSettings } from '../../ui/table/saved/list-settings.ts'
import { usePagedRows } from '../../ui/table/rows/paged-rows.ts'
import { TableCopy } from '../../ui/table/copy/table-copy.tsx'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { toastBulkStarted } from '../offers/bulk/started-toast.ts'
import { CreateOffers } from '../offers/bulk/create-offers.tsx'
import styles from './catalogue.module.css'
import { catalogueColumns } from './columns.tsx'
import { FilterChips } from './filter-chips.tsx'
import { FilterRail } from './filter-rail.tsx'
import { emptyFilter, useFilterState } from './filter-state.ts'
import { EmptyCatalogue } from './empty-catalogue.tsx'
import { ProductPanel } from './product-panel.tsx'

type SyncState = Awaited<ReturnType<typeof rpc.catalogue.sync>>
type SearchAnswer = {
  total: number
  more: boolean
  all: number
  rows: ProductRow[]
  guessed: string | null
  elapsedMs: number
}
type ChosenSort = { column: (typeof catalogueSortColumns)[number]; direction: 'asc' | 'desc' }
const byColumn = sortedBy(catalogueSortColumns, 'name', 'asc')
const byRelevance: ListSetting<ChosenSort | null> = {
  start: null,
  fits: (kept): kept is ChosenSort | null => kept === null || byColumn.fits(kept),
}
const tableParts = { sort: byRelevance }

/** Rows per read: a window full and a few more, so that each typed letter transfers little data. */
const rowsPerRead = 50
/** As many as one bulk change can have. */
const MAX_NEW_OFFERS = 20_000
const keyOf = (row: ProductRow): string => row.productId
const isOut = (row: ProductRow): boolean => row.inStock === false

/**
 * The full catalogue of an account with search as you type. Reads the mirror, so it also works
 * offline.
 */
export function CataloguePage({ productId = null }: { productId?: string | null }) {
  const account = useAccount()
  const table = useRef<TableHandle>(null)
  const filter = useFilterState((state) => state.byAccount[account.id]) ?? emptyFilter
  const change = useFilterState((state) => state.change)
  const [{ sort }, look] = useListSettings('catalogue-order', account.id, tableParts)
  const [open, setOpen] = useState<string | null>(productId)
  const [, go] = useLocation()
  const sells = account.role === 'seller'
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  const [offers, setOffers] = useState(false)
  const columns = useMemo(() => catalogueColumns(account.role), [account.role])
  const listed = JSON.stringify([account.id, filter, sort])
  const rows = usePagedRows<ProductRow, SearchAnswer>(
    listed,
    (window) =>
      api.catalogue.search.queryOptions({ input: { accountId: account.id, filter, sort, window } }),
    rowsPerRead,
  )
  const sync = useQuery(api.catalogue.sync.queryOptions({ input: { accountId: account.id } })).data
  const isTyped = filter.query.trim() !== ''
  const shownSort = useMemo(
    (): Sort | null => sort ?? (isTyped ? null : { column: 'name', direction: 'asc' }),
    [sort, isTyped],
  )
  const { page, total, list, getRow, onRange, read, loading, stale } = rows
  const step = (by: 1 | -1): void => {
    const next = (table.current?.current() ?? -1) + by
    if (next >= 0 && next < total) table.current?.goTo(next)
  }
  const onSort = useCallback(
    (next: Sort) =>
      look({ sort: { column: next.column as ChosenSort['column'], direction: next.direction } }),
    [look],
  )
  const locate = useCallback(
    async (wanted: string) =>
      (await rpc.catalogue.position({ accountId: account.id, filter, sort, productId: wanted }))
        .index,
    [account.id, filter, sort],
  )
  const onOpen = useCallback((row: ProductRow) => setOpen(row.productId), [])
  const onClose = useCallback(() => setOpen(null), [])
  const onCheckAll = useCallback(() => {
    read(MAX_NEW_OFFERS).then(
      (found) => {
        setChecked(new Set(found.map(keyOf)))
        if (total > found.length)
          toast({
            kind: 'behind',
            title: `The first ${formatCount(found.length)} of ${formatCount(total)} are selected`,
            text: 'This is the most that one action can take.',
          })
      },
      (error: unknown) => void toastProblem(problemOf(error)),
    )
  }, [read, total])
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
        sort={shownSort}
        onSort={onSort}
        openKey={open}
        locate={locate}
        onOpen={onOpen}
        onClose={onClose}
        isMuted={isOut}
        loading={loading}
        stale={stale}
        {...(sells && {
          checked,
          onCheck: setChecked,
          onCheckAll,
          over: (
            <BulkBar
              selected={checked.size}
              total={total}
              onSelectAll={onCheckAll}
              onClose={() => setChecked(new Set())}
            >
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
      shownSort,
      onSort,
      open,
      locate,
      onOpen,
      onClose,
      loading,
      stale,
      sells,
      checked,
      onCheckAll,
      page?.all,
      sync,
    ],
  )

  return (
    <Page
      panel={
        open === null ? undefined : (
          <ProductPanel productId={open} country={filter.country} onClose={onClose} onStep={step} />
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
      {rows.error !== null && page === undefined ? (
        <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
      ) : (
        <div className={styles.split}>
          <FilterRail filter={filter} listed={loading || stale ? null : listed} />
          {products}
        </div>
      )}
      {offers ? (
        <CreateOffers
          source={{ items: [...checked].map((id) => ({ productId: id, priceCents: null })) }}
          count={checked.size}
          onClose={() => setOffers(false)}
          onBegun={(started) => {
            setOffers(false)
            setChecked(new Set())
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
