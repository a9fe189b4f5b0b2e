import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { MarketRow } from '../../../../contract/price-watch/price-watch-records.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import type { TableHandle } from '../../../ui/table/data-table.tsx'
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
  { asked: list, rows }: MarketList,
  table: RefObject<TableHandle | null>,
  proposals: Proposals,
) {
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  const [applying, setApplying] = useState<readonly MarketRow[]>([])
  /** Set while Select all reads the rows. An action requested before then applies to all of them. */
  const reading = useRef<Promise<ReadonlySet<string>> | null>(null)
  const check = (next: ReadonlySet<string>): void => {
    reading.current = null
    setChecked(next)
  }
  // Another list starts without any.
  const filterKey = JSON.stringify([list.accountId, list.tab, list.query])
  useEffect(() => {
    reading.current = null
    setChecked(new Set())
  }, [filterKey])

  /** The checked rows, or otherwise the current row. */
  const chosen = async (): Promise<MarketRow[]> => {
    const ids = (await reading.current) ?? checked
    if (ids.size === 0) {
      const row = rows.getRow(table.current?.current() ?? -1)
      return row === undefined ? [] : [row]
    }
    return rowsOf(list, ids)
  }
  const checkAll = (): void => {
    const all = everyRow(list).then((every) => new Set(every.map(({ offerId }) => offerId)))
    reading.current = all
    all.then(
      (ids) => {
        if (reading.current === all) check(ids)
      },
      (error: unknown) => {
        if (reading.current === all) reading.current = null
        toastProblem(problemOf(error), null)
      },
    )
  }
  const withChosen = (act: (rows: readonly MarketRow[]) => void): void =>
    void chosen()
      .then((some) => {
        if (some.length > 0) act(some)
      })
      .catch((error: unknown) => {
        toastProblem(problemOf(error), null)
      })
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
  const hold = (): void =>
    withChosen((some) => {
      proposals.hold(some, Date.now() + holdMs)
      check(new Set())
    })
  const reject = (): void =>
    withChosen((some) => {
      proposals.reject(some.filter(({ proposal }) => proposal !== null))
      check(new Set())
    })
  useShortcut('A', apply)
  useShortcut('H', hold)
  useShortcut('D', reject)
  return {
    checked,
    check,
    uncheckAll: (): void => check(new Set()),
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
