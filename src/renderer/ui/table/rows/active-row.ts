import { useEffect, useRef, useState } from 'react'

/** Rows this far from the last known position are searched for a record that moved. */
const searchedRows = 400

/**
 * The index of the record nearest to `from`, or -1.
 *
 * @param keyAt The key of a row; undefined while the row isn't loaded.
 * @param most Rows this far from `from` are searched.
 */
export function nearestIndex(
  key: string,
  from: number,
  total: number,
  keyAt: (index: number) => string | undefined,
  most = searchedRows,
): number {
  const start = Math.min(Math.max(0, from), Math.max(0, total - 1))
  for (let distance = 0; distance <= Math.min(total, most); distance += 1)
    for (const index of [start + distance, start - distance])
      if (index >= 0 && index < total && keyAt(index) === key) return index
  return -1
}

interface Parts {
  total: number
  /** The key of a row; undefined while the row isn't loaded. */
  keyAt: (index: number) => string | undefined
  /** The record whose panel is open. */
  openKey: string | null
  /** The index of a record in the list, which may not be loaded; null if the list lacks it. */
  locate: ((key: string) => Promise<number | null>) | undefined
  /** Identifies the list: another one is searched again. */
  list: unknown
  /** Returns false while no rows are rendered yet. */
  scrollTo: (index: number) => boolean
  /** Whether a row is at least partly visible. */
  isVisible: (index: number) => boolean
}

export interface ActiveRow {
  /** The active row; -1 when there is none, so that no key can act on a record by accident. */
  current: number
  /** Makes a row the active one. */
  activate: (index: number) => void
  /** Where a move starts when there is no active row: before the row that took its place. */
  resumeAt: number
}

/**
 * The row that shortcuts act on. It belongs to a record, not to a place: it follows the record when
 * the list changes, and it is the open record when a panel is open. When the record isn't in the
 * list, no row is active.
 */
export function useActiveRow(parts: Parts): ActiveRow {
  const { total, keyAt, openKey, list } = parts
  const [active, setActive] = useState<{ index: number; key: string | null }>({
    index: -1,
    key: null,
  })
  const latest = useRef(parts)
  latest.current = parts
  /** The open record that was last scrolled to. */
  const shown = useRef<string | null>(null)
  const asked = useRef<{ openKey: string; list: unknown; total: number } | null>(null)
  const activeIndex = useRef(active.index)
  activeIndex.current = active.index

  const anchor = openKey ?? active.key
  const at = active.index
  const there = at >= 0 && at < total ? keyAt(at) : undefined
  const isThere = at >= 0 && at < total && (anchor === null || there === anchor)
  // A row that isn't loaded yet can't be acted on, and gets its record when it is loaded.
  const isUnread = at >= 0 && at < total && there === undefined && active.key === anchor
  // Without `locate`, only the loaded rows can be searched, and most such lists load all of them.
  const most = parts.locate === undefined ? total : searchedRows
  const current =
    isThere || isUnread ? at : anchor === null ? -1 : nearestIndex(anchor, at, total, keyAt, most)
  const key = (current < 0 ? undefined : keyAt(current)) ?? active.key

  useEffect(() => {
    const opened = openKey !== null && openKey !== shown.current
    if (openKey === null) shown.current = null
    // The row of the open record stays visible when the list changes, unless it was scrolled away.
    const show = (index: number): void => {
      const { isVisible, scrollTo } = latest.current
      const isShown = shown.current === openKey
      if (isShown && !isVisible(activeIndex.current)) return
      if (scrollTo(index)) shown.current = openKey
    }
    if (current >= 0) {
      // A row that was just activated waits for its record to open.
      const isSettled = opened || openKey === null || active.key === openKey
      if (isSettled && (current !== active.index || key !== active.key))
        setActive({ index: current, key })
      if (opened || (openKey !== null && active.key === openKey && current !== active.index))
        show(current)
      return
    }
    if (openKey === null || total === 0) return
    // A list that grows while it is synced can move the record far away.
    const before = asked.current
    if (before?.openKey === openKey && before.list === list && before.total === total) return
    const question = { openKey, list, total }
    asked.current = question
    void latest.current.locate?.(openKey).then((index) => {
      if (index === null || latest.current.openKey !== openKey || asked.current !== question) return
      // A row beyond the end of a list that still grows is shown when the list has it.
      if (index >= latest.current.total) return
      show(index)
      setActive({ index, key: openKey })
    })
  }, [active, current, key, list, openKey, total])

  return {
    current,
    activate: (index) => setActive({ index, key: keyAt(index) ?? null }),
    resumeAt: active.index,
  }
}
