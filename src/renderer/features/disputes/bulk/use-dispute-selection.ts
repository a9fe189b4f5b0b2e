import { useState } from 'react'
import type { DisputeRow } from '../../../../contract/disputes/dispute-records.ts'
import { MOST_BULK_REPLIES } from '../../../../contract/disputes/disputes.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { rowKey } from '../inbox/row-key.ts'

export interface DisputeSelection {
  rows: readonly DisputeRow[]
  has: (row: DisputeRow) => boolean
  toggle: (row: DisputeRow | undefined) => void
  add: (...rows: readonly (DisputeRow | undefined)[]) => void
  /** Selects all rows of the list, up to the most that one reply can answer. */
  addAll: () => void
  /** Selects the rows of the list with these ids instead of the current ones. */
  select: (disputeIds: ReadonlySet<string>, accountId: string) => Promise<void>
  clear: () => void
}

const tooMany = (): void =>
  void toast({
    kind: 'waits',
    title: `${MOST_BULK_REPLIES} disputes are selected`,
    text: 'That’s the most that one reply can answer.',
    id: 'too-many-disputes',
  })

/** The selected disputes, all of one account: a bulk reply belongs to one shop. */
export function useDisputeSelection(
  list: string,
  read: (most: number) => Promise<DisputeRow[]>,
): DisputeSelection {
  const [{ of, selected }, setSelection] = useState<{
    of: string
    selected: ReadonlyMap<string, DisputeRow>
  }>({ of: list, selected: new Map() })
  // Another list has another selection.
  const current = of === list ? selected : new Map<string, DisputeRow>()
  const set = (rows: ReadonlyMap<string, DisputeRow>): void =>
    setSelection({ of: list, selected: rows })
  const add = (...rows: readonly (DisputeRow | undefined)[]): void => {
    const next = new Map(current)
    const [first] = next.values()
    for (const row of rows) {
      const accountId = first?.accountId ?? rows.find((each) => each !== undefined)?.accountId
      if (row === undefined || row.accountId !== accountId) continue
      if (next.size >= MOST_BULK_REPLIES && !next.has(rowKey(row))) {
        tooMany()
        break
      }
      next.set(rowKey(row), row)
    }
    set(next)
  }
  return {
    rows: [...current.values()],
    has: (row) => current.has(rowKey(row)),
    add,
    toggle(row) {
      if (row === undefined) return
      if (!current.has(rowKey(row))) return add(row)
      const next = new Map(current)
      next.delete(rowKey(row))
      set(next)
    },
    addAll: () =>
      void read(MOST_BULK_REPLIES).then(
        (rows) => add(...rows),
        (error: unknown) => void toastProblem(problemOf(error), null),
      ),
    async select(disputeIds, accountId) {
      const rows = (await read(MOST_BULK_REPLIES)).filter(
        (row) => row.accountId === accountId && disputeIds.has(row.disputeId),
      )
      set(new Map(rows.map((row) => [rowKey(row), row])))
    },
    clear: () => set(new Map()),
  }
}
