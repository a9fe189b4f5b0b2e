import { useEffect, useState } from 'react'
import type { BulkChange } from '../../../../contract/offers/offer-bulk.ts'
import type { OfferFilter } from '../../../../contract/offers/offer-filter.ts'
import type { SavedView } from '../../../../contract/offers/offers.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import type { Selection } from '../bulk/bulk-dialog.tsx'

/** The initial rule of the repricing dialog. */
export const byPercent: BulkChange = {
  kind: 'price',
  how: { by: 'percent', hundredths: -100 },
  keepFloor: true,
}

/** The checked offers, and the bulk change that is being confirmed for them. */
export function useBulkSelection(
  filter: OfferFilter,
  sort: SavedView['look']['sort'],
  total: number,
) {
  const account = useAccount()
  const filterKey = JSON.stringify([account.id, filter])
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  /** Set while all matching offers are checked, so that the core selects them by the filter. */
  const [allOf, setAllOf] = useState<string | null>(null)
  const [bulk, setBulk] = useState<BulkChange | null>(null)
  const clear = (): void => {
    setChecked(new Set())
    setAllOf(null)
  }
  useEffect(() => {
    setChecked(new Set())
    setAllOf(null)
  }, [filterKey])
  const chosen: Selection = allOf === filterKey ? { filter } : { offerIds: [...checked] }
  const checkAll = (): void => {
    rpc.offers.ids({ accountId: account.id, filter, sort }).then(
      ({ offerIds }) => {
        setChecked(new Set(offerIds))
        setAllOf(filterKey)
      },
      (error: unknown) => void toastProblem(problemOf(error), null),
    )
  }
  const begin = (change: BulkChange): void => {
    if (checked.size > 0) return setBulk(change)
    if (total === 0) return
    setBulk(change)
    checkAll()
  }
  useShortcut('R', () => begin(byPercent), { enabled: checked.size > 0 })
  useShortcut('P', () => begin({ kind: 'status', status: 'paused' }), { enabled: checked.size > 0 })
  useShortcut('A', () => begin({ kind: 'status', status: 'active' }), { enabled: checked.size > 0 })
  return {
    checked,
    /** The selection for the core: by filter if all matching offers are checked. */
    chosen,
    check(next: ReadonlySet<string>): void {
      setChecked(next)
      setAllOf(null)
    },
    checkAll,
    clear,
    bulk,
    begin,
    endBulk: (): void => setBulk(null),
    isEmpty: checked.size === 0 && allOf === null,
  }
}
export type BulkSelection = ReturnType<typeof useBulkSelection>
