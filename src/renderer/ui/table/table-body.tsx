import { useVirtualizer } from '@tanstack/react-virtual'
import { type ForwardedRef, forwardRef, memo, type ReactNode, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import type { Column } from './columns.ts'
import styles from './data-table.module.css'
import { usePainted } from '../use-painted.ts'
import type { DataTableProps } from './table-props.ts'
import { TableRow } from './table-row.tsx'

export interface TableBodyHandle {
  /** Scrolls until a row is wholly seen. */
  scrollTo: (index: number) => void
  /** The first row that is seen. */
  firstSeen: () => number
}

type TakenOver<Row> = Pick<DataTableProps<Row>, 'total' | 'list' | 'getRow' | 'rowKey' | 'onRange' | 'openKey' | 'checked' | 'editing' | 'isMuted' | 'toneOf' | 'wholeRow'>

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

/** A table rests when nothing moved it for so long: longer than from one turn of a wheel to the next, because rows are put in order then. */
const restAfterMs = 400

function TableBodyInner<Row>(props: TableBodyProps<Row>, ref: ForwardedRef<TableBodyHandle>) {
  const { scroller, id, total, getRow, rowKey, rowHeight, columns, onRange, openKey = null, checked, editing = null, selectable, current } = props
  const isPainted = usePainted(props.list ?? null)
  const virtualizer = useVirtualizer({
    count: total, getScrollElement: () => scroller, estimateSize: () => rowHeight, overscan: props.list === undefined || isPainted ? around : 0, scrollPaddingStart: 32, isScrollingResetDelay: restAfterMs,
  })
  useLayoutEffect(() => virtualizer.measure(), [rowHeight, virtualizer])
  const items = virtualizer.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => onRange?.(first, last), [onRange, first, last])
  useImperativeHandle(ref, () => ({ scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }), firstSeen: () => virtualizer.range?.startIndex ?? first }))

  const drawn = total > 0 && current >= first && current <= last
  useLayoutEffect(() => {
    if (drawn) scroller.setAttribute('aria-activedescendant', `${id}-${current}`)
    else scroller.removeAttribute('aria-activedescendant')
  }, [scroller, drawn, id, current])
  useFocusedRow(scroller, first, last)

  // Elements of rows that left serve those that come: to change them takes a fraction of making new ones.
  const most = useRef(0)
  most.current = Math.max(most.current, items.length)
  const placeOf = (index: number): number => index % most.current
  // They keep their places in the document while it scrolls, for each that moves is styled and laid out from nothing; at rest they stand in their order.
  const drawnItems = virtualizer.isScrolling ? items.toSorted((a, b) => placeOf(a.index) - placeOf(b.index)) : items
  if (total === 0) return null
  return (
    <div className={styles.space} role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
      {drawnItems.map(({ index, start }) => {
        const row = getRow(index)
        const key = row === undefined ? null : rowKey(row)
        const isEditing = editing !== null && editing.key === key
        return (
          <TableRow
            key={placeOf(index)} id={index === current ? `${id}-${index}` : undefined} rowKey={key} index={index} top={start} height={rowHeight} columns={columns} roomOf={props.roomOf} row={row} selectable={selectable}
            checked={key !== null && checked?.has(key) === true} open={key !== null && key === openKey} current={index === current}
            editing={isEditing ? editing.columnId : null} typed={isEditing ? editing.typed : null}
            muted={row !== undefined && props.isMuted?.(row) === true} tone={row === undefined ? undefined : props.toneOf?.(row)}
            whole={row === undefined ? null : props.wholeRow?.(row) ?? null}
          />
        )
      })}
    </div>
  )
}

/** The rows in view of a table, and what moves them. Scrolling draws these anew, and nothing else of the table; what happens around them draws none of them. */
export const TableBody = memo(forwardRef(TableBodyInner)) as <Row>(props: TableBodyProps<Row> & { ref?: ForwardedRef<TableBodyHandle> }) => ReactNode

/** A button that has the focus must not come to belong to another row: when its row leaves, the focus goes to the table. */
function useFocusedRow(scroller: HTMLDivElement, first: number, last: number): void {
  const at = useRef<number | null>(null)
  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      const index = target instanceof Element ? target.closest('[data-index]')?.getAttribute('data-index') : null
      at.current = index == null ? null : Number(index)
    }
    scroller.addEventListener('focusin', note)
    return () => scroller.removeEventListener('focusin', note)
  }, [scroller])
  useLayoutEffect(() => {
    if (at.current === null || (at.current >= first && at.current <= last)) return
    at.current = null
    const { activeElement } = document
    if (activeElement === document.body || (activeElement !== scroller && scroller.contains(activeElement))) scroller.focus({ preventScroll: true })
  }, [scroller, first, last])
}
