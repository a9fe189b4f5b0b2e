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
  /** Opens the table with its last edits. */
  open: (accountId: string) => void
  /**
   * Opens another table. Returns how to bring back the entered one; null if none is lost. That
   * returns false, and changes nothing, if something else was entered since.
   */
  replace: (accountId: string, draft: TableDraft) => (() => boolean) | null
  change: (accountId: string, draft: TableDraft) => void
  close: () => void
}

/** Tables of orders by account. Stored as long as the window is open. */
export const useTableDrafts = create<TableDrafts>((set, get) => ({
  openFor: null,
  drafts: {},
  open: (accountId) => set({ openFor: accountId }),
  replace(accountId, draft) {
    const before = get().drafts[accountId] ?? emptyDraft
    get().change(accountId, draft)
    get().open(accountId)
    if (before.text.trim() === '' || before.text === draft.text) return null
    return () => {
      const { text } = get().drafts[accountId] ?? emptyDraft
      if (text.trim() !== '' && text !== draft.text) return false
      get().change(accountId, before)
      get().open(accountId)
      return true
    }
  },
  change: (accountId, draft) =>
    set((state) => ({ drafts: { ...state.drafts, [accountId]: draft } })),
  close: () => set({ openFor: null }),
}))
