import { useMediaQuery } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { SaleRow } from '../../../contract/sales.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { fileOf } from '../../lib/save-file.ts'
import { useCopyOf } from '../../ui/controls/buttons/copy-menu.tsx'
import { LoadingNotice } from '../../ui/feedback/loading-notice.tsx'
import { Page } from '../../ui/layout/page.tsx'
import type { TableHandle } from '../../ui/table/data-table.tsx'
import { usePagedRows } from '../../ui/table/rows/paged-rows.ts'
import { PeriodEarnings } from './earnings/period-earnings.tsx'
import { SalePanel } from './list/sale-panel.tsx'
import { SalesBar } from './list/sales-bar.tsx'
import { SalesHeader } from './list/sales-header.tsx'
import { type SalesAnswer, SalesTable } from './list/sales-table.tsx'
import { useSalesFilter } from './list/use-sales-filter.ts'
import { ReleasesPanel } from './releases-panel.tsx'

/** Whether the releases are shown, always or on request. */
function useReleases() {
  // Next to the panel, a narrow window has no space for the names of products.
  const narrow =
    useMediaQuery('(max-width: 1119px)', window.innerWidth < 1120, {
      getInitialValueInEffect: false,
    }) ?? false
  const [requested, setRequested] = useState(false)
  return {
    shown: !narrow || requested,
    show: (): void => setRequested(true),
    hide: narrow ? (): void => setRequested(false) : undefined,
  }
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
  const { asked } = filter
  const rows = usePagedRows<SaleRow, SalesAnswer>(
    JSON.stringify(asked),
    (window) => api.sales.list.queryOptions({ input: { ...asked, window } }),
    (sale) => sale.saleId,
  )
  const copies = useCopyOf(
    async (form) => (await fileOf(await rpc.sales.export({ ...asked, form }))).content,
  )
  const releases = useReleases()
  const open = (id: string | null): void =>
    go(
      id === null ? `/sales${filter.search}` : `/sales/${encodeURIComponent(id)}${filter.search}`,
      { replace: saleId !== null },
    )
  return (
    <Page
      panel={
        saleId !== null ? (
          <SalePanel
            key={saleId}
            saleId={saleId}
            onClose={() => {
              open(null)
              table.current?.focus()
            }}
          />
        ) : releases.shown ? (
          <ReleasesPanel date={releaseDate} onDate={setReleaseDate} onClose={releases.hide} />
        ) : undefined
      }
    >
      <SalesHeader
        filter={filter}
        total={rows.total}
        onReleases={saleId === null && !releases.shown ? releases.show : null}
      />
      <PeriodEarnings filter={filter} releaseDate={releaseDate} />
      <SalesBar
        filter={filter}
        counts={rows.page?.views}
        first={rows.getRow(0)}
        copies={copies}
        list={table}
      />
      {rows.page?.complete === false ? (
        <LoadingNotice title="Older sales are still loading.">
          Totals grow until all sales are loaded.
        </LoadingNotice>
      ) : null}
      <SalesTable ref={table} filter={filter} rows={rows} saleId={saleId} onOpen={open} />
    </Page>
  )
}
