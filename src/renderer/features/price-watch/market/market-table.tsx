import type { RefObject } from 'react'
import { useLocation } from 'wouter'
import { problemOf } from '../../../lib/core/problem.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { NoMatches } from '../../../ui/feedback/no-matches.tsx'
import { formatCount } from '../../../ui/format.ts'
import { BulkBar } from '../../../ui/layout/bulk-bar.tsx'
import type { MarketRow } from '../../../../contract/price-watch/price-watch-records.ts'
import { DataTable, type TargetTable } from '../../../ui/table/data-table.tsx'
import { NoMarketRows } from './no-market-rows.tsx'
import type { ChosenProposals } from './use-chosen-proposals.ts'
import type { MarketList } from './use-market-list.ts'

/** The offers of a tab, with the actions for checked ones. */
export function MarketTable({
  list,
  chosen,
  table,
  openId,
  onOpen,
}: {
  list: MarketList
  chosen: ChosenProposals
  table: RefObject<TargetTable<MarketRow> | null>
  openId: string | null
  onOpen: (offerId: string | null) => void
}) {
  const [, go] = useLocation()
  const { tab, rows, columns, query, setTyped } = list
  if (rows.error !== null)
    return <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
  return (
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
      sort={list.sort}
      onSort={list.sortBy}
      openKey={openId}
      list={rows.list}
      locate={list.locate}
      onOpen={(row) => onOpen(row.offerId)}
      onClose={() => onOpen(null)}
      checked={chosen.checked}
      onCheck={chosen.check}
      onCheckAll={chosen.checkAll}
      loading={rows.loading}
      stale={rows.stale}
      isMuted={(row) => row.lead === 'none'}
      empty={
        query !== '' ? (
          <NoMatches query={query} onClear={() => setTyped('')} />
        ) : (
          <NoMarketRows
            tab={tab}
            watched={rows.page?.tabs.all ?? 0}
            onRules={() => go('/watch/rules')}
          />
        )
      }
      over={<ProposalBar chosen={chosen} total={rows.total} />}
    />
  )
}

/** The actions on the proposals of the checked offers. */
function ProposalBar({ chosen, total }: { chosen: ChosenProposals; total: number }) {
  const { checked, checkAll, uncheckAll, apply, hold, reject } = chosen
  return (
    <BulkBar selected={checked.size} total={total} onSelectAll={checkAll} onClose={uncheckAll}>
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
  )
}
