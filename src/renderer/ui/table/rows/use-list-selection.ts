import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { t } from '../../../../contract/localization/localized.ts'
import { closeToast, toast } from '../../feedback/toasts.tsx'
import { latestRead } from './latest-read.ts'

/** From this number on, selecting the rows again is work, so their loss is reported. */
const REPORTED_FROM = 3
const CLEARED_TOAST = 'selection-cleared'

/** A list whose rows can be selected. */
export interface SelectableList {
  /** Identifies the list: its account, view and filter, but not its order. */
  list: string
  /** The drawn rows still belong to the previous list, or to this one in its previous order. */
  stale: boolean
  /** Shows this list again, with its view and filter. */
  showList: () => void
}

/**
 * The selection of a list. Another list starts without a selection, so that no action applies to
 * rows that aren't listed, and ignores a **Select all** of the previous one. A toast then leads
 * back to the previous list and its selection, until something else is selected. `select` applies
 * only to the list of the rows that are drawn: it changes with that list and does nothing in another
 * one. The other functions never change.
 *
 * @param none The empty selection; always the same object.
 */
export function useListSelection<Selected extends { readonly size: number }>(
  { list, stale, showList }: SelectableList,
  none: Selected,
) {
  const [selected, show] = useState(none)
  const [reads] = useState(latestRead<Selected>)
  const now = useRef(none)
  /** The list that a person goes back to, and its selection. */
  const wanted = useRef<{ list: string; selected: Selected } | null>(null)
  const set = useCallback(
    (next: Selected): void => {
      reads.drop()
      now.current = next
      show(next)
    },
    [reads],
  )
  /** Replaces the selection for a person, who could lose it by going back to an earlier one. */
  const replace = useCallback(
    (next: Selected): void => {
      wanted.current = null
      if (next.size > 0) closeToast(CLEARED_TOAST)
      set(next)
    },
    [set],
  )
  const clear = useCallback((): void => replace(none), [replace, none])
  /** Keeps only a part of the selection. Rows that are being read are still selected. */
  const keep = useCallback((part: (selected: Selected) => Selected): void => {
    now.current = part(now.current)
    show(now.current)
  }, [])
  const shown = useRef({ list, showList })
  /** Whether this list is shown now, for an action that began in it. */
  const isShown = useCallback((some: string): boolean => shown.current.list === some, [])
  const drawn = useRef(list)
  if (!stale) drawn.current = list
  const drawnList = drawn.current
  /**
   * Selects drawn rows, or none.
   *
   * @returns Whether it did: not if another list is shown than the one that the rows belong to.
   */
  const select = useCallback(
    (next: Selected): boolean => {
      if (next.size > 0 && !isShown(drawnList)) return false
      replace(next)
      return true
    },
    [replace, isShown, drawnList],
  )
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = { list, showList }
    if (before.list === list) return
    const lost = now.current
    if (wanted.current?.list === list) return replace(wanted.current.selected)
    set(none)
    if (lost.size < REPORTED_FROM) return
    toast({
      id: CLEARED_TOAST,
      kind: 'behind',
      title: t('screens.selection-cleared', { count: lost.size }),
      text: 'Changing the filter or search clears the selection.',
      action: {
        label: 'Back to selection',
        run: () => {
          if (shown.current.list === before.list) return replace(lost)
          wanted.current = { list: before.list, selected: lost }
          before.showList()
        },
      },
    })
  })
  // Without its page, the list can't be shown again.
  useEffect(() => () => closeToast(CLEARED_TOAST), [])
  /**
   * Selects the rows that are read, unless the list or the selection changes before they arrive.
   * Rejects if reading fails.
   *
   * @returns Whether it was selected.
   */
  const selectRead = useCallback(
    async (read: Promise<Selected>): Promise<boolean> => {
      wanted.current = null
      const found = await reads.take(read)
      if (found === null) return false
      replace(found)
      return true
    },
    [reads, replace],
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
  return { selected, select, clear, keep, selectRead, whenSelected, isShown }
}
