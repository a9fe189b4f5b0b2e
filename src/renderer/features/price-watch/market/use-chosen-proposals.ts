import { useState } from 'react'
import type { RefObject } from 'react'
import type { MarketRow } from '../../../../contract/price-watch/price-watch-records.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import type { TargetTable } from '../../../ui/table/data-table.tsx'
import { useCheckedRows } from '../../../ui/table/rows/use-checked-rows.ts'
import type { MarketList } from './use-market-list.ts'
import type { AppliedPrices } from './apply-results-csv.ts'
import { everyProposal, everyRow, rowsOf } from './every-row.ts'
import { holdMs, type Proposals } from './use-proposals.ts'

/** Whether a row still proposes the price that the person sees in it. */
const proposesSame = (row: MarketRow | undefined, seen: MarketRow | undefined): boolean =>
  row !== undefined &&
  row.offerId === seen?.offerId &&
  row.proposal?.targetCents === seen.proposal?.targetCents

const noProposals = (action: 'apply' | 'reject'): void =>
  void toast({
    kind: 'behind',
    title: `No proposals to ${action}`,
    text: 'Rules propose again when they have read the market.',
  })

const noOffers = {
  kind: 'behind',
  title: 'The selected offers are gone',
  text: 'They are no longer selected. Nothing was sent.',
} as const

/** Proposals that a dialog asks about, and the offers that were chosen for them. */
interface Asked {
  rows: readonly MarketRow[]
  offerIds: ReadonlySet<string>
}

/**
 * The checked rows of the market, and what a person does with them: apply, hold or reject, by button
 * or shortcut. Without checked rows, the current row is meant.
 */
export function useChosenProposals(
  { asked: list, rows, chooseTab, setTyped }: MarketList,
  table: RefObject<TargetTable<MarketRow> | null>,
  proposals: Proposals,
) {
  const filterKey = JSON.stringify([list.accountId, list.tab, list.query])
  const { checked, check, checkRead, clear, uncheck, whenChecked, isShown } = useCheckedRows({
    list: filterKey,
    stale: rows.stale,
    showList: () => {
      chooseTab(list.tab)
      setTyped(list.query)
    },
  })
  const [applying, setApplying] = useState<Asked | null>(null)
  const checkAll = (): void =>
    checkRead(everyRow(list).then((every) => new Set(every.map(({ offerId }) => offerId))))
  /**
   * Acts on the checked rows, all of them once **Select all** has read them, or the current row.
   * Another filter clears the checks, so it also drops an action whose rows are still being read.
   * `act` also gets the ids of offers that are gone: without a row, a person can't uncheck them.
   */
  const withChosen = (
    act: (rows: readonly MarketRow[], offerIds: ReadonlySet<string>) => void,
    target = (): MarketRow | undefined => table.current?.target(),
  ): void => {
    const areChecked = whenChecked(
      (ids) =>
        void rowsOf(list, ids).then(
          (some) => {
            if (!isShown(filterKey)) return
            if (some.length > 0) return act(some, ids)
            uncheck(ids)
            toast(noOffers)
          },
          (error: unknown) => toastProblem(problemOf(error), null),
        ),
    )
    const row = areChecked ? undefined : target()
    if (row !== undefined) act([row], new Set([row.offerId]))
  }
  /** Sends proposals, and unchecks the offers that were chosen for them unless it fails. */
  const send = async ({ rows: some, offerIds }: Asked): Promise<AppliedPrices | null> => {
    const applied = await proposals.apply(some)
    if (applied !== null) uncheck(offerIds)
    return applied
  }
  /** Acts on the chosen rows that have a proposal. If none has one, a message says so. */
  const withProposals = (
    action: 'apply' | 'reject',
    act: (asked: Asked) => void,
    target?: () => MarketRow | undefined,
  ): void =>
    withChosen((some, offerIds) => {
      const proposed = some.filter(({ proposal }) => proposal !== null)
      if (proposed.length === 0) noProposals(action)
      else act({ rows: proposed, offerIds })
    }, target)
  /** Sends the price of the current row, which the person sees; a dialog shows any others first. */
  const apply = (): void => {
    const seen = table.current?.target()
    withProposals(
      'apply',
      (asked) => {
        if (asked.rows.length === 1 && proposesSame(asked.rows[0], seen)) void send(asked)
        else setApplying(asked)
      },
      () => seen,
    )
  }
  /** Asks about all current proposals, or those of some offers. */
  const askAll = (only?: ReadonlySet<string>): void =>
    void everyProposal(list.accountId)
      .then((all) => {
        const found = all.filter(({ offerId }) => only?.has(offerId) !== false)
        if (found.length === 0) return noProposals('apply')
        setApplying({ rows: found, offerIds: new Set(found.map(({ offerId }) => offerId)) })
      })
      .catch((error: unknown) => {
        toastProblem(problemOf(error), null)
      })
  const hold = (): void =>
    withChosen(async (some, offerIds) => {
      if (await proposals.hold(some, Date.now() + holdMs)) uncheck(offerIds)
    })
  const reject = (): void =>
    withProposals('reject', async (asked) => {
      if (await proposals.reject(asked.rows)) uncheck(asked.offerIds)
    })
  useShortcut('A', apply)
  useShortcut('H', hold)
  useShortcut('D', reject)
  return {
    checked,
    check,
    uncheckAll: clear,
    checkAll,
    /** What a dialog asks about; null while none is open. */
    applying,
    stopApplying: (): void => setApplying(null),
    send,
    askAll,
    apply,
    hold,
    reject,
  }
}
export type ChosenProposals = ReturnType<typeof useChosenProposals>
