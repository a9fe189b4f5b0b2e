import { Fragment, memo, type ReactNode } from 'react'
import { cx } from '../cx.ts'
import { type Column, surelyFits } from './columns/columns.ts'
import styles from './data-table.module.css'

export interface TableRowProps<Row> {
  /** Set only for the current row; no other row needs an id. */
  id: string | undefined
  /** Null while the row isn't loaded. */
  rowKey: string | null
  index: number
  top: number
  height: number
  columns: readonly Column<Row>[]
  /** Content width of a column's cell in px. */
  roomOf: (column: Column<Row>) => number
  row: Row | undefined
  selectable: boolean
  checked: boolean
  open: boolean
  current: boolean
  editing: string | null
  typed: string | null
  muted: boolean
  tone: 'warn' | 'bad' | undefined
  whole: ReactNode
}

const cellEnd = cx(styles.cell, styles.end)

function TableRowInner<Row>(props: TableRowProps<Row>) {
  const { id, index, top, height, columns, row, selectable, checked, open, current } = props
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selectable ? checked : open}
      data-current={current || undefined}
      data-tone={props.tone}
      className={cx(
        styles.row,
        checked && styles.checked,
        open && styles.open,
        props.muted && styles.muted,
        props.editing !== null && styles.editing,
      )}
      style={{ height, top }}
      data-index={index}
      data-record={props.rowKey ?? undefined}
    >
      {props.whole !== null ? (
        <div
          role="gridcell"
          aria-colspan={columns.length + (selectable ? 1 : 0)}
          className={styles.whole}
        >
          <Fragment key={props.rowKey}>{props.whole}</Fragment>
        </div>
      ) : (
        <>
          {selectable ? (
            <div role="gridcell" className={styles.box} data-check>
              {row === undefined ? (
                <i className={styles.grey} style={{ width: 15, height: 15 }} />
              ) : (
                <span
                  role="checkbox"
                  className={styles.check}
                  aria-label={`Select row ${index + 1}`}
                  aria-checked={checked}
                  tabIndex={-1}
                />
              )}
            </div>
          ) : null}
          {columns.map((column) => {
            const plain = column.align === 'end' ? cellEnd : styles.cell
            if (row === undefined)
              return (
                <div key={column.id} role="gridcell" className={plain}>
                  <i
                    className={styles.grey}
                    style={{ width: column.grow === true ? 140 + ((index * 53) % 90) : 36 }}
                  />
                </div>
              )
            const context = {
              index,
              open,
              checked,
              editing: props.editing === column.id,
              typed: props.typed,
              room: props.roomOf(column),
            }
            const look = column.cellClass?.(row, context)
            const shown = column.cell(row, context)
            return (
              <div
                key={column.id}
                role="gridcell"
                className={cx(
                  plain,
                  look,
                  typeof shown === 'string' &&
                    surelyFits(shown.length, context.room) &&
                    styles.free,
                )}
                title={column.title?.(row)}
              >
                {column.stateless === true ? (
                  shown
                ) : (
                  <Fragment key={props.rowKey}>{shown}</Fragment>
                )}
              </div>
            )
          })}
        </>
      )}
    </div>
  )
}

/** Renders a row only when its data has changed. */
export const TableRow = memo(TableRowInner, (before, after) => {
  const names = [
    'id',
    'rowKey',
    'index',
    'top',
    'height',
    'row',
    'roomOf',
    'selectable',
    'checked',
    'open',
    'current',
    'editing',
    'typed',
    'muted',
    'tone',
  ] as const
  return (
    names.every((name) => before[name] === after[name]) &&
    (before.columns === after.columns ||
      (before.columns.length === after.columns.length &&
        before.columns.every((column, at) => column === after.columns[at]))) &&
    before.whole === after.whole
  )
}) as typeof TableRowInner
