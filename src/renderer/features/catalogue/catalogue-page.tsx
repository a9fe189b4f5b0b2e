import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { catalogueSortColumns, type ProductRow } from '../../../contract/catalogue.ts'
import { useAccount } from '../../lib/current-account.ts'
import { problemOf } from '../../lib/problem.ts'
import { api } from '../../lib/rpc.ts'
import { BulkBar } from '../../ui/bulk-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatCount } from '../../ui/format.ts'
import { Bar, Page, PageHeader } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { ColumnMenu } from '../../ui/table/column-menu.tsx'
import type { Sort } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { TableHandle } from '../../ui/table/data-table.tsx'
import { type LookPart, sortedBy, useLook } from '../../ui/table/look-store.ts'
import { usePagedRows } from '../../ui/table/paged-rows.ts'
import { TableCopy } from '../../ui/table/table-copy.tsx'
import { CreateOffers } from '../offers/create-from-table.tsx'
import styles from './catalogue.module.css'
import { catalogueColumns } from './columns.tsx'
import { FilterChips } from './filter-chips.tsx'
import { FilterRail } from './filter-rail.tsx'
import { openFilter, useFilterState } from './filter-state.ts'
import { EmptyCatalogue } from './empty-catalogue.tsx'
import { ProductPanel } from './product-panel.tsx'

type SearchAnswer = { total: number; more: boolean; all: number; rows: ProductRow[]; guessed: string | null; elapsedMs: number }
type ChosenSort = { column: (typeof catalogueSortColumns)[number]; direction: 'asc' | 'desc' }
const byColumn = sortedBy(catalogueSortColumns, 'name', 'asc')
const byRelevance: LookPart<ChosenSort | null> = { start: null, fits: (kept): kept is ChosenSort | null => kept === null || byColumn.fits(kept) }
const lookParts = { sort: byRelevance }

/** The whole catalogue of an account, searched as one types, from the mirror: offline too. */
export function CataloguePage({ productId = null }: { productId?: string | null }) {
  const account = useAccount()
  const table = useRef<TableHandle>(null)
  const filter = useFilterState((state) => state.byAccount[account.id]) ?? openFilter
  const change = useFilterState((state) => state.change)
  const [{ sort }, look] = useLook('catalogue-order', account.id, lookParts)
  const [open, setOpen] = useState<string | null>(productId)
  const [, go] = useLocation()
  const sells = account.role === 'seller'
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  const [offers, setOffers] = useState(false)
  const columns = useMemo(() => catalogueColumns(account.role), [account.role])
  const rows = usePagedRows<ProductRow, SearchAnswer>(
    JSON.stringify([account.id, filter, sort]),
    (window) => api.catalogue.search.queryOptions({ input: { accountId: account.id, filter, sort, window } }),
  )
  const sync = useQuery(api.catalogue.sync.queryOptions({ input: { accountId: account.id } }))
  const shownSort: Sort | null = sort ?? (filter.query.trim() === '' ? { column: 'name', direction: 'asc' } : null)
  const { page } = rows
  const step = (by: 1 | -1): void => {
    const next = (table.current?.current() ?? -1) + by
    if (next >= 0 && next < rows.total) table.current?.goTo(next)
  }

  return (
    <Page panel={open === null ? undefined : <ProductPanel productId={open} country={filter.country} onClose={() => setOpen(null)} onStep={step} />}>
      <PageHeader title="Catalogue" beside={page === undefined ? undefined : (
        <span className={styles.count}>
          {page.total === page.all ? <b>{formatCount(page.all)}</b> : <><b>{formatCount(page.total)}{page.more ? '+' : ''}</b> of {formatCount(page.all)}</>} products
          {page.guessed === null ? null : <> · close to “{page.guessed}”</>}
          {sync.data?.state === 'running' ? <> · reading{sync.data.total === null ? '' : ` ${formatCount(sync.data.done)} of ${formatCount(sync.data.total)}`}</> : null}
        </span>
      )} />
      <Bar label="Search and filters" end={<><TableCopy tableId={`catalogue-${account.role}`} columns={columns} rowsOf={rows.read} total={rows.total} /><ColumnMenu tableId={`catalogue-${account.role}`} columns={columns} /></>}>
        <SearchField label="Search the catalogue" value={filter.query} onChange={(query) => change(account.id, { query })} onDown={() => table.current?.focus()} />
        <FilterChips filter={filter} />
      </Bar>
      {rows.error !== null && page === undefined ? <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} /> : (
        <div className={styles.split}>
          <FilterRail filter={filter} settled={!rows.loading && !rows.stale} />
          <DataTable
            ref={table} tableId={`catalogue-${account.role}`} label="Products" columns={columns} total={rows.total} getRow={rows.getRow} rowKey={(row) => row.productId}
            onRange={rows.onRange} sort={shownSort} onSort={(next) => look({ sort: { column: next.column as ChosenSort['column'], direction: next.direction } })}
            openKey={open} onOpen={(row) => setOpen(row.productId)} onClose={() => setOpen(null)} isMuted={(row) => row.inStock === false} loading={rows.loading} stale={rows.stale}
            {...(sells && {
              checked, onCheck: setChecked,
              over: <BulkBar selected={checked.size} total={rows.total} onClose={() => setChecked(new Set())}><Button kind="primary" onClick={() => setOffers(true)}>Offer them…</Button></BulkBar>,
            })}
            empty={<EmptyCatalogue isEmpty={page?.all === 0} sync={sync.data} />}
          />
        </div>
      )}
      {offers ? <CreateOffers items={[...checked].slice(0, 20_000).map((id) => ({ productId: id, priceCents: null }))} onClose={() => setOffers(false)} onBegun={() => { setOffers(false); setChecked(new Set()); go('/offers') }} /> : null}
    </Page>
  )
}
