import { useQuery } from '@tanstack/react-query'
import { IconArrowsDownUp, IconPlus } from '@tabler/icons-react'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import {
  type ListedOffer,
  offerSortColumns,
  type SavedView,
} from '../../../contract/offers/offers.ts'
import { useOfflineSince } from '../../lib/account/service-connection.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { useQueuedCount } from '../../lib/account/outbox.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { LoadingNotice } from '../../ui/feedback/loading-notice.tsx'
import { NoMatches } from '../../ui/feedback/no-matches.tsx'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { ChoiceChip } from '../../ui/controls/filters/filter-chip.tsx'
import { Bar, Page, PageHeader } from '../../ui/layout/page.tsx'
import { SearchField } from '../../ui/controls/fields/search-field.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { RenderOnChange } from '../../ui/hooks/render-on-change.tsx'
import { ColumnMenu } from '../../ui/table/columns/column-menu.tsx'
import { useColumnState, useColumnStore } from '../../ui/table/columns/column-store.ts'
import type { Sort as TableSort } from '../../ui/table/columns/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { TableHandle } from '../../ui/table/data-table.tsx'
import { oneOf, sortedBy, useListSettings, wordsOf } from '../../ui/table/saved/list-settings.ts'
import { usePagedRows } from '../../ui/table/rows/paged-rows.ts'
import { QueuedChangesPanel } from '../outbox/queued-changes-panel.tsx'
import { BulkDialog } from './bulk/bulk-dialog.tsx'
import { toastBulkStarted } from './bulk/started-toast.ts'
import { MoreMenu } from './list/more-menu.tsx'
import { offerColumns } from './list/columns.tsx'
import type { OfferColumnParts, TypedPrice } from './list/columns.tsx'
import { CostsFromTable } from './bulk/costs-from-table.tsx'
import { CreateFromTable } from './bulk/create-from-table.tsx'
import { NoOffers } from './list/no-offers.tsx'
import { OfferBulkBar } from './list/bulk-bar.tsx'
import { OfferPanel } from './panel/offer-panel.tsx'
import { ResultsDialog } from './bulk/results-dialog.tsx'
import { byPercent, useBulkSelection } from './list/use-bulk-selection.ts'
import { statusOf, useOfferChange } from './price/use-offer-change.ts'
import { layoutOf } from './list/layout.ts'
import { ViewsMenu } from './list/views-menu.tsx'

const views = ['all', 'not-cheapest', 'low-stock', 'empty', 'paused'] as const
type View = (typeof views)[number]
const viewWords: Record<View, string> = {
  all: 'All',
  'not-cheapest': 'Not cheapest',
  'low-stock': 'Low stock',
  empty: 'Empty',
  paused: 'Paused',
}
type Sort = SavedView['look']['sort']
const lookParts = {
  view: oneOf(views, 'all'),
  platforms: wordsOf(),
  regions: wordsOf(),
  sort: sortedBy(offerSortColumns, 'name', 'asc'),
}
const keyOf = (offer: ListedOffer): string => offer.offerId
const isResting = (offer: ListedOffer): boolean => offer.status !== 'active'
type OfferPage = {
  total: number
  complete: boolean
  rows: ListedOffer[]
  views: Partial<Record<View, number>>
  platforms: string[]
  regions: string[]
}

/** The offers page: find, compare and reprice offers. */
export function OffersPage({ offerId = null }: { offerId?: string | null }) {
  const account = useAccount()
  const [, go] = useLocation()
  const table = useRef<TableHandle>(null)
  const [{ view, platforms, regions, sort }, look] = useListSettings(
    'offers',
    account.id,
    lookParts,
  )
  const [typedQuery, setTypedQuery] = useState('')
  const query = useDeferredValue(typedQuery)
  const [editing, setEditing] = useState<{
    key: string
    columnId: string
    typed: string | null
  } | null>(null)
  const [typed, setTyped] = useState<TypedPrice | null>(null)
  const offlineSince = useOfflineSince(account, 'offers')
  const waiting = useQueuedCount(account.id)
  const [hidesWaiting, setHidesWaiting] = useState(false)
  const settings = useQuery(api.app.settings.queryOptions())
  const changes = useOfferChange()
  const rows = usePagedRows<ListedOffer, OfferPage>(
    JSON.stringify([account.id, view, query, platforms, regions, sort]),
    (window) =>
      api.offers.list.queryOptions({
        input: { accountId: account.id, view, query, platforms, regions, sort, window },
      }),
  )
  const open = (id: string | null): void =>
    go(id === null ? '/offers' : `/offers/${id}`, { replace: offerId !== null })
  const endEdit = (next: 'down' | 'right' | 'stay'): void => {
    const at = table.current?.current() ?? 0
    setEditing(null)
    setTyped(null)
    if (next !== 'stay') table.current?.focus()
    if (next === 'down') table.current?.goTo(Math.min(rows.total - 1, at + 1))
  }
  const save = useRef<OfferColumnParts['onSave']>(() => {})
  save.current = (row, cents, next) => {
    changes.setPrice(row, cents)
    endEdit(next)
  }
  const lowAt = settings.data?.lowStock ?? 0
  const guardPercent = settings.data?.priceGuard ?? 0
  const columns = useMemo(
    () =>
      offerColumns({
        typed,
        lowAt,
        guardPercent,
        asOf: offlineSince ?? null,
        onType: setTyped,
        onSave: (...edit) => save.current(...edit),
        onCancel: () => {
          setEditing(null)
          setTyped(null)
          table.current?.focus()
        },
      }),
    [typed, lowAt, guardPercent, offlineSince],
  )
  const onSort = useCallback(
    (next: TableSort) =>
      look({ sort: { column: next.column as Sort['column'], direction: next.direction } }),
    [look],
  )
  useShortcut('N', () => go('/catalogue'))
  const opened = useQuery({
    ...api.offers.offer.queryOptions({
      input: { accountId: account.id, offerId: offerId ?? '' },
    }),
    enabled: offerId !== null,
  })
  /** The offer that shortcuts act on: the open one, or else the active row. */
  const target = (): ListedOffer | undefined =>
    offerId === null ? rows.getRow(table.current?.current() ?? -1) : opened.data
  useShortcut('I', () => {
    const id = offerId ?? target()?.offerId
    go(id === undefined ? '/import' : `/import?offer=${encodeURIComponent(id)}`)
  })
  useShortcut('U', () => {
    const offer = target()
    if (offer !== undefined)
      changes.setStatus(offer, statusOf(offer) === 'paused' ? 'active' : 'paused')
  })
  const locate = useCallback(
    async (wanted: string) =>
      (
        await rpc.offers.position({
          accountId: account.id,
          view,
          query,
          platforms,
          regions,
          sort,
          offerId: wanted,
        })
      ).index,
    [account.id, view, query, platforms, regions, sort],
  )
  const { page } = rows
  const filter = { view, query, platforms, regions }
  const filterKey = JSON.stringify([account.id, filter])
  const selection = useBulkSelection(filter, sort, rows.total)
  const { checked, bulk, begin } = selection
  const [results, setResults] = useState<string | null>(null)
  const [creates, setCreates] = useState(false)
  const [costs, setCosts] = useState(false)
  const [search, setSearch] = useSearchParams()
  const asksFor = views.find((each) => each === search.get('view'))
  const asksChanges = search.get('changes')
  useEffect(() => {
    if (asksFor !== undefined) look({ view: asksFor })
    if (asksChanges !== null) setResults(asksChanges)
    if (asksFor !== undefined || asksChanges !== null) setSearch({}, { replace: true })
  }, [asksFor, asksChanges, setSearch, look])
  const columnState = useColumnState('offers')
  const changeColumns = useColumnStore((store) => store.change)
  const isFiltered = view !== 'all' || query !== '' || platforms.length > 0 || regions.length > 0

  const showsWaiting =
    offerId === null && offlineSince !== undefined && waiting > 0 && !hidesWaiting
  const instead = showsWaiting ? (
    <QueuedChangesPanel onClose={() => setHidesWaiting(true)} />
  ) : undefined

  return (
    <Page
      panel={
        offerId === null ? (
          instead
        ) : (
          <OfferPanel
            key={offerId}
            offerId={offerId}
            typedCents={typed?.offerId === offerId ? typed.cents : null}
            onClose={() => open(null)}
          />
        )
      }
    >
      <RenderOnChange
        of={[
          filterKey,
          typedQuery,
          sort,
          look,
          rows.total,
          JSON.stringify([page?.complete, page?.views, page?.platforms, page?.regions]),
          checked,
          columns,
          columnState,
        ]}
      >
        <PageHeader
          title="Offers"
          beside={
            <CountTabs
              label="Views"
              value={view}
              onChange={(next) => look({ view: next })}
              tabs={views.map((id) => ({
                id,
                label: viewWords[id],
                count: page?.views[id] ?? null,
              }))}
            />
          }
          actions={
            <>
              <Button
                icon={<IconArrowsDownUp size={16} stroke={1.6} />}
                disabled={rows.total === 0 || page?.complete !== true}
                onClick={() => begin(byPercent)}
              >
                Re-price…
              </Button>
              <Button
                kind="primary"
                keys={['N']}
                icon={<IconPlus size={16} stroke={1.6} />}
                onClick={() => go('/catalogue')}
              >
                New offer
              </Button>
            </>
          }
        />
        <Bar
          label="Filter the offers"
          end={
            <>
              <ColumnMenu tableId="offers" columns={columns} />
              <MoreMenu
                choice={{ filter, sort, offerIds: checked.size === 0 ? null : [...checked] }}
                onCreate={() => setCreates(true)}
                onCosts={() => setCosts(true)}
                onResults={setResults}
              />
            </>
          }
        >
          <SearchField
            label="Filter these offers"
            value={typedQuery}
            onChange={setTypedQuery}
            list={table}
          />
          <ChoiceChip
            label="Platform"
            values={page?.platforms ?? []}
            chosen={platforms}
            onChange={(chosen) => look({ platforms: [...chosen] })}
          />
          <ChoiceChip
            label="Region"
            values={page?.regions ?? []}
            chosen={regions}
            onChange={(chosen) => look({ regions: [...chosen] })}
          />
          <ViewsMenu
            look={layoutOf(filter, sort, columnState, columns)}
            onApply={(saved) => {
              look({
                view: saved.filter.view,
                platforms: saved.filter.platforms,
                regions: saved.filter.regions,
                sort: saved.sort,
              })
              setTypedQuery(saved.filter.query)
              const shown = saved.columns
              if (shown !== null)
                changeColumns('offers', {
                  order: shown,
                  visibility: Object.fromEntries(columns.map(({ id }) => [id, shown.includes(id)])),
                })
            }}
          />
        </Bar>
      </RenderOnChange>
      {page?.complete === false ? (
        <LoadingNotice title="Your offers are still loading.">
          Lists, counts and changes of several offers include only the offers loaded so far.
        </LoadingNotice>
      ) : null}
      {rows.error !== null && page === undefined ? (
        <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
      ) : (
        <DataTable
          ref={table}
          autoFocus
          tableId="offers"
          label="Offers"
          columns={columns}
          total={rows.total}
          getRow={rows.getRow}
          rowKey={keyOf}
          onRange={rows.onRange}
          sort={sort}
          onSort={onSort}
          openKey={offerId}
          locate={locate}
          onOpen={(row) => open(row.offerId)}
          onClose={() => open(null)}
          isMuted={isResting}
          editing={editing}
          onEdit={(row, _index, digit) => {
            setTyped(null)
            setEditing({ key: row.offerId, columnId: 'price', typed: digit })
          }}
          checked={checked}
          onCheck={selection.check}
          onCheckAll={selection.checkAll}
          over={
            <OfferBulkBar
              checked={checked}
              total={rows.total}
              onSelectAll={selection.checkAll}
              onClose={selection.clear}
              onChange={begin}
            />
          }
          loading={rows.loading}
          stale={rows.stale}
          empty={
            page?.complete === false ? undefined : isFiltered ? (
              <NoMatches query={query} onClear={() => setTypedQuery('')} />
            ) : (
              <NoOffers />
            )
          }
        />
      )}
      {bulk === null || selection.isEmpty ? null : (
        <BulkDialog
          chosen={selection.chosen}
          count={checked.size}
          change={bulk}
          onClose={() => {
            selection.endBulk()
            table.current?.focus()
          }}
          onStarted={(started) => {
            selection.endBulk()
            selection.clear()
            toastBulkStarted(account.id, started, {
              label: 'View',
              run: () => setResults(started.bulkId),
            })
          }}
        />
      )}
      {results === null ? null : (
        <ResultsDialog bulkId={results} onClose={() => setResults(null)} />
      )}
      {costs ? <CostsFromTable onClose={() => setCosts(false)} /> : null}
      {creates ? (
        <CreateFromTable
          onClose={() => setCreates(false)}
          onBegun={(started) => {
            setCreates(false)
            toastBulkStarted(account.id, started, {
              label: 'View',
              run: () => setResults(started.bulkId),
            })
            setResults(started.bulkId)
          }}
        />
      ) : null}
    </Page>
  )
}
