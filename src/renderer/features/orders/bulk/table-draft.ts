import { create } from 'zustand'
import type { Cents } from '../../../../../server/api/money.ts'

/**
 * A table of orders that a person is entering.
 *
 * @property previous The maximum prices of an earlier try of the same lines, by
 *   {@link previousKey}; empty for a new table.
 */
export type TableDraft = {
  name: string
  text: string
  previous: ReadonlyMap<string, Cents>
}

/** Identifies a line in {@link TableDraft.previous}. */
export const previousKey = (externalId: string, productId: string): string =>
  `${externalId}\n${productId}`

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
