import { create } from 'zustand'
import { type ColumnState, noColumnState, type RowHeight } from './columns.ts'

interface ColumnStore {
  tables: Record<string, ColumnState>
  /** Row height of tables without their own choice (the density setting). */
  defaultHeight: RowHeight
  change: (tableId: string, part: Partial<ColumnState>) => void
  reset: (tableId: string) => void
  setDefaultHeight: (height: RowHeight) => void
}

/** The table choices people made, by table id. */
export const useColumnStore = create<ColumnStore>((set) => ({
  tables: {},
  defaultHeight: 36,
  change: (tableId, part) =>
    set((state) => ({
      tables: {
        ...state.tables,
        [tableId]: { ...(state.tables[tableId] ?? noColumnState), ...part },
      },
    })),
  reset: (tableId) => set((state) => ({ tables: { ...state.tables, [tableId]: noColumnState } })),
  setDefaultHeight: (height) => set({ defaultHeight: height }),
}))

/** The choices for one table. */
export function useColumnState(tableId: string): ColumnState {
  return useColumnStore((state) => state.tables[tableId] ?? noColumnState)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const only = <T>(value: unknown, fits: (each: unknown) => each is T): Record<string, T> =>
  Object.fromEntries(
    isRecord(value)
      ? Object.entries(value).filter((entry): entry is [string, T] => fits(entry[1]))
      : [],
  )
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isWidth = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value)

/** Parses the saved choices of a table. Each part that no longer fits falls back to its default. */
export function parseColumnState(kept: string): ColumnState {
  let found: unknown
  try {
    found = JSON.parse(kept)
  } catch {
    return noColumnState
  }
  if (!isRecord(found)) return noColumnState
  const { visibility, order, sizing, rowHeight } = found
  return {
    visibility: only(visibility, isBoolean),
    sizing: only(sizing, isWidth),
    order: Array.isArray(order) ? order.filter((id) => typeof id === 'string') : [],
    rowHeight: rowHeight === 32 || rowHeight === 36 || rowHeight === 44 ? rowHeight : null,
  }
}
