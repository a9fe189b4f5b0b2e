import type { ReactNode } from 'react'

export type RowHeight = 32 | 36 | 44

/** One column of a {@link DataTable}. */
export interface Column<Row> {
  id: string
  header: string
  /** Width in px before anyone changed it; `grow` lets it take what is left. */
  width: number
  minWidth?: number
  grow?: boolean
  align?: 'start' | 'end'
  sortable?: boolean
  /** False: can't be hidden in the column menu (name, price, lead, stock). */
  hideable?: boolean
  /** Hidden until someone shows it in the column menu. */
  hidden?: boolean
  /** Order in which columns leave when the table is too narrow, 1 first; absent: never. */
  leaves?: number
  /**
   * Its cell keeps nothing of a row (no menu that is open, no key that is shown), so its elements
   * may serve the next row while the table scrolls.
   */
  stateless?: boolean
  /**
   * What a copy of the table says instead of the cell; needed where the cell is more than text.
   * Amounts by `plainAmount`, moments by `isoMoment`.
   */
  text?: (row: Row) => string | number
  /**
   * A class for the cell itself. What is one line of text needs no element of its own then, which
   * is what a row costs while the table scrolls.
   */
  look?: (row: Row, context: CellContext) => string | undefined
  /** What the cell says when it is pointed at. */
  title?: (row: Row) => string | undefined
  /**
   * The cell. `editing` is true for the cell of the edited row whose id is the table's
   * `editing.columnId`.
   */
  cell: (row: Row, context: CellContext) => ReactNode
}

export interface CellContext {
  index: number
  open: boolean
  checked: boolean
  editing: boolean
  typed: string | null
  /** Px that the cell has for what it shows. */
  room: number
}

export interface Sort {
  column: string
  direction: 'asc' | 'desc'
}

/** What a person chose for one table: kept per table id while Keydesk runs. */
export interface ColumnState {
  visibility: Record<string, boolean>
  order: string[]
  sizing: Record<string, number>
  rowHeight: RowHeight | null
}

export const noColumnState: ColumnState = { visibility: {}, order: [], sizing: {}, rowHeight: null }

/**
 * The columns that fit: those chosen, less those that must leave (lowest `leaves` first) until the
 * widths fit into `available` px.
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
        sum + (column.grow === true ? (column.minWidth ?? column.width) : widthOf(column)),
      0,
    )
  while (need() > available) {
    const next = kept
      .filter((column) => column.leaves !== undefined)
      .sort((a, b) => (a.leaves ?? 0) - (b.leaves ?? 0))[0]
    if (next === undefined) break
    kept.splice(kept.indexOf(next), 1)
  }
  return kept
}

/** Px that a cell keeps free at its sides, both together. */
const cellSides = 20

/** Px that a table keeps free at its sides, both together. */
export const tableSides = 16

/**
 * How many px a cell of each column has for what it shows; `available` is what all columns share.
 */
export function roomFor<Row>(
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
      : widthOf(column)) - cellSides
}

/**
 * Whether letters or figures surely find room, beside a mark too. To be sure without measuring
 * spares a row the clips of its cells, which cost each frame of a fast scroll.
 */
export const surelyFits = (letters: number, room: number): boolean => letters * 9 + 18 <= room

/** Px that the checkbox column takes. */
export const checkboxWidth = 29

/** The grid template of a row: fixed widths, and one `grow` column that takes the rest. */
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
