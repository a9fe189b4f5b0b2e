import { create } from 'zustand'
import { type ColumnState, noColumnState, type RowHeight } from './columns.ts'

interface ColumnStore {
  tables: Record<string, ColumnState>
  /** Row height of tables without a choice of their own (the density setting). */
  defaultHeight: RowHeight
  change: (tableId: string, part: Partial<ColumnState>) => void
  reset: (tableId: string) => void
  setDefaultHeight: (height: RowHeight) => void
}

/** What people chose for their tables, by table id. */
export const useColumnStore = create<ColumnStore>((set) => ({
  tables: {},
  defaultHeight: 36,
  change: (tableId, part) => set((state) => ({ tables: { ...state.tables, [tableId]: { ...(state.tables[tableId] ?? noColumnState), ...part } } })),
  reset: (tableId) => set((state) => ({ tables: { ...state.tables, [tableId]: noColumnState } })),
  setDefaultHeight: (height) => set({ defaultHeight: height }),
}))

/** The choices of one table. */
export function useColumnState(tableId: string): ColumnState {
  return useColumnStore((state) => state.tables[tableId] ?? noColumnState)
}
