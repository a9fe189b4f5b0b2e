import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  maxHeight,
  offsetFor,
  type ScrollPosition,
  scrollPositionAt,
  visibleRows,
  afterScroll,
  type Sizes,
} from './row-window.ts'

/**
 * A list is at rest after this time without movement, which is longer than the pause between two
 * turns of a wheel.
 */
const restAfterMs = 400

type Options = {
  scroller: HTMLElement
  total: number
  rowHeight: number
  /** Px at the top of the scroller that the rows can't use. */ head: number
  /** Number of rows rendered above and below the visible ones. */ around: number
  /** Render no extra rows yet while the list isn't scrolling. */ onlySeen: boolean
}

/**
 * The visible rows of a list of any length with rows of one height. The list follows its scroller
 * px by px. For a list that is taller than a browser can lay out, the element moves to match the
 * scroll bar when the list comes to rest, without moving the visible rows.
 */
export function useRowWindow({ scroller, total, rowHeight, head, around, onlySeen }: Options) {
  const [view, setView] = useState(() => Math.max(0, scroller.clientHeight - head))
  const sizes: Sizes = { length: total * rowHeight, view }
  const [place, setPlace] = useState<ScrollPosition>(() =>
    scrollPositionAt(scroller.scrollTop, sizes),
  )
  const [isScrolling, setScrolling] = useState(false)
  const latest = useRef({ place, sizes })
  latest.current = { place, sizes }

  const goTo = useCallback(
    (next: ScrollPosition): void => {
      latest.current.place = next
      setPlace(next)
      if (Math.abs(scroller.scrollTop - next.scrollTop) >= 1) scroller.scrollTop = next.scrollTop
    },
    [scroller],
  )

  useEffect(() => {
    let resting = 0
    const rest = (): void => {
      flushSync(() => {
        setScrolling(false)
        goTo(scrollPositionAt(latest.current.place.offset, latest.current.sizes))
      })
    }
    const onScroll = (): void => {
      const { place: before, sizes: now } = latest.current
      if (Math.abs(scroller.scrollTop - before.scrollTop) < 1) return
      window.clearTimeout(resting)
      resting = window.setTimeout(rest, restAfterMs)
      // Synchronously: otherwise the browser paints the scrolled area before React has rendered the
      // new rows.
      flushSync(() => {
        setScrolling(true)
        goTo(afterScroll(before, scroller.scrollTop, now))
      })
    }
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      window.clearTimeout(resting)
      scroller.removeEventListener('scroll', onScroll)
    }
  }, [scroller, goTo])
  useEffect(() => {
    const observer = new ResizeObserver(() => setView(Math.max(0, scroller.clientHeight - head)))
    observer.observe(scroller)
    return () => observer.disconnect()
  }, [scroller, head])
  // The list became shorter, or its rows became lower.
  useLayoutEffect(() => {
    const next = scrollPositionAt(latest.current.place.offset, { length: total * rowHeight, view })
    if (
      next.offset === latest.current.place.offset &&
      next.scrollTop === latest.current.place.scrollTop
    )
      return
    goTo(next)
  }, [goTo, total, rowHeight, view])

  const offset = Math.min(place.offset, Math.max(0, sizes.length - view))
  return {
    ...visibleRows(offset, rowHeight, total, view, onlySeen && !isScrolling ? 0 : around),
    isScrolling,
    /** Height in px of the element that contains the rows. */
    height: Math.min(sizes.length, maxHeight),
    /** Whether rows outside the visible area can be positioned beyond that element. */
    isTall: sizes.length > maxHeight,
    /** The position of a row in that element, in px. */
    topOf: (index: number): number => index * rowHeight - (place.offset - place.scrollTop),
    /** Scrolls until a row is completely visible. */
    scrollTo: (index: number): void =>
      goTo(
        scrollPositionAt(
          offsetFor(index, rowHeight, latest.current.place, latest.current.sizes),
          latest.current.sizes,
        ),
      ),
    /** The first visible row. */
    firstSeen: (): number => Math.floor(latest.current.place.offset / rowHeight),
    /** Whether a row is at least partly visible. */
    isVisible: (index: number): boolean => {
      const { place, sizes } = latest.current
      const { first, last } = visibleRows(place.offset, rowHeight, total, sizes.view, 0)
      return index >= first && index <= last
    },
  }
}
