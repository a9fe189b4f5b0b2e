import { useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { MarketRow } from '../../../../contract/price-watch/price-watch-records.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import type { TableHandle } from '../../../ui/table/data-table.tsx'
import { useCheckedRows } from '../../../ui/table/rows/use-checked-rows.ts'
import type { MarketList } from './use-market-list.ts'
import { everyProposal, everyRow, rowsOf } from './every-row.ts'
import { holdMs, type Proposals } from './use-proposals.ts'

/** From this number of prices on, a dialog asks before they are sent. */
const ASKED_FROM = 2

const noProposals = {
  kind: 'behind',
  title: 'No proposals to apply',
  text: 'Rules propose again when they have read the market.',
} as const

/**
 * The checked rows of the market, and what a person does with them: apply, hold or reject, by button
 * or shortcut. Without checked rows, the current row is meant.
 */
export function useChosenProposals(
  { asked: list, rows, chooseTab, setTyped }: MarketList,
  table: RefObject<TableHandle | null>,
  proposals: Proposals,
) {
  const filterKey = JSON.stringify([list.accountId, list.tab, list.query])
  const { checked, check, checkRead, clear, uncheck, whenChecked } = useCheckedRows({
    list: filterKey,
    stale: rows.stale,
    showList: () => {
      chooseTab(list.tab)
      setTyped(list.query)
    },
  })
  const shownKey = useRef(filterKey)
  useLayoutEffect(() => {
    shownKey.current = filterKey
  })
  const [applying, setApplying] = useState<readonly MarketRow[]>([])
  const checkAll = (): void =>
    checkRead(everyRow(list).then((every) => new Set(every.map(({ offerId }) => offerId))))
  /**
   * Acts on the checked rows, all of them once **Select all** has read them, or the current row.
   * Another filter clears the checks, so it also drops an action whose rows are still being read.
   */
  const withChosen = (act: (rows: readonly MarketRow[]) => void): void => {
    const areChecked = whenChecked(
      (ids) =>
        void rowsOf(list, ids).then(
          (some) => {
            if (some.length > 0 && shownKey.current === filterKey) act(some)
          },
          (error: unknown) => toastProblem(problemOf(error), null),
        ),
    )
    const row = areChecked ? undefined : rows.getRow(table.current?.current() ?? -1)
    if (row !== undefined) act([row])
  }
  const apply = (): void =>
    withChosen((some) => {
      const proposed = some.filter(({ proposal }) => proposal !== null)
      if (proposed.length >= ASKED_FROM) setApplying(proposed)
      else void proposals.apply(proposed)
    })
  /** Asks about all current proposals, or those of some offers. */
  const askAll = (only?: ReadonlySet<string>): void =>
    void everyProposal(list.accountId)
      .then((all) => {
        const found = all.filter(({ offerId }) => only?.has(offerId) !== false)
        if (found.length === 0) toast(noProposals)
        setApplying(found)
      })
      .catch((error: unknown) => {
        toastProblem(problemOf(error), null)
      })
  const uncheckRows = (rows: readonly MarketRow[]): void =>
    uncheck(rows.map(({ offerId }) => offerId))
  const hold = (): void =>
    withChosen((some) => {
      proposals.hold(some, Date.now() + holdMs)
      uncheckRows(some)
    })
  const reject = (): void =>
    withChosen((some) => {
      proposals.reject(some.filter(({ proposal }) => proposal !== null))
      uncheckRows(some)
    })
  useShortcut('A', apply)
  useShortcut('H', hold)
  useShortcut('D', reject)
  return {
    checked,
    check,
    uncheckAll: clear,
    uncheckRows,
    checkAll,
    /** The proposals that a dialog asks about; empty while none is open. */
    applying,
    stopApplying: (): void => setApplying([]),
    askAll,
    apply,
    hold,
    reject,
  }
}
export type ChosenProposals = ReturnType<typeof useChosenProposals>
