import {
  type ForwardedRef,
  forwardRef,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { cssVariable } from '../css-variable.ts'
import { Delayed } from '../delayed.tsx'
import { isCovered, lettersAllowed } from '../shortcuts.ts'
import { takeFocus } from '../take-focus.ts'
import { useColumnState, useColumnStore } from './column-store.ts'
import { checkboxWidth, fittingColumns, gridTemplate, roomFor, tableSides } from './columns.ts'
import styles from './data-table.module.css'
import { SkeletonRows } from './skeleton-rows.tsx'
import { TableBody, type TableBodyHandle } from './table-body.tsx'
import { TableHead } from './table-head.tsx'
import { nextRow, pastHeads, tableAction } from './table-keys.ts'
import type { DataTableProps, TableHandle } from './table-props.ts'
import { useChecks } from './use-checks.ts'
import { useColumns } from './use-columns.ts'

export type { TableHandle } from './table-props.ts'

/** The values a row is rendered from. */
const rowsOf = <Row,>({
  total,
  list,
  getRow,
  rowKey,
  onRange,
  openKey,
  checked,
  editing,
  isMuted,
  toneOf,
  wholeRow,
}: DataTableProps<Row>) => ({
  total,
  getRow,
  rowKey,
  ...(list !== undefined && { list }),
  ...(onRange !== undefined && { onRange }),
  ...(openKey !== undefined && { openKey }),
  ...(checked !== undefined && { checked }),
  ...(editing !== undefined && { editing }),
  ...(isMuted !== undefined && { isMuted }),
  ...(toneOf !== undefined && { toneOf }),
  ...(wholeRow !== undefined && { wholeRow }),
})

function DataTableInner<Row>(props: DataTableProps<Row>, ref: ForwardedRef<TableHandle>) {
  const { tableId, label, total, getRow, rowKey, openKey = null, checked, onCheck } = props
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const body = useRef<TableBodyHandle>(null)
  const id = useId()
  const [current, setCurrent] = useState(-1)
  const [width, setWidth] = useState(0)
  const ownHeight = useColumnState(tableId).rowHeight
  const defaultHeight = useColumnStore((store) => store.defaultHeight)
  const rowHeight = ownHeight ?? props.rowHeight ?? defaultHeight
  const chosen = useColumns(tableId, props.columns)
  const selectable = checked !== undefined
  const available = width - (selectable ? checkboxWidth : 0) - tableSides
  const columns = useMemo(
    () =>
      width === 0 ? chosen.columns : fittingColumns(chosen.columns, chosen.widthOf, available),
    [chosen, width, available],
  )
  const roomOf = useMemo(
    () => roomFor(columns, chosen.widthOf, available),
    [columns, chosen, available],
  )
  const template = gridTemplate(columns, chosen.widthOf, selectable)

  useEffect(() => {
    if (scroller === null) return
    const observer = new ResizeObserver(() => setWidth(scroller.clientWidth))
    observer.observe(scroller)
    setWidth(scroller.clientWidth)
    return () => observer.disconnect()
  }, [scroller])
  useEffect(() => {
    if (props.autoFocus === true) takeFocus(scroller)
  }, [props.autoFocus, scroller])
  useEffect(() => {
    if (current >= total) setCurrent(total - 1)
  }, [current, total])

  const isHead = (index: number): boolean => {
    const row = getRow(index)
    return row !== undefined && (props.wholeRow?.(row) ?? null) !== null
  }
  const goTo = (wanted: number): void => {
    const index = pastHeads(wanted, current, total, isHead)
    setCurrent(index)
    body.current?.scrollTo(index)
    const row = getRow(index)
    if (openKey !== null && row !== undefined) props.onOpen?.(row, index)
  }
  useImperativeHandle(ref, () => ({
    focus: () => {
      scroller?.focus({ preventScroll: true })
      setCurrent((index) => pastHeads(Math.max(0, index), -1, total, isHead))
    },
    goTo,
    current: () => current,
  }))

  const checks = useChecks({
    total,
    getRow,
    rowKey,
    checked,
    onCheck,
    onCheckAll: props.onCheckAll,
  })

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== scroller || event.defaultPrevented) return
    const action = tableAction(event)
    if (
      action === null ||
      (/^[a-z]$/i.test(event.key) && !lettersAllowed(event.key) && !event.ctrlKey && !event.metaKey)
    )
      return
    const row = current >= 0 ? getRow(current) : undefined
    switch (action.kind) {
      case 'check':
        checks.toggle(current, action.range)
        break
      case 'check-all':
        if (!selectable) return
        if (checked.size === 0) checks.toggleAll()
        break
      case 'open':
        if (row === undefined) return
        if (openKey === rowKey(row) && props.onEdit !== undefined) props.onEdit(row, current, null)
        else props.onOpen?.(row, current)
        break
      case 'edit':
        if (row === undefined || props.onEdit === undefined) return
        props.onEdit(row, current, action.typed)
        break
      case 'back':
        if (openKey !== null && props.onClose !== undefined) props.onClose()
        else if (checked !== undefined && checked.size > 0) onCheck?.(new Set())
        else return
        break
      default:
        goTo(
          nextRow(action, current, total, Math.floor((scroller?.clientHeight ?? 400) / rowHeight)),
        )
    }
    event.preventDefault()
    event.stopPropagation()
  }

  const onClick = (event: MouseEvent): void => {
    const target =
      event.target instanceof Element && scroller?.contains(event.target) === true
        ? event.target
        : null
    const place =
      target?.closest('[data-own]') == null
        ? target?.closest('[data-index]')?.getAttribute('data-index')
        : null
    if (place == null) return
    const index = Number(place)
    const row = getRow(index)
    if (isHead(index)) return
    setCurrent(index)
    if (target?.closest('[data-check]') != null) {
      checks.toggle(index, event.shiftKey)
      scroller?.focus({ preventScroll: true })
    } else if (row !== undefined) props.onOpen?.(row, index)
  }

  useEffect(() => {
    // While nothing has the focus, the table handles the navigation keys.
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (
        event.defaultPrevented ||
        event.target !== document.body ||
        isCovered() ||
        !lettersAllowed(event.key)
      )
        return
      if (tableAction(event)?.kind !== 'move') return
      event.preventDefault()
      scroller?.focus({ preventScroll: true })
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [scroller])

  return (
    <div className={styles.table}>
      <div
        ref={setScroller}
        className={styles.scroller}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={total + 1}
        aria-colcount={columns.length + (selectable ? 1 : 0)}
        aria-multiselectable={selectable}
        aria-busy={props.loading === true || props.stale === true}
        style={cssVariable('--kd-columns', template)}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onFocus={(event) => {
          if (event.target === scroller && current < 0 && total > 0)
            setCurrent(pastHeads(body.current?.firstSeen() ?? 0, -1, total, isHead))
        }}
      >
        <TableHead
          columns={columns}
          widthOf={chosen.widthOf}
          onResize={chosen.resize}
          sort={props.sort ?? null}
          onSort={props.onSort}
          selectable={selectable}
          checked={checks.state}
          onCheckAll={checks.toggleAll}
          disabled={total === 0}
        />
        {scroller === null ? null : (
          <TableBody
            {...rowsOf(props)}
            ref={body}
            scroller={scroller}
            id={id}
            rowHeight={rowHeight}
            columns={columns}
            roomOf={roomOf}
            selectable={selectable}
            current={current}
          />
        )}
      </div>
      {total === 0 ? (
        <div className={styles.instead}>
          {props.loading === true ? (
            <Delayed>
              <SkeletonRows
                columns={columns.map((column) => column.align ?? 'start')}
                height={rowHeight}
              />
            </Delayed>
          ) : (
            props.empty
          )}
        </div>
      ) : null}
      {props.over}
    </div>
  )
}

/**
 * A list of any length. All rows have the same height, and only visible rows are rendered and
 * requested by index, so a list of 100,000 rows scrolls smoothly. The table is one focus stop: j k,
 * arrows, Page, Home and End move, Enter opens, X selects, a digit edits, Esc goes back one level.
 */
export const DataTable = forwardRef(DataTableInner) as <Row>(
  props: DataTableProps<Row> & { ref?: ForwardedRef<TableHandle> },
) => ReactNode
