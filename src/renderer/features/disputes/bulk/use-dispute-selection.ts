import type { DisputeRow } from '../../../../contract/disputes/dispute-records.ts'
import { MOST_BULK_REPLIES } from '../../../../contract/disputes/disputes.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import type { PagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { type SelectableList, useListSelection } from '../../../ui/table/rows/use-list-selection.ts'
import { rowKey } from '../inbox/row-key.ts'

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
export function useDisputeSelection(
  list: SelectableList,
  read: PagedRows<DisputeRow, unknown>['read'],
): DisputeSelection {
  const { selected, select, clear, selectRead, whenSelected } = useListSelection(list, noDisputes)
  /** The selection with these rows, as far as they are of its account and fit. */
  const withRows = (rows: readonly (DisputeRow | undefined)[]) => {
    const next = new Map(selected)
    const [first] = next.values()
    for (const row of rows) {
      const accountId = first?.accountId ?? rows.find((each) => each !== undefined)?.accountId
      if (row === undefined || row.accountId !== accountId) continue
      if (next.size >= MOST_BULK_REPLIES && !next.has(rowKey(row))) return { next, isFull: true }
      next.set(rowKey(row), row)
    }
    return { next, isFull: false }
  }
  const add = (...rows: readonly (DisputeRow | undefined)[]): void => {
    const { next, isFull } = withRows(rows)
    if (select(next) && isFull) tooMany()
  }
  const addAll = async (): Promise<void> => {
    // One row more shows that the list has more of them.
    const added = read(MOST_BULK_REPLIES + 1).then(withRows)
    const isSelected = await selectRead(added.then(({ next }) => next))
    if (isSelected && (await added).isFull) tooMany()
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
    addAll: () => void addAll().catch((error: unknown) => toastProblem(problemOf(error), null)),
    async select(disputeIds, accountId) {
      await selectRead(
        Promise.all([disputeIds, read(MOST_BULK_REPLIES)]).then(
          ([ids, rows]) =>
            new Map(
              rows
                .filter((row) => row.accountId === accountId && ids.has(row.disputeId))
                .map((row) => [rowKey(row), row]),
            ),
        ),
      )
    },
    clear,
    whenSelected,
  }
}
