import type { DisputeRow } from '../../../../contract/disputes/dispute-records.ts'
import { MOST_BULK_REPLIES } from '../../../../contract/disputes/disputes.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { type SelectableList, useListSelection } from '../../../ui/table/rows/use-list-selection.ts'
import { rowKey } from '../inbox/row-key.ts'
import { type Fitted, type ReadDisputes, withAllRows, withRows } from './selectable-disputes.ts'

export interface DisputeSelection {
  rows: readonly DisputeRow[]
  has: (row: DisputeRow) => boolean
  toggle: (row: DisputeRow | undefined) => void
  add: (...rows: readonly (DisputeRow | undefined)[]) => void
  /** Selects all rows of the list, up to the most that one reply can answer. */
  addAll: () => void
  /** Selects the rows of the list with these ids instead of the current ones. */
  select: (disputeIds: Promise<ReadonlySet<string>>, accountId: string) => Promise<void>
  clear: () => void
  /**
   * Runs now if disputes are selected, or once those that are being read are selected. Returns
   * whether it runs.
   */
  whenSelected: (run: () => void) => boolean
}

const tooMany = (): void =>
  void toast({
    kind: 'waits',
    title: `${MOST_BULK_REPLIES} disputes are selected`,
    text: 'That’s the most that one reply can answer.',
    id: 'too-many-disputes',
  })

const noDisputes: ReadonlyMap<string, DisputeRow> = new Map()

/** The selected disputes, all of one account: a bulk reply belongs to one shop. */
export function useDisputeSelection(list: SelectableList, read: ReadDisputes): DisputeSelection {
  const { selected, select, clear, selectRead, whenSelected } = useListSelection(list, noDisputes)
  const add = (...rows: readonly (DisputeRow | undefined)[]): void => {
    const { next, isFull } = withRows(selected, rows)
    if (select(next) && isFull) tooMany()
  }
  /** Selects rows that are being read, and says so if not all of them fit. */
  const selectFitted = async (read: Promise<Fitted>): Promise<void> => {
    const isSelected = await selectRead(read.then(({ next }) => next))
    if (isSelected && (await read).isFull) tooMany()
  }
  return {
    rows: [...selected.values()],
    has: (row) => selected.has(rowKey(row)),
    add,
    toggle(row) {
      if (row === undefined) return
      if (!selected.has(rowKey(row))) return add(row)
      const next = new Map(selected)
      next.delete(rowKey(row))
      select(next)
    },
    addAll: () =>
      void selectFitted(withAllRows(selected, read)).catch((error: unknown) =>
        toastProblem(problemOf(error), null),
      ),
    select: (disputeIds, accountId) =>
      selectFitted(
        Promise.all([disputeIds, read(Infinity, accountId)]).then(([ids, rows]) =>
          withRows(
            noDisputes,
            rows.filter(({ disputeId }) => ids.has(disputeId)),
          ),
        ),
      ),
    clear,
    whenSelected,
  }
}
