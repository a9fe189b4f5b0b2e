import type { ReactNode } from 'react'
import type { SearchedList } from '../controls/fields/search-field.tsx'
import type { Column, RowHeight, Sort } from './columns/columns.ts'

export interface DataTableProps<Row> {
  /** Columns and row height are saved under this id. */
  tableId: string
  /** The table's accessible name: "Offers". */
  label: string
  /** Keep them stable (module scope or useMemo). */
  columns: readonly Column<Row>[]
  /** Number of rows in the list, loaded or not. */
  total: number
  /**
   * Identifies the list, for lists that change with each typed letter: its visible rows are
   * rendered first, and the surrounding rows after these are painted.
   */
  list?: string
  /** The row at an index; undefined while it isn't loaded (a gray line appears). */
  getRow: (index: number) => Row | undefined
  rowKey: (row: Row) => string
  /** Reports the visible range, so that the page loads its windows. */
  onRange?: (first: number, last: number) => void
  sort?: Sort | null
  onSort?: (sort: Sort) => void
  /** Key of the row whose panel is open. */
  openKey?: string | null
  /**
   * The index of a record in the list, or null if the list doesn't contain it. Called when the open
   * record isn't among the loaded rows, so that its row can be shown.
   */
  locate?: (key: string) => Promise<number | null>
  /** Called on Enter, on click, and on moving while a row is open. */
  onOpen?: (row: Row, index: number) => void
  /** Called on Esc while a row is open. */
  onClose?: () => void
  /** Adds a checkbox column. */
  checked?: ReadonlySet<string>
  onCheck?: (checked: ReadonlySet<string>) => void
  /**
   * Selects every row of the list, loaded or not. Without it, the header's checkbox selects the
   * loaded rows.
   */
  onCheckAll?: () => void
  /** The row and column being edited; its cell gets `editing: true`. */
  editing?: { key: string; columnId: string; typed: string | null } | null
  /** Called when a digit, or Enter on the open row, starts an edit. */
  onEdit?: (row: Row, index: number, typed: string | null) => void
  /** Gray text for paused or inactive rows. */
  isMuted?: (row: Row) => boolean
  /** Amber or red tint for a row that needs a decision. */
  toneOf?: (row: Row) => 'warn' | 'bad' | undefined
  /** A row of one full-width line, such as a group header. Return null for ordinary rows. */
  wholeRow?: (row: Row) => ReactNode
  rowHeight?: RowHeight
  loading?: boolean
  /** The rows still belong to the previous list while the next one loads. */
  stale?: boolean
  /** Shown instead of rows when the list is empty: an EmptyState or a sentence. */
  empty?: ReactNode
  /** Covers the footer: a BulkBar. */
  over?: ReactNode
  autoFocus?: boolean
}

export interface TableHandle extends SearchedList {
  /** Makes a row the current one and scrolls to it. */
  goTo: (index: number) => void
  /** The active row; -1 when there is none. With an open record, it is the record's row. */
  current: () => number
}

/** A table whose active row is the target of shortcuts. */
export interface TargetTable<Row> extends TableHandle {
  /**
   * The active row, for a shortcut that changes its record. Undefined when no row is active, while
   * it isn't loaded, and when it is outside the visible area: the table then scrolls to it, so that
   * the person sees it before the next press.
   */
  target: () => Row | undefined
}
