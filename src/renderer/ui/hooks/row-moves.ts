import { type RefObject, useRef } from 'react'
import { useShortcut } from './shortcuts.ts'

/**
 * Moves by J and K through the rows marked with `data-row`: to the first button of each. Returns the
 * ref of the table around them.
 */
export function useRowMoves<Table extends HTMLElement>(): RefObject<Table | null> {
  const table = useRef<Table>(null)
  const move = (by: 1 | -1): void => {
    const rows = [...(table.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const at = rows.findIndex((row) => row.contains(document.activeElement))
    const to = Math.max(0, Math.min(rows.length - 1, at === -1 ? 0 : at + by))
    rows[to]?.querySelector('button')?.focus()
  }
  useShortcut('J', () => move(1), { repeats: true })
  useShortcut('K', () => move(-1), { repeats: true })
  return table
}
