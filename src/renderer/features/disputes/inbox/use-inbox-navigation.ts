import { type RefObject, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { DisputeRow } from '../../../../contract/disputes/dispute-records.ts'
import { rowKey } from './row-key.ts'

/** Rows this far from the cursor are searched for the open dispute. */
const SEARCHED = 400

export interface InboxRows {
  total: number
  getRow: (index: number) => DisputeRow | undefined
  isLoaded: boolean
}

/** The row to keep visible. */
export interface Cursor {
  index: number
  /** The list moved the row, so that it stays visible only if it was visible before. */
  isMoved: boolean
}

/** Opens disputes and moves through the list, also while rows are still loading. */
export function useInboxNavigation({
  rows: { total, getRow, isLoaded },
  asked,
  openKey,
  onAccount,
  followsFocus,
  locate,
}: {
  rows: InboxRows
  /** Identifies the list; a new one forgets pending moves. */
  asked: unknown
  /** The open dispute. */
  openKey: string | null
  onAccount: (accountId: string) => void
  /** Set by a move: the row of the dispute that it opens takes the focus. */
  followsFocus: RefObject<boolean>
  /** The index of the open dispute, which may not be loaded; null if the list lacks it. */
  locate: () => Promise<number | null>
}) {
  const [, go] = useLocation()
  const [cursor, setCursor] = useState<Cursor>({ index: 0, isMoved: false })
  const setIndex = (index: number): void => setCursor({ index, isMoved: false })
  /** The open dispute whose row was found. */
  const found = useRef<string | null>(null)
  /** The dispute to open after one that was acted on, whose place in the list may have changed. */
  const following = useRef<{ of: string; next: DisputeRow | undefined } | null>(null)
  /** The row that shortcuts pressed while the list was loading lead to. */
  const wanted = useRef<number | null>(null)

  const indexOf = (key: string | null): number => {
    for (let distance = 0; distance < Math.min(total, SEARCHED); distance++) {
      for (const index of [cursor.index + distance, cursor.index - distance]) {
        const row = index < 0 ? undefined : getRow(index)
        if (row !== undefined && rowKey(row) === key) return index
      }
    }
    return -1
  }
  const here = indexOf(openKey)
  useEffect(() => {
    if (openKey === null) found.current = null
    if (here < 0) return
    const isSame = found.current === openKey
    found.current = openKey
    setCursor((before) =>
      isSame && before.index === here ? before : { index: here, isMoved: isSame },
    )
  }, [here, openKey])
  const isOutside = isLoaded && openKey !== null && here < 0
  useEffect(() => {
    if (!isOutside) return
    let isLatest = true
    void locate().then((index) => {
      if (isLatest && index !== null) setCursor({ index, isMoved: found.current === openKey })
    })
    return () => {
      isLatest = false
    }
  }, [isOutside, openKey, locate, total])
  const after = (): DisputeRow | undefined =>
    here >= 0 && here + 1 < total ? getRow(here + 1) : undefined

  const open = (row: DisputeRow | undefined, index?: number): void => {
    if (row === undefined) return
    following.current = null
    wanted.current = null
    if (index !== undefined) setIndex(index)
    onAccount(row.accountId)
    go(`/disputes/${encodeURIComponent(row.disputeId)}`, { replace: openKey !== null })
  }
  const openAtItsPlace = (row: DisputeRow): void => open(row, indexOf(rowKey(row)))
  const target = (by: 1 | -1): number => {
    if (wanted.current !== null) return wanted.current + by
    return here >= 0 ? here + by : openKey === null ? 0 : cursor.index
  }
  const goTo = (index: number): void => {
    const row = isLoaded ? getRow(index) : undefined
    if (row !== undefined) return open(row, index)
    // Not loaded yet: open it once it is.
    wanted.current = index
    if (total > 0) setIndex(index)
  }
  const move = (by: 1 | -1): void => {
    followsFocus.current = true
    const follows = following.current
    if (by === 1 && follows !== null && follows.of === openKey && follows.next !== undefined)
      return open(follows.next)
    const index = Math.max(0, isLoaded ? Math.min(total - 1, target(by)) : target(by))
    goTo(index)
  }
  useEffect(() => {
    if (wanted.current === null || !isLoaded) return
    const index = Math.min(total - 1, wanted.current)
    const row = getRow(index)
    if (row !== undefined) open(row, index)
    else if (total === 0) wanted.current = null
  })
  useEffect(
    () => () => {
      wanted.current = null
    },
    [asked],
  )
  return {
    cursor,
    /** The row that shortcuts act on: the open dispute's, or else the one at the cursor. */
    target: openKey === null ? cursor.index : here,
    isOpen: openKey !== null,
    open,
    openAtItsPlace,
    /** Opens a dispute, whose row takes the focus. */
    follow(row: DisputeRow): void {
      followsFocus.current = true
      openAtItsPlace(row)
    },
    move,
    /** Opens the first dispute of the list. */
    openFirst(): void {
      followsFocus.current = true
      goTo(0)
    },
    /** Records the next dispute before this one moves in the list. */
    acted(): void {
      if (openKey !== null) following.current = { of: openKey, next: after() }
    },
    /** The dispute to open when this one leaves the list: the next one, or else the one before. */
    nextOrPrevious: (): DisputeRow | undefined =>
      here >= 0 && here + 1 < total ? getRow(here + 1) : here > 0 ? getRow(here - 1) : undefined,
  }
}
