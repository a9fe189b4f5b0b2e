import type { ReactNode } from 'react'
import type { Column, RowHeight, Sort } from './columns.ts'

export interface DataTableProps<Row> {
  /** Under this id the choices of columns and row height are kept. */
  tableId: string
  /** The table's name for those who don't see it: "Offers". */
  label: string
  /** Keep them stable (module scope or useMemo). */
  columns: readonly Column<Row>[]
  /** All rows of the list, loaded or not. */
  total: number
  /**
   * Names the list that the rows are of, where another one comes with each letter that is typed:
   * its rows in view are drawn first, and those around them when these are painted.
   */
  list?: string
  /** The row at an index; undefined while it is not loaded (a grey line is drawn). */
  getRow: (index: number) => Row | undefined
  rowKey: (row: Row) => string
  /** Tells which rows are in view, so that the page loads their windows. */
  onRange?: (first: number, last: number) => void
  sort?: Sort | null
  onSort?: (sort: Sort) => void
  /** Key of the row whose panel is open. */
  openKey?: string | null
  /** Enter, click, and moving while a row is open. */
  onOpen?: (row: Row, index: number) => void
  /** Esc while a row is open. */
  onClose?: () => void
  /** With it there is a checkbox column. */
  checked?: ReadonlySet<string>
  onCheck?: (checked: ReadonlySet<string>) => void
  /**
   * Checks every row of the list, loaded or not; without it the head's checkbox takes the loaded
   * ones.
   */
  onCheckAll?: () => void
  /** The row and column being edited; its cell gets `editing: true`. */
  editing?: { key: string; columnId: string; typed: string | null } | null
  /** A digit, or Enter on the open row, wants to edit. */
  onEdit?: (row: Row, index: number, typed: string | null) => void
  /** Grey text for what is paused or not active. */
  isMuted?: (row: Row) => boolean
  /** Amber or red tint of a row that wants a decision. */
  toneOf?: (row: Row) => 'warn' | 'bad' | undefined
  /** A row as one line to the full width, such as a group's head. Gives null for ordinary rows. */
  wholeRow?: (row: Row) => ReactNode
  rowHeight?: RowHeight
  loading?: boolean
  /** The rows are still those of the list before, while another's are read. */
  stale?: boolean
  /** Shown in place of rows when the list is empty: an EmptyState or a sentence. */
  empty?: ReactNode
  /** Lies over the foot: a BulkBar. */
  over?: ReactNode
  autoFocus?: boolean
}

export interface TableHandle {
  focus: () => void
  /** Makes a row the current one and scrolls to it. */
  goTo: (index: number) => void
  current: () => number
}
