import { IconCheck } from '@tabler/icons-react'
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import {
  type MarketRow,
  marketSortColumns,
  type MarketTab,
} from '../../../../contract/price-watch/price-watch-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { NoMatches } from '../../../ui/feedback/no-matches.tsx'
import { BulkBar } from '../../../ui/layout/bulk-bar.tsx'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { formatCount } from '../../../ui/format.ts'
import { Bar } from '../../../ui/layout/page.tsx'
import { SearchField } from '../../../ui/controls/fields/search-field.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { ColumnMenu } from '../../../ui/table/columns/column-menu.tsx'
import type { Sort } from '../../../ui/table/columns/columns.ts'
import { DataTable, type TableHandle } from '../../../ui/table/data-table.tsx'
import { oneOf, sortedBy, useListSettings } from '../../../ui/table/saved/list-settings.ts'
import { usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { TableCopy } from '../../../ui/table/copy/table-copy.tsx'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { ApplyDialog } from './apply-dialog.tsx'
import { ApplyResultsDialog } from './apply-results.tsx'
import type { AppliedPrices } from './apply-results-csv.ts'
import { marketColumns } from './market-columns.tsx'
import { holdMs, type Proposals } from './use-proposals.ts'

type MarketPage = { total: number; rows: MarketRow[]; tabs: Record<MarketTab, number> }
type Sorted = { column: (typeof marketSortColumns)[number]; direction: 'asc' | 'desc' }

const names: Record<MarketTab, string> = {
  losing: 'Losing',
  proposals: 'Proposals',
  probing: 'Probing up',
  held: 'Held',
  all: 'All',
}
const lookParts = {
  tab: oneOf(Object.keys(names) as MarketTab[], 'losing'),
  sort: sortedBy(marketSortColumns, 'lost', 'desc'),
}
/** From this number of prices on, a dialog asks before they are sent. */
const ASKED_FROM = 2

const noProposals = {
  kind: 'behind',
  title: 'No proposals to apply',
  text: 'Rules propose again when they have read the market.',
} as const

type MarketInput = Omit<Parameters<typeof rpc.priceWatch.market>[0], 'window'>

/** As many rows as one request can ask for. */
const ROWS_PER_READ = 500

/** Every row of a list, however long it is. */
async function everyRow(list: MarketInput): Promise<MarketRow[]> {
  const found: MarketRow[] = []
  for (;;) {
    const window = { offset: found.length, limit: ROWS_PER_READ }
    const { rows } = await rpc.priceWatch.market({ ...list, window })
    found.push(...rows)
    if (rows.length < ROWS_PER_READ) return found
  }
}

/**
 * All offers compared with the best price, sorted by daily loss, with actions to apply, hold or
 * reject proposals.
 */
export function MarketView({
  openId,
  onOpen,
  proposals,
}: {
  openId: string | null
  onOpen: (offerId: string | null) => void
  proposals: Proposals
}) {
  const account = useAccount()
  const [, go] = useLocation()
  const now = useNow()
  const table = useRef<TableHandle>(null)
  const [{ tab, sort }, look] = useListSettings('price-watch', account.id, lookParts)
  const [typed, setTyped] = useState('')
  const query = useDeferredValue(typed)
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  const [applying, setApplying] = useState<readonly MarketRow[]>([])
  const [applied, setApplied] = useState<AppliedPrices | null>(null)
  const list = { accountId: account.id, tab, query, sort }
  const rows = usePagedRows<MarketRow, MarketPage>(JSON.stringify(list), (window) =>
    api.priceWatch.market.queryOptions({ input: { ...list, window } }),
  )
  const locate = useCallback(
    async (wanted: string) => (await rpc.priceWatch.position({ ...list, offerId: wanted })).index,
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the list is a new object each time
    [JSON.stringify(list)],
  )
  const most = Math.max(
    1,
    ...Array.from(
      { length: Math.min(rows.total, 30) },
      (_, index) => rows.getRow(index)?.perDayCents ?? 0,
    ),
  )
  const minute = Math.floor(now / 10_000)
  const columns = useMemo(() => marketColumns(minute * 10_000 + 10_000, most), [minute, most])

  /** The checked rows, or otherwise the current row. */
  const chosen = async (): Promise<MarketRow[]> => {
    if (checked.size === 0) {
      const row = rows.getRow(table.current?.current() ?? -1)
      return row === undefined ? [] : [row]
    }
    return (await everyRow(list)).filter(({ offerId }) => checked.has(offerId))
  }
  const checkAll = (): void =>
    void everyRow(list)
      .then((all) => setChecked(new Set(all.map(({ offerId }) => offerId))))
      .catch((error: unknown) => {
        toastProblem(problemOf(error))
      })
  const withChosen = (act: (rows: readonly MarketRow[]) => void): void =>
    void chosen()
      .then((some) => {
        if (some.length > 0) act(some)
      })
      .catch((error: unknown) => {
        toastProblem(problemOf(error))
      })
  const apply = (): void =>
    withChosen((some) => {
      const proposed = some.filter(({ proposal }) => proposal !== null)
      if (proposed.length >= ASKED_FROM) setApplying(proposed)
      else void proposals.apply(proposed)
    })
  /** Asks about all current proposals, or those of some offers. */
  const askAll = (only?: ReadonlySet<string>): void =>
    void everyRow({ accountId: account.id, tab: 'proposals' })
      .then((all) => {
        const found = all.filter(
          ({ offerId, proposal }) => proposal !== null && only?.has(offerId) !== false,
        )
        if (found.length === 0) toast(noProposals)
        setApplying(found)
      })
      .catch((error: unknown) => {
        toastProblem(problemOf(error))
      })
  const hold = (): void =>
    withChosen((some) => {
      proposals.hold(some, Date.now() + holdMs)
      setChecked(new Set())
    })
  const reject = (): void =>
    withChosen((some) => {
      proposals.reject(some.filter(({ proposal }) => proposal !== null))
      setChecked(new Set())
    })
  useShortcut('A', apply)
  useShortcut('H', hold)
  useShortcut('D', reject)

  const tabs = rows.page?.tabs
  const chooseTab = (next: MarketTab): void => {
    look({ tab: next })
    setChecked(new Set())
  }
  return (
    <>
      <Bar
        label="Market"
        end={
          <>
            <SearchField
              label="Filter the market"
              width={170}
              value={typed}
              onChange={setTyped}
              list={table}
            />
            <TableCopy
              tableId="price-watch"
              columns={columns}
              rowsOf={rows.read}
              total={rows.total}
            />
            <ColumnMenu tableId="price-watch" columns={columns} />
          </>
        }
      >
        <CountTabs
          label="Market"
          value={tab}
          onChange={chooseTab}
          tabs={(Object.keys(names) as MarketTab[]).map((id) => ({
            id,
            label: names[id],
            count: tabs?.[id] ?? null,
          }))}
        />
        {tab === 'proposals' && (tabs?.proposals ?? 0) > 1 ? (
          <Button icon={<IconCheck size={16} stroke={1.6} />} onClick={() => askAll()}>
            Apply all {formatCount(tabs?.proposals ?? 0)}…
          </Button>
        ) : null}
      </Bar>
      {rows.error !== null && rows.page === undefined ? (
        <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
      ) : (
        <DataTable
          key={tab}
          ref={table}
          autoFocus
          tableId="price-watch"
          label="Market"
          columns={columns}
          total={rows.total}
          getRow={rows.getRow}
          rowKey={(row) => row.offerId}
          onRange={rows.onRange}
          sort={sort}
          onSort={(next: Sort) => look({ sort: next as Sorted })}
          openKey={openId}
          list={rows.list}
          locate={locate}
          onOpen={(row) => onOpen(row.offerId)}
          onClose={() => onOpen(null)}
          checked={checked}
          onCheck={setChecked}
          onCheckAll={checkAll}
          loading={rows.loading}
          stale={rows.stale}
          onEdit={(row) => {
            if (row.proposal !== null) void proposals.apply([row])
          }}
          isMuted={(row) => row.lead === 'none'}
          empty={
            query !== '' ? (
              <NoMatches query={query} onClear={() => setTyped('')} />
            ) : (
              <Empty tab={tab} onRules={() => go('/watch/rules')} />
            )
          }
          over={
            <BulkBar
              selected={checked.size}
              total={rows.total}
              onSelectAll={checkAll}
              onClose={() => setChecked(new Set())}
            >
              <Button kind="primary" keys={['A']} onClick={apply}>
                Apply {formatCount(checked.size)}…
              </Button>
              <Button keys={['H']} onClick={hold}>
                Hold 4 h
              </Button>
              <Button kind="quiet" keys={['D']} onClick={reject}>
                Reject
              </Button>
            </BulkBar>
          }
        />
      )}
      <ApplyDialog
        rows={applying}
        onClose={() => setApplying([])}
        onConfirm={async () => {
          setApplied(await proposals.apply(applying))
          setChecked(new Set())
          table.current?.focus()
        }}
      />
      {applied === null ? null : (
        <ApplyResultsDialog
          applied={applied}
          onRetry={(offerIds) => {
            setApplied(null)
            askAll(new Set(offerIds))
          }}
          onClose={() => setApplied(null)}
        />
      )}
    </>
  )
}

function Empty({ tab, onRules }: { tab: MarketTab; onRules: () => void }) {
  if (tab === 'losing')
    return (
      <EmptyState
        title="No offer is behind"
        text="Every offer with stock sells first, as far as the service reports."
        actions={<Button onClick={onRules}>View rules</Button>}
      />
    )
  if (tab === 'proposals') {
    return (
      <EmptyState
        title="No proposals"
        text="Rules propose prices here. Nothing is sent without your approval unless you turn on auto-apply."
        actions={
          <Button kind="primary" onClick={onRules} autoFocus>
            View rules
          </Button>
        }
        steps={[
          {
            title: 'Write a rule',
            text: 'Choose the offers, how far prices can follow, and the floor.',
          },
          { title: 'Simulate it', text: 'Thirty days on the bundled market in seconds.' },
          {
            title: 'Let it propose',
            text: 'Approve prices with one key. Turn on auto-apply when you trust the rule.',
          },
        ]}
      />
    )
  }
  return (
    <EmptyState
      title={
        tab === 'probing'
          ? 'No higher price is being tested'
          : tab === 'held'
            ? 'No offers on hold'
            : 'No offers with stock'
      }
      text={
        tab === 'all'
          ? 'Active offers with keys are watched.'
          : 'Offers on hold and tests of a higher price are listed here.'
      }
      actions={<Button onClick={onRules}>View rules</Button>}
    />
  )
}
