import { useVirtualizer } from '@tanstack/react-virtual'
import { type ForwardedRef, forwardRef, type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { cssVariable } from '../css-variable.ts'
import { Delayed } from '../delayed.tsx'
import { useColumnState, useColumnStore } from './column-store.ts'
import { checkboxWidth, type Column, fittingColumns, gridTemplate, type RowHeight, type Sort } from './columns.ts'
import styles from './data-table.module.css'
import { nextRow, tableAction } from './table-keys.ts'
import { TableHead } from './table-head.tsx'
import { TableRow } from './table-row.tsx'
import { useColumns } from './use-columns.ts'

export interface DataTableProps<Row> {
  /** Under this id the choices of columns and row height are kept. */
  tableId: string
  /** The table's name for those who don't see it: "Offers". */
  label: string
  /** Keep them stable (module scope or useMemo). */
  columns: readonly Column<Row>[]
  /** All rows of the list, loaded or not. */
  total: number
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
  /** Checks every row of the list, loaded or not; without it the head's checkbox takes the loaded ones. */
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

function DataTableInner<Row>(props: DataTableProps<Row>, ref: ForwardedRef<TableHandle>) {
  const { tableId, label, total, getRow, rowKey, onRange, openKey = null, checked, onCheck, editing = null } = props
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const [current, setCurrent] = useState(-1)
  const [width, setWidth] = useState(0)
  const anchor = useRef(-1)
  const ownHeight = useColumnState(tableId).rowHeight
  const defaultHeight = useColumnStore((store) => store.defaultHeight)
  const rowHeight = ownHeight ?? props.rowHeight ?? defaultHeight
  const chosen = useColumns(tableId, props.columns)
  const selectable = checked !== undefined
  const columns = width === 0 ? chosen.columns : fittingColumns(chosen.columns, chosen.widthOf, width - (selectable ? checkboxWidth : 0) - 16)
  const template = gridTemplate(columns, chosen.widthOf, selectable)

  const virtualizer = useVirtualizer({ count: total, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 8, scrollPaddingStart: 32 })
  useLayoutEffect(() => virtualizer.measure(), [rowHeight, virtualizer])
  const items = virtualizer.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => onRange?.(first, last), [onRange, first, last])
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    setWidth(element.clientWidth)
    return () => observer.disconnect()
  }, [])
  useEffect(() => { if (props.autoFocus === true) scroller.current?.focus({ preventScroll: true }) }, [props.autoFocus])
  useEffect(() => { if (current >= total) setCurrent(total - 1) }, [current, total])

  const goTo = (index: number): void => {
    setCurrent(index)
    virtualizer.scrollToIndex(index, { align: 'auto' })
    const row = getRow(index)
    if (openKey !== null && row !== undefined) props.onOpen?.(row, index)
  }
  useImperativeHandle(ref, () => ({
    focus: () => { scroller.current?.focus({ preventScroll: true }); setCurrent((index) => Math.max(0, index)) },
    goTo,
    current: () => current,
  }))

  const toggle = (index: number, range: boolean): void => {
    if (checked === undefined || onCheck === undefined) return
    const row = getRow(index)
    if (row === undefined) return
    const next = new Set(checked)
    const on = !checked.has(rowKey(row))
    const from = range && anchor.current >= 0 ? anchor.current : index
    for (let at = Math.min(from, index); at <= Math.max(from, index); at += 1) {
      const each = getRow(at)
      if (each === undefined) continue
      if (on) next.add(rowKey(each))
      else next.delete(rowKey(each))
    }
    anchor.current = index
    onCheck(next)
  }
  const toggleAll = (): void => {
    if (checked === undefined || onCheck === undefined) return
    if (checked.size > 0) return onCheck(new Set())
    if (props.onCheckAll !== undefined) return props.onCheckAll()
    const next = new Set<string>()
    for (let index = 0; index < total; index += 1) {
      const row = getRow(index)
      if (row !== undefined) next.add(rowKey(row))
    }
    onCheck(next)
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== scroller.current || event.defaultPrevented) return
    const action = tableAction(event)
    if (action === null) return
    const row = current >= 0 ? getRow(current) : undefined
    switch (action.kind) {
      case 'check': toggle(current, action.range); break
      case 'check-all': if (!selectable) return; if (checked.size === 0) toggleAll(); break
      case 'open':
        if (row === undefined) return
        if (openKey === rowKey(row) && props.onEdit !== undefined) props.onEdit(row, current, null)
        else props.onOpen?.(row, current)
        break
      case 'edit': if (row === undefined || props.onEdit === undefined) return; props.onEdit(row, current, action.typed); break
      case 'back':
        if (openKey !== null && props.onClose !== undefined) props.onClose()
        else if (checked !== undefined && checked.size > 0) onCheck?.(new Set())
        else return
        break
      default: goTo(nextRow(action, current, total, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight)))
    }
    event.preventDefault()
    event.stopPropagation()
  }

  const onClick = (event: MouseEvent): void => {
    const target = event.target instanceof Element && scroller.current?.contains(event.target) === true ? event.target : null
    const place = target?.closest('[data-own]') == null ? target?.closest('[data-index]')?.getAttribute('data-index') : null
    if (place == null) return
    const index = Number(place)
    const row = getRow(index)
    setCurrent(index)
    if (target?.closest('[data-check]') != null) toggle(index, event.shiftKey)
    else if (row !== undefined) props.onOpen?.(row, index)
  }

  const headState = checked === undefined || checked.size === 0 ? 'none' : checked.size >= total ? 'all' : 'some'
  return (
    <div className={styles.table}>
      <div
        ref={scroller} className={styles.scroller} role="grid" tabIndex={0} aria-label={label} aria-rowcount={total + 1} aria-colcount={columns.length + (selectable ? 1 : 0)}
        aria-multiselectable={selectable} aria-busy={props.loading === true} aria-activedescendant={current >= first && current <= last && total > 0 ? `${id}-${current}` : undefined}
        style={cssVariable('--kd-columns', template)} onKeyDown={onKeyDown} onClick={onClick}
        onFocus={(event) => { if (event.target === scroller.current && current < 0 && total > 0) setCurrent(first) }}
      >
        <TableHead columns={columns} widthOf={chosen.widthOf} onResize={chosen.resize} sort={props.sort ?? null} onSort={props.onSort} selectable={selectable} checked={headState} onCheckAll={toggleAll} disabled={total === 0} />
        {total === 0 ? null : (
          <div className={styles.space} role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
            {items.map((item) => {
              const row = getRow(item.index)
              const key = row === undefined ? null : rowKey(row)
              const isEditing = editing !== null && editing.key === key
              return (
                <TableRow
                  key={item.key} id={`${id}-${item.index}`} index={item.index} top={item.start} height={rowHeight} columns={columns} row={row} selectable={selectable}
                  checked={key !== null && checked?.has(key) === true} open={key !== null && key === openKey} current={item.index === current}
                  editing={isEditing ? editing.columnId : null} typed={isEditing ? editing.typed : null}
                  muted={row !== undefined && props.isMuted?.(row) === true} tone={row === undefined ? undefined : props.toneOf?.(row)}
                  whole={row === undefined ? null : props.wholeRow?.(row) ?? null} name={label}
                />
              )
            })}
          </div>
        )}
      </div>
      {total === 0 ? <div className={styles.instead}>{props.loading === true ? <Delayed><SkeletonRows columns={columns.map((column) => column.align ?? 'start')} height={rowHeight} /></Delayed> : props.empty}</div> : null}
      {props.over}
    </div>
  )
}

/** Grey bars in the real layout; the columns' variable comes from the table. */
function SkeletonRows({ columns, height }: { columns: readonly ('start' | 'end')[]; height: number }) {
  return (
    <div className={styles.skeleton} aria-hidden>
      {Array.from({ length: 12 }, (_, line) => (
        <div key={line} style={{ height }}>{columns.map((align, index) => <i key={index} data-align={align} style={{ width: index === 0 ? 150 + ((line * 53) % 110) : 36 }} />)}</div>
      ))}
    </div>
  )
}

/**
 * A list of any length: rows of one height are drawn only where they are seen and asked for by index, so 100,000 of them scroll. The table
 * takes the focus as one; j k, arrows, Page, Home and End move, Enter opens, X checks, a digit edits, Esc goes back one level.
 */
export const DataTable = forwardRef(DataTableInner) as <Row>(props: DataTableProps<Row> & { ref?: ForwardedRef<TableHandle> }) => ReactNode
