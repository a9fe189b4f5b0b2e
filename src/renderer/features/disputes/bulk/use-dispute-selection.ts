import { useRef, useState } from 'react'
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
  /** The rows to select that are being read, and what to do with them afterwards. */
  const reading = useRef<{ run: (() => void) | null } | null>(null)
  /** Selects rows that are read first, unless another choice is made in the meantime. */
  const setRead = async (
    rows: Promise<readonly DisputeRow[]>,
    choose: (rows: readonly DisputeRow[]) => void,
  ): Promise<void> => {
    const own: typeof reading.current = { run: null }
    reading.current = own
    try {
      const found = await rows
      if (reading.current !== own) return
      choose(found)
      if (found.length > 0) own.run?.()
    } finally {
      if (reading.current === own) reading.current = null
    }
  }
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
      void setRead(read(MOST_BULK_REPLIES), (rows) => add(...rows)).catch(
        (error: unknown) => void toastProblem(problemOf(error), null),
      ),
    select: (disputeIds, accountId) =>
      setRead(
        Promise.all([disputeIds, read(MOST_BULK_REPLIES)]).then(([ids, rows]) =>
          rows.filter((row) => row.accountId === accountId && ids.has(row.disputeId)),
        ),
        (rows) => set(new Map(rows.map((row) => [rowKey(row), row]))),
      ),
    clear() {
      reading.current = null
      set(new Map())
    },
    whenSelected(run) {
      if (reading.current !== null) reading.current.run = run
      else if (current.size === 0) return false
      else run()
      return true
    },
  }
}
