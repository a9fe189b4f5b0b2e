import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { latestRead } from './latest-read.ts'

/**
 * What is selected in a list. Another list starts without a selection, and ignores a **Select all**
 * of the previous one. The functions never change.
 *
 * @param list Identifies the list: its account, view and filter.
 * @param none The empty selection; always the same object.
 */
export function useListSelection<Selected extends { readonly size: number }>(
  list: string,
  none: Selected,
) {
  const [selected, show] = useState(none)
  const [reads] = useState(latestRead<Selected>)
  const now = useRef(none)
  const set = useCallback((next: Selected): void => {
    now.current = next
    show(next)
  }, [])
  const select = useCallback(
    (next: Selected): void => {
      reads.drop()
      set(next)
    },
    [reads, set],
  )
  const clear = useCallback((): void => select(none), [select, none])
  useLayoutEffect(clear, [clear, list])
  /**
   * Selects what is read, unless the list or the selection changes before it arrives. Rejects if
   * reading fails.
   */
  const selectRead = useCallback(
    async (read: Promise<Selected>): Promise<void> => {
      const found = await reads.take(read)
      if (found !== null) set(found)
    },
    [reads, set],
  )
  /**
   * Runs an action if anything is selected, or once the selection that is being read has arrived.
   *
   * @returns Whether something is selected or being read.
   */
  const whenSelected = useCallback(
    (run: (selected: Selected) => void): boolean => {
      const isReading = reads.whenRead((found) => {
        if (found.size > 0) run(found)
      })
      if (isReading) return true
      if (now.current.size === 0) return false
      run(now.current)
      return true
    },
    [reads],
  )
  return { selected, select, clear, selectRead, whenSelected }
}
