import { useState } from 'react'
import type { BulkChange } from '../../../../contract/offers/offer-bulk.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { useCheckedRows } from '../../../ui/table/rows/use-checked-rows.ts'
import type { Selection } from '../bulk/bulk-dialog.tsx'
import type { OfferList } from './use-offer-list.ts'

/** The initial rule of the repricing dialog. */
export const byPercent: BulkChange = {
  kind: 'price',
  how: { by: 'percent', hundredths: -100 },
  keepFloor: true,
}

/** The checked offers, and the bulk change that is being confirmed for them. */
export function useBulkSelection({
  filter,
  sort,
  applyView,
  rows: { total, stale },
}: Pick<OfferList, 'filter' | 'sort' | 'applyView' | 'rows'>) {
  const account = useAccount()
  const filterKey = JSON.stringify([account.id, filter])
  const { checked, check, checkRead, clear, whenChecked } = useCheckedRows({
    list: filterKey,
    stale,
    showList: () => applyView({ filter, sort }),
  })
  /** The checked offers while they are all matching ones, so that the core selects by the filter. */
  const [all, setAll] = useState<{ of: string; offerIds: ReadonlySet<string> } | null>(null)
  const [bulk, setBulk] = useState<BulkChange | null>(null)
  const isAll = all !== null && all.of === filterKey && all.offerIds === checked
  const chosen: Selection = isAll ? { filter } : { offerIds: [...checked] }
  const checkAll = (): void =>
    checkRead(
      rpc.offers.ids({ accountId: account.id, filter, sort }).then((found) => {
        const offerIds = new Set(found.offerIds)
        setAll({ of: filterKey, offerIds })
        return offerIds
      }),
    )
  /** Begins a change of the checked offers, or of all matching ones once they are checked. */
  const beginChecked = (change: BulkChange): boolean => whenChecked(() => setBulk(change))
  const begin = (change: BulkChange): void => {
    if (beginChecked(change) || total === 0) return
    checkAll()
    beginChecked(change)
  }
  useShortcut('R', () => void beginChecked(byPercent))
  useShortcut('P', () => void beginChecked({ kind: 'status', status: 'paused' }))
  useShortcut('A', () => void beginChecked({ kind: 'status', status: 'active' }))
  return {
    checked,
    /** The selection for the core: by filter if all matching offers are checked. */
    chosen,
    check,
    checkAll,
    clear,
    bulk,
    begin,
    endBulk: (): void => setBulk(null),
    isEmpty: checked.size === 0,
  }
}
export type BulkSelection = ReturnType<typeof useBulkSelection>
