import { useEffect, useRef, useState } from 'react'
import type { DataTableProps } from '../table-props.ts'

type Rows<Row> = Pick<DataTableProps<Row>, 'total' | 'getRow' | 'onCheck'>

/**
 * The rows of a table, unchanged while the pointer is pressed on one of them. A list can be sorted
 * again between the press and the release, and the release must act on the record that was under
 * the pointer when the person pressed. `onCheck` is held too, because it checks only the rows of
 * its own list.
 *
 * @param scroller - The table's element, which contains its rows.
 * @param rows - The current rows.
 * @returns The rows of the moment of the press until its click was handled, otherwise `rows`.
 */
export function useHeldRows<Row>(scroller: HTMLElement | null, rows: Rows<Row>): Rows<Row> {
  const latest = useRef(rows)
  latest.current = rows
  const [held, setHeld] = useState<Rows<Row> | null>(null)
  useEffect(() => {
    if (scroller === null) return
    let releasing = 0
    const hold = ({ target }: PointerEvent): void => {
      if (!(target instanceof Element) || target.closest('[data-index]') === null) return
      window.clearTimeout(releasing)
      const { total, getRow, onCheck } = latest.current
      const drawn = new Map(
        [...scroller.querySelectorAll('[data-index]')].map((row) => {
          const index = Number(row.getAttribute('data-index'))
          return [index, getRow(index)] as const
        }),
      )
      setHeld({
        ...(onCheck !== undefined && { onCheck }),
        total,
        getRow: (index) => (drawn.has(index) ? drawn.get(index) : latest.current.getRow(index)),
      })
    }
    // The click follows in the same task.
    const release = (): void => {
      releasing = window.setTimeout(() => setHeld(null))
    }
    scroller.addEventListener('pointerdown', hold)
    window.addEventListener('pointerup', release)
    window.addEventListener('pointercancel', release)
    return () => {
      window.clearTimeout(releasing)
      scroller.removeEventListener('pointerdown', hold)
      window.removeEventListener('pointerup', release)
      window.removeEventListener('pointercancel', release)
    }
  }, [scroller])
  return held ?? rows
}
