import { createContext, type ReactNode, useContext, useMemo } from 'react'

/** The columns that a table shows, for content in place of its rows. */
interface ShownColumns {
  /** Whether a column of checkboxes comes first. */
  selectable: boolean
  columns: readonly { id: string; grow?: boolean; align?: 'start' | 'end' }[]
}

const Context = createContext<ShownColumns | null>(null)

/** Gives the content of an empty table the columns of the table. */
export function ShownColumnsProvider({
  columns,
  selectable,
  children,
}: ShownColumns & { children: ReactNode }) {
  const shown = useMemo(() => ({ columns, selectable }), [columns, selectable])
  return <Context.Provider value={shown}>{children}</Context.Provider>
}

/** The columns of the table around; null outside a table. */
export const useShownColumns = (): ShownColumns | null => useContext(Context)
