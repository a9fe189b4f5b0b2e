import { useVirtualizer } from '@tanstack/react-virtual'
import { type ForwardedRef, forwardRef, type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { cssVariable } from '../css-variable.ts'
import { Delayed } from '../delayed.tsx'
import { isCovered, lettersAllowed } from '../shortcuts.ts'
import { useColumnState, useColumnStore } from './column-store.ts'
import { checkboxWidth, fittingColumns, gridTemplate } from './columns.ts'
import styles from './data-table.module.css'
import { SkeletonRows } from './skeleton-rows.tsx'
import { TableHead } from './table-head.tsx'
import { nextRow, pastHeads, tableAction } from './table-keys.ts'
import type { DataTableProps, TableHandle } from './table-props.ts'
import { TableRow } from './table-row.tsx'
import { useChecks } from './use-checks.ts'
import { useColumns } from './use-columns.ts'

export type { TableHandle } from './table-props.ts'

function DataTableInner<Row>(props: DataTableProps<Row>, ref: ForwardedRef<TableHandle>) {
  const { tableId, label, total, getRow, rowKey, onRange, openKey = null, checked, onCheck, editing = null } = props
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const [current, setCurrent] = useState(-1)
  const [width, setWidth] = useState(0)
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

  const isHead = (index: number): boolean => {
    const row = getRow(index)
    return row !== undefined && (props.wholeRow?.(row) ?? null) !== null
  }
  const goTo = (wanted: number): void => {
    const index = pastHeads(wanted, current, total, isHead)
    setCurrent(index)
    virtualizer.scrollToIndex(index, { align: 'auto' })
    const row = getRow(index)
    if (openKey !== null && row !== undefined) props.onOpen?.(row, index)
  }
  useImperativeHandle(ref, () => ({
    focus: () => { scroller.current?.focus({ preventScroll: true }); setCurrent((index) => pastHeads(Math.max(0, index), -1, total, isHead)) },
    goTo,
    current: () => current,
  }))

  const checks = useChecks({ total, getRow, rowKey, checked, onCheck, onCheckAll: props.onCheckAll })

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== scroller.current || event.defaultPrevented) return
    const action = tableAction(event)
    if (action === null || (/^[a-z]$/i.test(event.key) && !lettersAllowed(event.key) && !event.ctrlKey && !event.metaKey)) return
    const row = current >= 0 ? getRow(current) : undefined
    switch (action.kind) {
      case 'check': checks.toggle(current, action.range); break
      case 'check-all': if (!selectable) return; if (checked.size === 0) checks.toggleAll(); break
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
    if (isHead(index)) return
    setCurrent(index)
    if (target?.closest('[data-check]') != null) checks.toggle(index, event.shiftKey)
    else if (row !== undefined) props.onOpen?.(row, index)
  }

  useEffect(() => {
    // Where nothing has the focus, the keys that move belong to the table.
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.defaultPrevented || event.target !== document.body || isCovered() || !lettersAllowed(event.key)) return
      if (tableAction(event)?.kind !== 'move') return
      event.preventDefault()
      scroller.current?.focus({ preventScroll: true })
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

  return (
    <div className={styles.table}>
      <div
        ref={scroller} className={styles.scroller} role="grid" tabIndex={0} aria-label={label} aria-rowcount={total + 1} aria-colcount={columns.length + (selectable ? 1 : 0)}
        aria-multiselectable={selectable} aria-busy={props.loading === true || props.stale === true} aria-activedescendant={current >= first && current <= last && total > 0 ? `${id}-${current}` : undefined}
        style={cssVariable('--kd-columns', template)} onKeyDown={onKeyDown} onClick={onClick}
        onFocus={(event) => { if (event.target === scroller.current && current < 0 && total > 0) setCurrent(pastHeads(virtualizer.range?.startIndex ?? first, -1, total, isHead)) }}
      >
        <TableHead columns={columns} widthOf={chosen.widthOf} onResize={chosen.resize} sort={props.sort ?? null} onSort={props.onSort} selectable={selectable} checked={checks.state} onCheckAll={checks.toggleAll} disabled={total === 0} />
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
                  whole={row === undefined ? null : props.wholeRow?.(row) ?? null}
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

/**
 * A list of any length: rows of one height are drawn only where they are seen and asked for by index, so 100,000 of them scroll. The table
 * takes the focus as one; j k, arrows, Page, Home and End move, Enter opens, X checks, a digit edits, Esc goes back one level.
 */
export const DataTable = forwardRef(DataTableInner) as <Row>(props: DataTableProps<Row> & { ref?: ForwardedRef<TableHandle> }) => ReactNode
