import { create } from 'zustand'
import type { Cents } from '../../../../../server/api/money.ts'

/**
 * A table of orders that a person is entering.
 *
 * @property previous The maximum prices of an earlier try of the same lines, by
 *   {@link previousKeys}; empty for a new table.
 */
export type TableDraft = {
  name: string
  text: string
  previous: ReadonlyMap<string, Cents>
}

/**
 * Identifies lines in {@link TableDraft.previous}: by order and product, and further lines of a
 * product in an order also by their number.
 */
export function previousKeys(
  lines: readonly { externalId: string; productId: string }[],
): string[] {
  const found = new Map<string, number>()
  return lines.map(({ externalId, productId }) => {
    const key = `${externalId}\n${productId}`
    const number = (found.get(key) ?? 0) + 1
    found.set(key, number)
    return number === 1 ? key : `${key}\n${number}`
  })
}

/** The lines of an earlier try, for {@link TableDraft.previous}. */
export function previousOf(
  lines: readonly { externalId: string; productId: string; maxUnitCents: Cents }[],
): ReadonlyMap<string, Cents> {
  const keys = previousKeys(lines)
  return new Map(lines.map(({ maxUnitCents }, at) => [keys[at] ?? '', maxUnitCents]))
}

export const emptyDraft: TableDraft = { name: 'pasted table', text: '', previous: new Map() }

type TableDrafts = {
  /** The account whose table is open. */
  openFor: string | null
  drafts: Readonly<Record<string, TableDraft>>
  /** Opens the table; without a draft, with what was entered last. */
  open: (accountId: string, draft?: TableDraft) => void
  change: (accountId: string, draft: TableDraft) => void
  close: () => void
}

/** Tables of orders by account. Stored as long as the window is open. */
export const useTableDrafts = create<TableDrafts>((set) => ({
  openFor: null,
  drafts: {},
  open: (accountId, draft) =>
    set((state) => ({
      openFor: accountId,
      drafts: draft === undefined ? state.drafts : { ...state.drafts, [accountId]: draft },
    })),
  change: (accountId, draft) =>
    set((state) => ({ drafts: { ...state.drafts, [accountId]: draft } })),
  close: () => set({ openFor: null }),
}))
