import {
  type ForwardedRef,
  forwardRef,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { cssVariable } from '../css-variable.ts'
import { isKeyOfDialog, lettersAllowed } from '../hooks/shortcuts.ts'
import { focusIfFree } from '../hooks/focus-if-free.ts'
import { useColumnState, useColumnStore } from './columns/column-store.ts'
import type { RowHeight } from './columns/columns.ts'
import styles from './data-table.module.css'
import { InsteadOfRows } from './instead-of-rows.tsx'
import { TableBody, type TableBodyHandle } from './table-body.tsx'
import { TableHead } from './table-head.tsx'
import { nextRow, skipGroupHeaders, type TableAction, tableAction } from './table-keys.ts'
import type { DataTableProps, TableHandle, TargetTable } from './table-props.ts'
import { useActiveRow } from './rows/active-row.ts'
import { useHeldRows } from './rows/use-held-rows.ts'
import { type Selection, useSelection } from './rows/use-selection.ts'
import { useVisibleColumns } from './columns/use-visible-columns.ts'

export type { TableHandle, TargetTable } from './table-props.ts'

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

const useRowHeight = (tableId: string, preset: RowHeight | undefined): RowHeight => {
  const own = useColumnState(tableId).rowHeight
  const standard = useColumnStore((store) => store.defaultHeight)
  return own ?? preset ?? standard
}

/** Gives a new table the focus; without rows, the first button that it shows instead, if any. */
function useAutoFocus<Row>(
  { autoFocus = false, loading = false, total }: DataTableProps<Row>,
  scroller: HTMLDivElement | null,
): void {
  const isLoaded = useRef(false)
  useEffect(() => {
    if (autoFocus) focusIfFree(scroller)
  }, [autoFocus, scroller])
  useEffect(() => {
    if (scroller === null || loading || isLoaded.current) return
    isLoaded.current = true
    if (!autoFocus || total > 0 || document.activeElement !== scroller) return
    const button = scroller.nextElementSibling?.querySelector('button')
    if (button == null) scroller.blur()
    else button.focus({ preventScroll: true })
  }, [autoFocus, loading, scroller, total])
}

/** Gives the table the focus on a navigation key while nothing else has it. */
function useFocusByKeys(scroller: HTMLDivElement | null): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (
        event.defaultPrevented ||
        event.target !== document.body ||
        isKeyOfDialog() ||
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
}

/** Opens rows. A row counts as open immediately, before the next render updates `openKey`. */
function useOpening<Row>({ openKey = null, rowKey, onOpen }: DataTableProps<Row>) {
  const opening = useRef<string | null>(null)
  useEffect(() => {
    opening.current = null
  }, [openKey])
  return {
    openRow: (row: Row, index: number): void => {
      opening.current = rowKey(row)
      onOpen?.(row, index)
    },
    isOpen: (row: Row): boolean => rowKey(row) === (opening.current ?? openKey),
  }
}

/** Opens the first row, or waits until the rows of the current list are loaded. */
function useOpenFirst<Row>(
  { stale = false, loading = false }: DataTableProps<Row>,
  open: () => void,
): () => void {
  const isWaiting = useRef(false)
  const isReady = !stale && !loading
  useEffect(() => {
    if (!isReady || !isWaiting.current) return
    isWaiting.current = false
    open()
  })
  return () => {
    if (isReady) open()
    else isWaiting.current = true
  }
}

/** Handles the table's own keys; other keys and keys in a row's controls pass through. */
function keyHandler<Row>(
  props: DataTableProps<Row>,
  {
    scroller,
    current,
    resumeAt,
    checks,
    goTo,
    showRow,
    openRow,
    isOpen,
    pageRows,
  }: {
    scroller: HTMLDivElement | null
    current: number
    resumeAt: number
    checks: Selection
    goTo: (index: number) => void
    /** Scrolls to the current row if it isn't visible, so that the person sees what a key does. */
    showRow: () => void
    openRow: (row: Row, index: number) => void
    isOpen: (row: Row) => boolean
    pageRows: number
  },
) {
  const { total, openKey = null, checked } = props
  /** Returns whether the key had an effect. */
  const perform = (action: TableAction): boolean => {
    const row = current >= 0 ? props.getRow(current) : undefined
    switch (action.kind) {
      case 'check':
        showRow()
        checks.toggle(current, action.range)
        return true
      case 'check-all':
        if (checked === undefined) return false
        if (checked.size === 0) checks.toggleAll()
        return true
      case 'open':
        if (row === undefined) return false
        if (isOpen(row) && props.onEdit !== undefined) {
          showRow()
          props.onEdit(row, current, null)
        } else openRow(row, current)
        return true
      case 'edit':
        if (row === undefined || props.onEdit === undefined) return false
        showRow()
        props.onEdit(row, current, action.typed)
        return true
      case 'back':
        if (openKey !== null && props.onClose !== undefined) props.onClose()
        else if (checked !== undefined && checked.size > 0) props.onCheck?.(new Set())
        else return false
        return true
      default:
        goTo(nextRow(action, current, total, pageRows, resumeAt))
        return true
    }
  }
  return (event: KeyboardEvent): void => {
    if (event.target !== scroller || event.defaultPrevented) return
    // A dialog that has just opened may not have the focus yet.
    if (isKeyOfDialog() && scroller?.closest('[role="dialog"]') === null) return
    const action = tableAction(event)
    const isLetter = /^[a-z]$/i.test(event.key) && !event.ctrlKey && !event.metaKey
    if (action === null || (isLetter && !lettersAllowed(event.key)) || !perform(action)) return
    event.preventDefault()
    event.stopPropagation()
  }
}

/** The row under a click; null beside rows and for controls that handle their own clicks. */
function clickedRow(
  event: MouseEvent,
  scroller: HTMLDivElement | null,
): { index: number; isCheckbox: boolean } | null {
  if (!(event.target instanceof Element) || scroller?.contains(event.target) !== true) return null
  if (event.target.closest('[data-own]') !== null) return null
  const index = event.target.closest('[data-index]')?.getAttribute('data-index')
  return index == null
    ? null
    : { index: Number(index), isCheckbox: event.target.closest('[data-check]') !== null }
}

function DataTableInner<Row>(given: DataTableProps<Row>, ref: ForwardedRef<TargetTable<Row>>) {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const props = { ...given, ...useHeldRows(scroller, given) }
  const { tableId, label, total, getRow, openKey = null, checked } = props
  const body = useRef<TableBodyHandle>(null)
  const id = useId()
  const selectable = checked !== undefined
  const rowHeight = useRowHeight(tableId, props.rowHeight)
  const { columns, chosen, widthOf, roomOf, template } = useVisibleColumns(
    props,
    scroller,
    selectable,
  )

  useAutoFocus(props, scroller)
  const { current, activate, resumeAt } = useActiveRow({
    total,
    openKey,
    keyAt: (index) => {
      const row = getRow(index)
      return row === undefined ? undefined : props.rowKey(row)
    },
    locate: props.locate,
    list: props.list ?? getRow,
    scrollTo: (index) => {
      body.current?.scrollTo(index)
      return body.current !== null
    },
    isVisible: (index) => body.current?.isVisible(index) === true,
  })

  const { openRow, isOpen } = useOpening(props)
  const isHead = (index: number): boolean => {
    const row = getRow(index)
    return row !== undefined && (props.wholeRow?.(row) ?? null) !== null
  }
  const goTo = (wanted: number): void => {
    const index = skipGroupHeaders(wanted, current, total, isHead)
    activate(index)
    body.current?.scrollTo(index)
    const row = getRow(index)
    if (openKey !== null && row !== undefined) openRow(row, index)
  }
  const openFirst = useOpenFirst(props, () => {
    const index = skipGroupHeaders(0, -1, total, isHead)
    const row = getRow(index)
    if (row === undefined) return
    activate(index)
    body.current?.scrollTo(index)
    scroller?.focus({ preventScroll: true })
    if (props.onOpen !== undefined) openRow(row, index)
  })
  useImperativeHandle(ref, () => ({
    focus: () => {
      scroller?.focus({ preventScroll: true })
      if (total > 0 && openKey === null)
        activate(skipGroupHeaders(Math.max(0, current), -1, total, isHead))
    },
    openFirst,
    goTo,
    current: () => current,
    target: () => {
      const row = current < 0 ? undefined : getRow(current)
      if (row === undefined) return undefined
      // A panel shows the open record, also when its row is scrolled away.
      if (props.rowKey(row) === openKey || body.current?.isVisible(current) === true) return row
      body.current?.scrollTo(current)
      return undefined
    },
  }))

  const checks = useSelection({
    total,
    getRow,
    rowKey: props.rowKey,
    checked,
    onCheck: props.onCheck,
    onCheckAll: props.onCheckAll,
  })

  const onKeyDown = keyHandler(props, {
    scroller,
    current,
    resumeAt,
    checks,
    goTo,
    showRow: () => {
      if (current >= 0) body.current?.scrollTo(current)
    },
    openRow,
    isOpen,
    pageRows: Math.floor((scroller?.clientHeight ?? 400) / rowHeight),
  })

  const onClick = (event: MouseEvent): void => {
    const clicked = clickedRow(event, scroller)
    if (clicked === null || isHead(clicked.index)) return
    const row = getRow(clicked.index)
    // While a record is open, its row stays the active one.
    if (!clicked.isCheckbox || openKey === null) activate(clicked.index)
    if (clicked.isCheckbox) {
      checks.toggle(clicked.index, event.shiftKey)
      scroller?.focus({ preventScroll: true })
    } else if (row !== undefined) openRow(row, clicked.index)
  }

  useFocusByKeys(scroller)

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
          if (event.target === scroller && current < 0 && openKey === null && total > 0)
            activate(skipGroupHeaders(body.current?.firstSeen() ?? 0, -1, total, isHead))
        }}
      >
        <TableHead
          columns={columns}
          widthOf={widthOf}
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
        <InsteadOfRows props={props} columns={columns} template={template} rowHeight={rowHeight} />
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
  props: DataTableProps<Row> & { ref?: ForwardedRef<TableHandle> | ForwardedRef<TargetTable<Row>> },
) => ReactNode
