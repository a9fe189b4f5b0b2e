import { useCallback, useLayoutEffect, useRef } from 'react'

interface Parts<Row> {
  total: number
  getRow: (index: number) => Row | undefined
  rowKey: (row: Row) => string
  checked: ReadonlySet<string> | undefined
  onCheck: ((checked: ReadonlySet<string>) => void) | undefined
  onCheckAll: (() => void) | undefined
}

export interface Selection {
  /** Selects or deselects a row; with `range` all rows from the previously selected one. */
  toggle: (index: number, range: boolean) => void
  /** Selects all rows, or none when some are selected. */
  toggleAll: () => void
  state: 'none' | 'some' | 'all'
}

/** Handlers of a table's checkboxes. The functions never change. */
export function useSelection<Row>(parts: Parts<Row>): Selection {
  const { total, checked } = parts
  const now = useRef(parts)
  useLayoutEffect(() => {
    now.current = parts
  })
  const anchor = useRef({ index: -1, key: '' })
  const toggle = useCallback((index: number, range: boolean): void => {
    const { getRow, rowKey, checked, onCheck } = now.current
    const row = getRow(index)
    if (checked === undefined || onCheck === undefined || row === undefined) return
    const next = new Set(checked)
    const on = !checked.has(rowKey(row))
    // In another list or order, another row is at the anchor.
    const first = getRow(anchor.current.index)
    const isAnchored = first !== undefined && rowKey(first) === anchor.current.key
    const from = range && isAnchored ? anchor.current.index : index
    for (let at = Math.min(from, index); at <= Math.max(from, index); at += 1) {
      const each = getRow(at)
      if (each === undefined) continue
      if (on) next.add(rowKey(each))
      else next.delete(rowKey(each))
    }
    anchor.current = { index, key: rowKey(row) }
    onCheck(next)
  }, [])
  const toggleAll = useCallback((): void => {
    const { total, getRow, rowKey, checked, onCheck, onCheckAll } = now.current
    if (checked === undefined || onCheck === undefined) return
    if (checked.size > 0) return onCheck(new Set())
    if (onCheckAll !== undefined) return onCheckAll()
    const rows = Array.from({ length: total }, (_, index) => getRow(index)).filter(
      (row) => row !== undefined,
    )
    onCheck(new Set(rows.map(rowKey)))
  }, [])
  return {
    toggle,
    toggleAll,
    state:
      checked === undefined || checked.size === 0 ? 'none' : checked.size >= total ? 'all' : 'some',
  }
}
