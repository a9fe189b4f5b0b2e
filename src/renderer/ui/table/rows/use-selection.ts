import { useCallback, useLayoutEffect, useRef } from 'react'
import { toast } from '../../feedback/toasts.tsx'
import { findRow } from './find-row.ts'

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

const partOfRange = {
  id: 'part-of-range',
  kind: 'behind',
  title: 'Part of the range was skipped',
  text: 'Some of its rows aren’t loaded. Scroll through them, then try again.',
} as const

function keyAt<Row>({ getRow, rowKey }: Parts<Row>, index: number): string | undefined {
  const row = getRow(index)
  return row === undefined ? undefined : rowKey(row)
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
    const { total, getRow, rowKey, checked, onCheck } = now.current
    const row = getRow(index)
    if (checked === undefined || onCheck === undefined || row === undefined) return
    const next = new Set(checked)
    const on = !checked.has(rowKey(row))
    const { index: near, key } = anchor.current
    // Another list starts without a selection, so that there is none to extend.
    const isExtended = range && checked.size > 0
    const from = isExtended ? findRow(near, total, (at) => keyAt(now.current, at) === key) : -1
    const first = from < 0 ? index : from
    let isPart = isExtended && from < 0 && near >= 0 && near < total && getRow(near) === undefined
    for (let at = Math.min(first, index); at <= Math.max(first, index); at += 1) {
      const each = getRow(at)
      if (each === undefined) isPart = true
      else if (on) next.add(rowKey(each))
      else next.delete(rowKey(each))
    }
    anchor.current = { index, key: rowKey(row) }
    onCheck(next)
    if (isPart) toast(partOfRange)
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
