import { useEffect, useRef, useState } from 'react'
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
  /** All matching offers while they are being read to be checked. */
  const reading = useRef<Promise<unknown> | null>(null)
  const check = (next: ReadonlySet<string>): void => {
    reading.current = null
    setChecked(next)
    setAllOf(null)
  }
  const clear = (): void => check(new Set())
  useEffect(() => {
    reading.current = null
    setChecked(new Set())
    setAllOf(null)
  }, [filterKey])
  const chosen: Selection = allOf === filterKey ? { filter } : { offerIds: [...checked] }
  const checkAll = (): void => {
    const all = rpc.offers.ids({ accountId: account.id, filter, sort })
    reading.current = all
    all.then(
      ({ offerIds }) => {
        if (reading.current !== all) return
        check(new Set(offerIds))
        setAllOf(filterKey)
      },
      (error: unknown) => {
        if (reading.current === all) reading.current = null
        toastProblem(problemOf(error), null)
      },
    )
  }
  const begin = (change: BulkChange): void => {
    if (checked.size > 0) return setBulk(change)
    if (total === 0) return
    setBulk(change)
    checkAll()
  }
  /** Begins a change of the checked offers, or of all matching ones once they are checked. */
  const beginChecked = (change: BulkChange): void => {
    const all = reading.current
    if (all === null) {
      if (checked.size > 0) setBulk(change)
    } else
      void all.then(
        () => setBulk(change),
        () => {},
      )
  }
  useShortcut('R', () => beginChecked(byPercent))
  useShortcut('P', () => beginChecked({ kind: 'status', status: 'paused' }))
  useShortcut('A', () => beginChecked({ kind: 'status', status: 'active' }))
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
    isEmpty: checked.size === 0 && allOf === null,
  }
}
export type BulkSelection = ReturnType<typeof useBulkSelection>
