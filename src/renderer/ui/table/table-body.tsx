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
import type { Column } from './columns.ts'
import styles from './data-table.module.css'
import { typedMs, usePainted } from '../use-painted.ts'
import type { DataTableProps } from './table-props.ts'
import { TableRow } from './table-row.tsx'
import { useRowWindow } from './use-row-window.ts'

export interface TableBodyHandle {
  /** Scrolls until a row is wholly seen. */
  scrollTo: (index: number) => void
  /** The first row that is seen. */
  firstSeen: () => number
}

type TakenOver<Row> = Pick<
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

interface TableBodyProps<Row> extends TakenOver<Row> {
  scroller: HTMLDivElement
  /** Begins the ids of rows. */
  id: string
  rowHeight: number
  columns: readonly Column<Row>[]
  roomOf: (column: Column<Row>) => number
  selectable: boolean
  current: number
}

/** Rows that are drawn above and below those in view, so that they are there when they come. */
const around = 8

/** Px of the table's head, which stays above the rows. */
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
  // Letters that follow each other would draw and leave the rows out of view with each.
  const isPainted = usePainted(props.list ?? null, typedMs)
  const { first, last, isScrolling, height, isTall, topOf, scrollTo, firstSeen } = useRowWindow({
    scroller,
    total,
    rowHeight,
    head: headHeight,
    around,
    onlySeen: props.list !== undefined && !isPainted,
  })
  useEffect(() => onRange?.(first, last), [onRange, first, last])
  useImperativeHandle(ref, () => ({ scrollTo, firstSeen }))

  const drawn = total > 0 && current >= first && current <= last
  useLayoutEffect(() => {
    if (drawn) scroller.setAttribute('aria-activedescendant', `${id}-${current}`)
    else scroller.removeAttribute('aria-activedescendant')
  }, [scroller, drawn, id, current])
  useFocusedRow(scroller, first, last)

  // Elements of rows that left serve those that come: to change them takes a fraction of making new
  // ones.
  const most = useRef(0)
  most.current = Math.max(most.current, last - first + 1)
  const placeOf = (index: number): number => index % most.current
  // They keep their places in the document while it scrolls, for each that moves is styled and laid
  // out from nothing; at rest they stand in their order.
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
 * The rows in view of a table, and what moves them. Scrolling draws these anew, and nothing else of
 * the table; what happens around them draws none of them.
 */
export const TableBody = memo(forwardRef(TableBodyInner)) as <Row>(
  props: TableBodyProps<Row> & { ref?: ForwardedRef<TableBodyHandle> },
) => ReactNode

/**
 * A button that has the focus must not come to belong to another row: when its row leaves, the
 * focus goes to the table.
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
