import { Checkbox } from '@mantine/core'
import { memo, type PointerEvent } from 'react'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { cx } from '../cx.ts'
import type { Column, Sort } from './columns/columns.ts'
import styles from './data-table.module.css'

export interface TableHeadProps<Row> {
  columns: readonly Column<Row>[]
  widthOf: (column: Column<Row>) => number
  onResize: (column: Column<Row>, width: number) => void
  sort: Sort | null
  onSort: ((sort: Sort) => void) | undefined
  selectable: boolean
  checked: 'none' | 'some' | 'all'
  onCheckAll: () => void
  disabled: boolean
}

function TableHeadInner<Row>({
  columns,
  widthOf,
  onResize,
  sort,
  onSort,
  selectable,
  checked,
  onCheckAll,
  disabled,
}: TableHeadProps<Row>) {
  return (
    <div className={styles.head} role="rowgroup">
      <div className={styles.headRow} role="row" aria-rowindex={1}>
        {selectable ? (
          <div role="columnheader" className={styles.box}>
            <Checkbox
              aria-label="Select all"
              tabIndex={-1}
              checked={checked === 'all'}
              indeterminate={checked === 'some'}
              onChange={onCheckAll}
              disabled={disabled}
            />
          </div>
        ) : null}
        {columns.map((column) => {
          const sorted = sort?.column === column.id ? sort.direction : null
          const sortable = column.sortable === true && onSort !== undefined
          const content = (
            <>
              {column.header}
              {sorted === null ? null : sorted === 'asc' ? (
                <IconChevronUp size={13} stroke={2} aria-hidden />
              ) : (
                <IconChevronDown size={13} stroke={2} aria-hidden />
              )}
            </>
          )
          return (
            <div
              key={column.id}
              role="columnheader"
              className={cx(
                styles.th,
                column.align === 'end' && styles.end,
                sorted !== null && styles.sorted,
              )}
              aria-sort={
                sorted === null ? undefined : sorted === 'asc' ? 'ascending' : 'descending'
              }
            >
              {sortable ? (
                <button
                  type="button"
                  tabIndex={-1}
                  onClick={() =>
                    onSort({
                      column: column.id,
                      direction:
                        sorted === 'asc'
                          ? 'desc'
                          : sorted === 'desc'
                            ? 'asc'
                            : column.align === 'end'
                              ? 'desc'
                              : 'asc',
                    })
                  }
                >
                  {content}
                </button>
              ) : (
                <span>{content}</span>
              )}
              {column.grow === true ? null : (
                <i
                  className={cx(styles.grip, column.align === 'end' && styles.gripStart)}
                  aria-hidden
                  onPointerDown={(event) =>
                    follow(event, widthOf(column), column.align === 'end', (width) =>
                      onResize(column, width),
                    )
                  }
                />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** The 32 px header. Only the sorted column shows an arrow; dragging its edges changes widths. */
export const TableHead = memo(TableHeadInner) as typeof TableHeadInner

/** Follows the pointer from the grip. Right-aligned columns resize at their left edge. */
function follow(
  event: PointerEvent<HTMLElement>,
  size: number,
  fromStart: boolean,
  onWidth: (width: number) => void,
): void {
  event.preventDefault()
  const grip = event.currentTarget
  const begin = event.clientX
  const done = new AbortController()
  grip.setPointerCapture(event.pointerId)
  grip.addEventListener(
    'pointermove',
    (next) =>
      onWidth(
        size + ((next instanceof MouseEvent ? next.clientX : begin) - begin) * (fromStart ? -1 : 1),
      ),
    { signal: done.signal },
  )
  for (const end of ['pointerup', 'pointercancel'] as const)
    grip.addEventListener(end, () => done.abort(), { signal: done.signal })
}
