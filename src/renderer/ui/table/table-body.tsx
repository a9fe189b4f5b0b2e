import {
  type ForwardedRef,
  forwardRef,
  memo,
  type ReactNode,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import type { Column } from './columns/columns.ts'
import styles from './data-table.module.css'
import { typingPauseMs, usePainted } from '../hooks/use-painted.ts'
import type { DataTableProps } from './table-props.ts'
import { TableRow } from './table-row.tsx'
import { useRowWindow } from './rows/use-row-window.ts'

export interface TableBodyHandle {
  /** Scrolls until a row is completely visible. */
  scrollTo: (index: number) => void
  /** The first visible row. */
  firstSeen: () => number
  /** Whether a row is at least partly visible. */
  isVisible: (index: number) => boolean
}

type SharedProps<Row> = Pick<
  DataTableProps<Row>,
  | 'total'
  | 'list'
  | 'getRow'
  | 'rowKey'
  | 'onRange'
  | 'openKey'
  | 'checked'
  | 'editing'
  | 'isMuted'
  | 'toneOf'
  | 'wholeRow'
>

interface TableBodyProps<Row> extends SharedProps<Row> {
  scroller: HTMLDivElement
  /** Prefix of the row ids. */
  id: string
  rowHeight: number
  columns: readonly Column<Row>[]
  roomOf: (column: Column<Row>) => number
  selectable: boolean
  current: number
}

/**
 * Number of rows rendered above and below the visible ones, so that they are ready when scrolled
 * into view.
 */
const around = 8

/** Height of the table's header in px, which stays above the rows. */
const headHeight = 32

function TableBodyInner<Row>(props: TableBodyProps<Row>, ref: ForwardedRef<TableBodyHandle>) {
  const {
    scroller,
    id,
    total,
    getRow,
    rowKey,
    rowHeight,
    columns,
    onRange,
    openKey = null,
    checked,
    editing = null,
    selectable,
    current,
  } = props
  // Otherwise fast typing would render and remove the rows outside the visible area with each
  // letter.
  const isPainted = usePainted(props.list ?? null, typingPauseMs)
  const { first, last, isScrolling, height, isTall, topOf, scrollTo, firstSeen, isVisible } =
    useRowWindow({
      scroller,
      total,
      rowHeight,
      head: headHeight,
      around,
      onlySeen: props.list !== undefined && !isPainted,
    })
  useEffect(() => onRange?.(first, last), [onRange, first, last])
  useImperativeHandle(ref, () => ({ scrollTo, firstSeen, isVisible }))

  const drawn = total > 0 && current >= first && current <= last
  useLayoutEffect(() => {
    if (drawn) scroller.setAttribute('aria-activedescendant', `${id}-${current}`)
    else scroller.removeAttribute('aria-activedescendant')
  }, [scroller, drawn, id, current])
  useFocusedRow(scroller, first, last)

  // Rows that come into view reuse the elements of rows that left, because updating elements takes
  // a fraction of the time of creating them.
  const most = useRef(0)
  most.current = Math.max(most.current, last - first + 1)
  const placeOf = (index: number): number => index % most.current
  // Elements keep their order in the document during a scroll, because moved elements are styled
  // and laid out from scratch. They are sorted when the scrolling stops.
  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  const drawnRows = isScrolling ? indexes.toSorted((a, b) => placeOf(a) - placeOf(b)) : indexes
  if (total === 0) return null
  return (
    <div
      className={styles.space}
      role="rowgroup"
      style={{ height, ...(isTall && { overflow: 'clip' }) }}
    >
      {drawnRows.map((index) => {
        const row = getRow(index)
        const key = row === undefined ? null : rowKey(row)
        const isEditing = editing !== null && editing.key === key
        return (
          <TableRow
            key={placeOf(index)}
            id={index === current ? `${id}-${index}` : undefined}
            rowKey={key}
            index={index}
            top={topOf(index)}
            height={rowHeight}
            columns={columns}
            roomOf={props.roomOf}
            row={row}
            selectable={selectable}
            checked={key !== null && checked?.has(key) === true}
            open={key !== null && key === openKey}
            current={index === current}
            editing={isEditing ? editing.columnId : null}
            typed={isEditing ? editing.typed : null}
            muted={row !== undefined && props.isMuted?.(row) === true}
            tone={row === undefined ? undefined : props.toneOf?.(row)}
            whole={row === undefined ? null : (props.wholeRow?.(row) ?? null)}
          />
        )
      })}
    </div>
  )
}

/**
 * The visible rows of a table and the scroll handling. Scrolling renders only this component, and
 * changes elsewhere in the table don't render it.
 */
export const TableBody = memo(forwardRef(TableBodyInner)) as <Row>(
  props: TableBodyProps<Row> & { ref?: ForwardedRef<TableBodyHandle> },
) => ReactNode

/**
 * A focused button must not end up in another row. When its row leaves, the focus moves to the
 * table.
 */
function useFocusedRow(scroller: HTMLDivElement, first: number, last: number): void {
  const at = useRef<number | null>(null)
  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      const index =
        target instanceof Element
          ? target.closest('[data-index]')?.getAttribute('data-index')
          : null
      at.current = index == null ? null : Number(index)
    }
    scroller.addEventListener('focusin', note)
    return () => scroller.removeEventListener('focusin', note)
  }, [scroller])
  useLayoutEffect(() => {
    if (at.current === null || (at.current >= first && at.current <= last)) return
    at.current = null
    const { activeElement } = document
    if (
      activeElement === document.body ||
      (activeElement !== scroller && scroller.contains(activeElement))
    )
      scroller.focus({ preventScroll: true })
  }, [scroller, first, last])
}
