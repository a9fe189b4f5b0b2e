import { useEffect, useRef, useState } from 'react'
import type { MarketRow } from '../../../../contract/price-watch/price-watch-records.ts'
import type { TargetTable } from '../../../ui/table/data-table.tsx'
import { ApplyDialog } from './apply-dialog.tsx'
import { ApplyResultsDialog } from './apply-results.tsx'
import type { AppliedPrices } from './apply-results-csv.ts'
import { MarketBar } from './market-bar.tsx'
import { MarketTable } from './market-table.tsx'
import { useChosenProposals } from './use-chosen-proposals.ts'
import { useMarketList } from './use-market-list.ts'
import type { Proposals } from './use-proposals.ts'

/**
 * All offers compared with the best price, sorted by daily loss, with actions to apply, hold or
 * reject proposals.
 */
export function MarketView({
  openId,
  onOpen,
  onHasChecked,
  proposals,
}: {
  openId: string | null
  onOpen: (offerId: string | null) => void
  /** Whether rows are checked: shortcuts then act on those, not on the open offer. */
  onHasChecked: (hasChecked: boolean) => void
  proposals: Proposals
}) {
  const table = useRef<TargetTable<MarketRow>>(null)
  const list = useMarketList()
  const chosen = useChosenProposals(list, table, proposals)
  const { applying, askAll, send } = chosen
  const hasChecked = chosen.checked.size > 0
  useEffect(() => {
    onHasChecked(hasChecked)
    return () => onHasChecked(false)
  }, [onHasChecked, hasChecked])
  const [applied, setApplied] = useState<AppliedPrices | null>(null)
  return (
    <>
      <MarketBar list={list} chosen={chosen} table={table} />
      <MarketTable list={list} chosen={chosen} table={table} openId={openId} onOpen={onOpen} />
      {applying === null ? null : (
        <ApplyDialog
          asked={applying.rows}
          onClose={chosen.stopApplying}
          onConfirm={async (rows) => {
            setApplied(await send({ ...applying, rows }))
            table.current?.focus()
          }}
        />
      )}
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
