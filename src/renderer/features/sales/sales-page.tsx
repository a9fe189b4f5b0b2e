import { useMediaQuery } from '@mantine/hooks'
import { t } from '../../../contract/localization/localized.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { useCallback, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { SaleRow, saleSortColumns } from '../../../contract/sales.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { saveFile } from '../../lib/save-file.ts'
import { NoMatches } from '../../ui/feedback/no-matches.tsx'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { useCopyOf } from '../../ui/controls/buttons/copy-menu.tsx'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { LoadingNotice } from '../../ui/feedback/loading-notice.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { DataTable, type TableHandle } from '../../ui/table/data-table.tsx'
import { usePagedRows } from '../../ui/table/rows/paged-rows.ts'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { saleColumns } from './list/columns.tsx'
import { EarnedChart } from './earnings/earned-chart.tsx'
import { periods } from './periods.ts'
import { ReleasesPanel } from './releases-panel.tsx'
import { SalePanel } from './list/sale-panel.tsx'
import { SalesBar } from './list/sales-bar.tsx'
import { SalesFigures } from './sales-figures.tsx'
import styles from './sales.module.css'
import { type SalesFilter, useSalesFilter } from './list/use-sales-filter.ts'
import type { SaleView } from './words.tsx'
import { DAY_MS } from '../../../../server/api/time.ts'

type SalesPageOf = {
  total: number
  rows: SaleRow[]
  views: Record<SaleView, number>
  complete: boolean
}
type Column = (typeof saleSortColumns)[number]

/** The bar of the sales that are released on a day; null without a day. */
function useReleaseBar(
  accountId: string,
  date: string | null,
  edges: readonly number[],
): number | null {
  const from = Date.parse(date ?? '') || 0
  const { data } = useQuery({
    ...api.sales.releases.queryOptions({ input: { accountId, from, to: from + DAY_MS } }),
    enabled: date !== null,
  })
  if (date === null || data?.soldTo == null) return null
  const { soldTo } = data
  return edges.findLast((edge) => edge <= soldTo) ?? null
}

/**
 * A seller's sales with earnings by day and product, and their release dates; from the mirror, also
 * offline.
 */
export function SalesPage({ saleId = null }: { saleId?: string | null }) {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
  const table = useRef<TableHandle>(null)
  const [releaseDate, setReleaseDate] = useState<string | null>(null)
  const filter = useSalesFilter(accountId)
  const { asked, edges, period } = filter
  const rows = usePagedRows<SaleRow, SalesPageOf>(JSON.stringify(asked), (window) =>
    api.sales.list.queryOptions({ input: { ...asked, window } }),
  )
  const earned = useQuery(
    api.sales.earned.queryOptions({ input: { accountId, edges, offerId: asked.offerId } }),
  )
  const profit = useQuery(
    api.sales.profit.queryOptions({
      input: { accountId, from: edges[0] ?? 0, to: edges.at(-1) ?? 0, offerId: asked.offerId },
    }),
  )
  const litFrom = useReleaseBar(accountId, releaseDate, edges)
  const exports = useMutation(
    api.sales.export.mutationOptions({
      onSuccess: ({ fileName, base64, sales }) => {
        saveFile(fileName, base64)
        toast({ title: `${t('counts.sales', { count: sales })} exported`, text: fileName })
      },
      onError: (error) => toastProblem(problemOf(error)),
    }),
  )
  const copies = useCopyOf(async (form) => (await rpc.sales.export({ ...asked, form })).base64)
  const open = (id: string | null): void =>
    go(
      id === null ? `/sales${filter.search}` : `/sales/${encodeURIComponent(id)}${filter.search}`,
      { replace: saleId !== null },
    )
  const locate = useCallback(
    async (wanted: string) => (await rpc.sales.position({ ...asked, saleId: wanted })).index,
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the filter is a new object each time
    [JSON.stringify(asked)],
  )
  useShortcut('E', () => exports.mutate(asked), { enabled: rows.total > 0 })
  const { page } = rows
  // Next to the panel, a narrow window has no space for the names of products.
  const narrow =
    useMediaQuery('(max-width: 1119px)', window.innerWidth < 1120, {
      getInitialValueInEffect: false,
    }) ?? false
  const [showsReleases, setShowsReleases] = useState(false)
  return (
    <Page
      panel={
        saleId === null ? (
          narrow && !showsReleases ? undefined : (
            <ReleasesPanel
              date={releaseDate}
              onDate={setReleaseDate}
              onClose={narrow ? () => setShowsReleases(false) : undefined}
            />
          )
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
              onChange={(next) => filter.look({ period: next })}
              tabs={periods}
            />
            {narrow && saleId === null && !showsReleases ? (
              <Button onClick={() => setShowsReleases(true)}>Releases</Button>
            ) : null}
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
      <SalesFigures period={period} earned={earned.data} profit={profit.data} />
      {earned.data === undefined ? (
        <div className={styles.chartWaits} />
      ) : (
        <EarnedChart
          bars={earned.data.bars}
          products={earned.data.products}
          byMonth={period === 'all'}
          litFrom={litFrom}
          onBar={filter.toggleBar}
          onProduct={(product) => filter.setLinked('product', product.productId)}
        />
      )}
      <SalesBar
        filter={filter}
        counts={page?.views}
        first={rows.getRow(0)}
        copies={copies}
        list={table}
      />
      {page !== undefined && !page.complete ? (
        <LoadingNotice title="Older sales are still loading.">
          Totals grow until all sales are loaded.
        </LoadingNotice>
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
          sort={asked.sort}
          onSort={({ column, direction }) => filter.sortBy(column as Column, direction)}
          loading={rows.loading}
          stale={rows.stale}
          openKey={saleId}
          list={rows.list}
          locate={locate}
          onOpen={(sale) => open(sale.saleId)}
          onClose={() => open(null)}
          isMuted={(sale) => sale.status === 'cancelled'}
          toneOf={(sale) => (sale.held ? 'warn' : undefined)}
          empty={<NoSales filter={filter} />}
        />
      )}
    </Page>
  )
}

function NoSales({ filter }: { filter: SalesFilter }) {
  if (filter.isNarrowed)
    return (
      <NoMatches
        query={filter.asked.query}
        hint="Choose a longer period or another view."
        onClear={() => filter.setTyped('')}
      />
    )
  return (
    <EmptyState
      title={filter.period === 'all' ? 'No sales yet' : 'No sales in this period'}
      text="Each sale appears here as soon as the service reports it, with its release date."
      columns={[90, 150, 60]}
    />
  )
}
