import type { DisputeRow } from '../../../../contract/disputes/dispute-records.ts'
import { MOST_BULK_REPLIES } from '../../../../contract/disputes/disputes.ts'
import { rowKey } from '../inbox/row-key.ts'

/** A selection, and whether a row was left out because one reply can't answer more. */
export interface Fitted {
  next: ReadonlyMap<string, DisputeRow>
  isFull: boolean
}

/**
 * Reads the first rows of the list: of every account that it shows (`accountId` null), or only of
 * one.
 */
export type ReadDisputes = (most: number, accountId: string | null) => Promise<DisputeRow[]>

/** A selection with these rows, as far as they are of its account and fit. */
export function withRows(
  selected: ReadonlyMap<string, DisputeRow>,
  rows: readonly (DisputeRow | undefined)[],
): Fitted {
  const next = new Map(selected)
  const [first] = next.values()
  const accountId = first?.accountId ?? rows.find((each) => each !== undefined)?.accountId
  for (const row of rows) {
    if (row === undefined || row.accountId !== accountId) continue
    if (next.size >= MOST_BULK_REPLIES && !next.has(rowKey(row))) return { next, isFull: true }
    next.set(rowKey(row), row)
  }
  return { next, isFull: false }
}

/**
 * A selection with all rows of its account, or else of the account of the list's first row. Only
 * this account's rows are read: among the first rows of every account, some of its could be missing.
 */
export async function withAllRows(
  selected: ReadonlyMap<string, DisputeRow>,
  read: ReadDisputes,
): Promise<Fitted> {
  const [first = (await read(1, null))[0]] = selected.values()
  if (first === undefined) return { next: selected, isFull: false }
  // One row more shows that the list has more of them.
  return withRows(selected, await read(MOST_BULK_REPLIES + 1, first.accountId))
}
