import type { ReactNode } from 'react'

export type RowHeight = 32 | 36 | 44

/** The names of the row heights, for a segmented control. */
export const rowHeights: readonly { value: string; label: string }[] = [
  { value: '32', label: 'Compact' },
  { value: '36', label: 'Standard' },
  { value: '44', label: 'Roomy' },
]
/** The row height of a control's value. */
export const rowHeightOf = (value: string): RowHeight =>
  value === '32' ? 32 : value === '44' ? 44 : 36

/** The width of a column with moments: "28 Nov 2025, 14:57", of another year, is complete. */
export const momentWidth = 148

/** One column of a {@link DataTable}. */
export interface Column<Row> {
  id: string
  header: string
  /** Default width in px; `grow` lets the column take the remaining width. */
  width: number
  minWidth?: number
  /** A `grow` column this narrow hides other columns; without it, `minWidth` decides. */
  wantedWidth?: number
  grow?: boolean
  align?: 'start' | 'end'
  sortable?: boolean
  /** False: can't be hidden in the column menu (name, price, lead, stock). */
  hideable?: boolean
  /** Hidden until someone shows it in the column menu. */
  hidden?: boolean
  /** The order in which columns are hidden when the table is too narrow, 1 first; absent: never. */
  hideOrder?: number
  /**
   * The cell has no state of its row (no open menu, no revealed key), so the next row can reuse its
   * elements while the table scrolls.
   */
  stateless?: boolean
  /**
   * The text used when the table is copied; needed where the cell isn't plain text. Format amounts
   * with `plainAmount` and moments with `isoMoment`.
   */
  text?: (row: Row) => string | number
  /**
   * A class for the cell itself. A cell with one line of text then needs no extra element, which
   * saves time while the table scrolls.
   */
  cellClass?: (row: Row, context: CellContext) => string | undefined
  /** The tooltip of the cell. */
  title?: (row: Row) => string | undefined
  /**
   * The cell. `editing` is true for the cell of the edited row whose id is the table's
   * `editing.columnId`.
   */
  cell: (row: Row, context: CellContext) => ReactNode
}

/** The widths of columns, in px. */
export interface Widths<Row> {
  widthOf: (column: Column<Row>) => number
  /** Whether a person has chosen the width. */
  isSized: (column: Column<Row>) => boolean
}

export interface CellContext {
  index: number
  open: boolean
  checked: boolean
  editing: boolean
  typed: string | null
  /** Width in px available for the cell's content. */
  room: number
}

export interface Sort {
  column: string
  direction: 'asc' | 'desc'
}

/** A person's choices for one table, by table id. */
export interface ColumnState {
  visibility: Record<string, boolean>
  order: string[]
  sizing: Record<string, number>
  rowHeight: RowHeight | null
}

export const noColumnState: ColumnState = { visibility: {}, order: [], sizing: {}, rowHeight: null }

/**
 * The columns that fit: the chosen ones without those that must be hidden (lowest `hideOrder` first)
 * so that the widths fit into `available` px.
 */
export function fittingColumns<Row>(
  columns: readonly Column<Row>[],
  widthOf: (column: Column<Row>) => number,
  available: number,
): Column<Row>[] {
  const kept = [...columns]
  const need = (): number =>
    kept.reduce(
      (sum, column) =>
        sum +
        (column.grow === true
          ? (column.wantedWidth ?? column.minWidth ?? column.width)
          : widthOf(column)),
      0,
    )
  while (need() > available) {
    const next = kept
      .filter((column) => column.hideOrder !== undefined)
      .sort((a, b) => (a.hideOrder ?? 0) - (b.hideOrder ?? 0))[0]
    if (next === undefined) break
    kept.splice(kept.indexOf(next), 1)
  }
  return kept
}

/** Beyond this width in px, a growing column shares the remaining width with the others. */
const GENEROUS_WIDTH = 520

/**
 * The widths in a window so wide that a growing column alone would push the others far away from its
 * text: all columns then grow in proportion, except those whose width a person has chosen.
 *
 * @param available px that all columns share
 */
export function spreadWidths<Row>(
  columns: readonly Column<Row>[],
  { widthOf, isSized }: Widths<Row>,
  available: number,
): (column: Column<Row>) => number {
  const sum = (some: readonly Column<Row>[]): number =>
    some.reduce((total, column) => total + widthOf(column), 0)
  const growing = columns.filter(({ grow }) => grow === true)
  const others = columns.filter(({ grow }) => grow !== true)
  const chosen = sum(others.filter(isSized))
  const flexible = sum(others) - chosen
  const generous = growing.length * GENEROUS_WIDTH
  const factor = growing.length === 0 ? 1 : (available - chosen) / (generous + flexible)
  return (column) =>
    factor <= 1 || column.grow === true || isSized(column)
      ? widthOf(column)
      : Math.floor(widthOf(column) * factor)
}

/** Horizontal padding of a cell in px, both sides together. */
const cellPadding = 20

/** Horizontal padding of a table in px, both sides together. */
export const tablePadding = 16

/**
 * The content width of each column's cells in px; `available` is the width that all columns share.
 */
export function contentWidths<Row>(
  columns: readonly Column<Row>[],
  widthOf: (column: Column<Row>) => number,
  available: number,
): (column: Column<Row>) => number {
  const growing = columns.filter((column) => column.grow === true).length
  const rest =
    available -
    columns.reduce((sum, column) => sum + (column.grow === true ? 0 : widthOf(column)), 0)
  return (column) =>
    (column.grow === true
      ? Math.max(column.minWidth ?? column.width, Math.floor(rest / growing))
      : widthOf(column)) - cellPadding
}

/**
 * Whether text surely fits, even next to a mark. Knowing that without measuring avoids clipping the
 * cells, which would cost time on each frame of a fast scroll.
 */
export const surelyFits = (letters: number, room: number): boolean => letters * 9 + 18 <= room

/** Width of the checkbox column in px. */
export const checkboxWidth = 29

/**
 * The grid template of a row: fixed widths, and one `grow` column that takes the remaining width.
 */
export function gridTemplate<Row>(
  columns: readonly Column<Row>[],
  widthOf: (column: Column<Row>) => number,
  checkbox: boolean,
): string {
  const tracks = columns.map((column) =>
    column.grow === true
      ? `minmax(${column.minWidth ?? column.width}px, 1fr)`
      : `${widthOf(column)}px`,
  )
  return [...(checkbox ? [`${checkboxWidth}px`] : []), ...tracks].join(' ')
}
