import { useMutation, useQuery } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { SaleRow } from '../../../contract/sales.ts'
import { saleSortColumns, saleViews } from '../../../contract/sales.ts'
import { useAccount } from '../../lib/current-account.ts'
import { problemOf } from '../../lib/problem.ts'
import { api, rpc } from '../../lib/rpc.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { CopyMenu, useCopyOf } from '../../ui/copy-menu.tsx'
import { CountTabs } from '../../ui/count-tabs.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterChip } from '../../ui/filter-chip.tsx'
import { formatCount, formatDay } from '../../ui/format.ts'
import { Notice } from '../../ui/notice.tsx'
import { Bar, Page, PageHeader } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { ColumnMenu } from '../../ui/table/column-menu.tsx'
import { DataTable, type TableHandle } from '../../ui/table/data-table.tsx'
import { oneOf, sortedBy, useLook } from '../../ui/table/look-store.ts'
import { usePagedRows } from '../../ui/table/paged-rows.ts'
import { toast, toastProblem } from '../../ui/toasts.tsx'
import { saleColumns } from './columns.tsx'
import { EarnedChart } from './earned-chart.tsx'
import { edgesOf, periods } from './periods.ts'
import { ReleasesPanel } from './releases-panel.tsx'
import { SalePanel } from './sale-panel.tsx'
import { SalesFigures } from './sales-figures.tsx'
import styles from './sales.module.css'
import { type SaleView, viewWords } from './words.tsx'

type SalesPageOf = {
  total: number
  rows: SaleRow[]
  views: Record<SaleView, number>
  complete: boolean
}
type Sort = { column: (typeof saleSortColumns)[number]; direction: 'asc' | 'desc' }

const lookParts = {
  period: oneOf(
    periods.map(({ id }) => id),
    '30',
  ),
  view: oneOf(saleViews, 'all'),
  sort: sortedBy(saleSortColumns, 'sold', 'desc'),
}

function linked(search: URLSearchParams): { period?: 'all'; view?: SaleView } {
  const view = saleViews.find((each) => each === search.get('view'))
  return {
    ...((search.has('offer') || search.has('product')) && { period: 'all' as const }),
    ...(view !== undefined && { view }),
  }
}

/**
 * A seller's sales with earnings by day and product, and their release dates; from the mirror, also
 * offline.
 */
export function SalesPage({ saleId = null }: { saleId?: string | null }) {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
  const [search, setSearch] = useSearchParams()
  const table = useRef<TableHandle>(null)
  const [kept, keep] = useLook('sales', accountId, lookParts)
  // A link selects its own period and view without changing the saved ones.
  const [asLinked, setAsLinked] = useState<Partial<typeof kept>>(() => linked(search))
  const period = asLinked.period ?? kept.period
  const view = asLinked.view ?? kept.view
  const { sort } = kept
  const look = (change: Partial<typeof kept>): void => {
    setAsLinked({})
    keep({ period, view, ...change })
  }
  const [typed, setTyped] = useState('')
  const [barFrom, setBarFrom] = useState<number | null>(null)
  const [releaseDate, setReleaseDate] = useState<string | null>(null)
  const query = useDeferredValue(typed)
  const offerId = search.get('offer')
  const productId = search.get('product')
  const today = new Date().toDateString()
  const edges = useMemo(() => edgesOf(period, Date.parse(today)), [period, today])
  const at = barFrom === null ? -1 : edges.indexOf(barFrom)
  const from = at >= 0 ? (edges[at] ?? null) : period === 'all' ? null : (edges[0] ?? null)
  const to = at >= 0 ? (edges[at + 1] ?? null) : null
  const asked = { accountId, view, query, from, to, offerId, productId, sort }
  const rows = usePagedRows<SaleRow, SalesPageOf>(JSON.stringify(asked), (window) =>
    api.sales.list.queryOptions({ input: { ...asked, window } }),
  )
  const earned = useQuery(api.sales.earned.queryOptions({ input: { accountId, edges, offerId } }))
  const released = useQuery({
    ...api.sales.releases.queryOptions({
      input: {
        accountId,
        from: Date.parse(releaseDate ?? '') || 0,
        to: (Date.parse(releaseDate ?? '') || 0) + 86_400_000,
      },
    }),
    enabled: releaseDate !== null,
  }).data
  const litFrom =
    releaseDate === null || released?.soldTo == null
      ? null
      : (edges.findLast((edge) => edge <= (released.soldTo ?? 0)) ?? null)
  const exports = useMutation(
    api.sales.export.mutationOptions({
      onSuccess: ({ fileName, base64, sales }) => {
        saveFile(fileName, base64)
        toast({ title: `${formatCount(sales)} sales exported`, text: fileName })
      },
      onError: (error) => toastProblem(problemOf(error)),
    }),
  )
  const copies = useCopyOf(async (form) => (await rpc.sales.export({ ...asked, form })).base64)
  const rest = search.toString() === '' ? '' : `?${search.toString()}`
  const open = (id: string | null): void =>
    go(id === null ? `/sales${rest}` : `/sales/${encodeURIComponent(id)}${rest}`, {
      replace: saleId !== null,
    })
  const setFilter = (name: 'offer' | 'product', value: string | null): void =>
    setSearch((before) => {
      const next = new URLSearchParams(before)
      if (value === null) next.delete(name)
      else next.set(name, value)
      return next
    })
  useEffect(() => setBarFrom(null), [period])
  useShortcut('E', () => exports.mutate(asked), { enabled: rows.total > 0 })
  const { page } = rows
  const first = rows.getRow(0)
  const isFiltered =
    view !== 'all' ||
    query !== '' ||
    offerId !== null ||
    productId !== null ||
    barFrom !== null ||
    period !== 'all'
  return (
    <Page
      panel={
        saleId === null ? (
          <ReleasesPanel date={releaseDate} onDate={setReleaseDate} />
        ) : (
          <SalePanel
            key={saleId}
            saleId={saleId}
            onClose={() => {
              open(null)
              table.current?.focus()
            }}
          />
        )
      }
    >
      <PageHeader
        title="Sales and balance"
        actions={
          <>
            <CountTabs
              label="Period"
              value={period}
              onChange={(next) => look({ period: next })}
              tabs={periods}
            />
            <Button
              icon={<IconDownload size={16} stroke={1.6} />}
              keys={['E']}
              busy={exports.isPending}
              disabled={rows.total === 0}
              onClick={() => exports.mutate(asked)}
            >
              Export CSV
            </Button>
          </>
        }
      />
      <SalesFigures period={period} earned={earned.data} />
      {earned.data === undefined ? (
        <div className={styles.chartWaits} />
      ) : (
        <EarnedChart
          bars={earned.data.bars}
          products={earned.data.products}
          byMonth={period === 'all'}
          litFrom={litFrom}
          onBar={(bar) => setBarFrom(bar === barFrom ? null : bar)}
          onProduct={(product) => setFilter('product', product.productId)}
        />
      )}
      <Bar
        label="Filter sales"
        end={
          <>
            <SearchField
              label="Sale, order or product"
              width={216}
              value={typed}
              onChange={setTyped}
              onDown={() => table.current?.focus()}
            />
            <CopyMenu {...copies} />
            <ColumnMenu tableId="sales" columns={saleColumns} />
          </>
        }
      >
        <CountTabs
          label="Views"
          value={view}
          onChange={(next) => look({ view: next })}
          tabs={saleViews.map((id) => ({
            id,
            label: viewWords[id],
            count: page?.views[id] ?? null,
          }))}
        />
        {barFrom === null ? null : (
          <FilterChip label="Sold" value={formatDay(barFrom)} onRemove={() => setBarFrom(null)} />
        )}
        {productId === null ? null : (
          <FilterChip
            label="Product"
            value={first?.productId === productId ? first.name : productId}
            onRemove={() => setFilter('product', null)}
          />
        )}
        {offerId === null ? null : (
          <FilterChip
            label="Offer"
            value={first?.offerId === offerId ? first.name : offerId}
            onRemove={() => setFilter('offer', null)}
          />
        )}
      </Bar>
      {page !== undefined && !page.complete ? (
        <div className={styles.notice}>
          <Notice tone="info" title="Older sales are still loading.">
            Totals grow until all sales are loaded.
          </Notice>
        </div>
      ) : null}
      {rows.error !== null && page === undefined ? (
        <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
      ) : (
        <DataTable
          ref={table}
          autoFocus
          tableId="sales"
          label="Sales"
          columns={saleColumns}
          total={rows.total}
          getRow={rows.getRow}
          rowKey={(sale) => sale.saleId}
          onRange={rows.onRange}
          sort={sort}
          onSort={(next) =>
            keep({ sort: { column: next.column as Sort['column'], direction: next.direction } })
          }
          loading={rows.loading}
          stale={rows.stale}
          openKey={saleId}
          onOpen={(sale) => open(sale.saleId)}
          onClose={() => open(null)}
          isMuted={(sale) => sale.status === 'cancelled'}
          toneOf={(sale) => (sale.held ? 'warn' : undefined)}
          empty={
            isFiltered ? (
              <EmptyState
                title="No matching sales"
                text="Choose a longer period, another view or other search words."
                columns={[90, 150, 60]}
              />
            ) : (
              <EmptyState
                title="No sales yet"
                text="Each sale appears here as soon as the service reports it, with its release date."
                columns={[90, 150, 60]}
              />
            )
          }
        />
      )}
    </Page>
  )
}
