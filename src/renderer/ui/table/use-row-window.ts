import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  mostHeight,
  offsetFor,
  type Place,
  placeOf,
  rowsAt,
  scrolled,
  type Sizes,
} from './row-window.ts'

/**
 * A list rests when nothing moved it for so long: longer than from one turn of a wheel to the next.
 */
const restAfterMs = 400

type Options = {
  scroller: HTMLElement
  total: number
  rowHeight: number
  /** Px at the top of the scroller that the rows don't have. */ head: number
  /** Rows that are drawn above and below those in view. */ around: number
  /** None of them yet, while nothing scrolls. */ onlySeen: boolean
}

/**
 * Which rows of one height are in view, of any number of them. The list is moved with its scroller,
 * px by px; a list that is taller than a browser can place is kept where its scroll bar says when
 * it comes to rest, and what is seen of it doesn't move then.
 */
export function useRowWindow({ scroller, total, rowHeight, head, around, onlySeen }: Options) {
  const [view, setView] = useState(() => Math.max(0, scroller.clientHeight - head))
  const sizes: Sizes = { length: total * rowHeight, view }
  const [place, setPlace] = useState<Place>(() => placeOf(scroller.scrollTop, sizes))
  const [isScrolling, setScrolling] = useState(false)
  const latest = useRef({ place, sizes })
  latest.current = { place, sizes }

  const goTo = useCallback(
    (next: Place): void => {
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
        goTo(placeOf(latest.current.place.offset, latest.current.sizes))
      })
    }
    const onScroll = (): void => {
      const { place: before, sizes: now } = latest.current
      if (Math.abs(scroller.scrollTop - before.scrollTop) < 1) return
      window.clearTimeout(resting)
      resting = window.setTimeout(rest, restAfterMs)
      // At once: what is scrolled is painted before React would draw the rows that come.
      flushSync(() => {
        setScrolling(true)
        goTo(scrolled(before, scroller.scrollTop, now))
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
  // A list that became shorter, or rows that became lower.
  useLayoutEffect(() => {
    const next = placeOf(latest.current.place.offset, { length: total * rowHeight, view })
    if (
      next.offset === latest.current.place.offset &&
      next.scrollTop === latest.current.place.scrollTop
    )
      return
    goTo(next)
  }, [goTo, total, rowHeight, view])

  const offset = Math.min(place.offset, Math.max(0, sizes.length - view))
  return {
    ...rowsAt(offset, rowHeight, total, view, onlySeen && !isScrolling ? 0 : around),
    isScrolling,
    /** Px of the element that holds the rows. */
    height: Math.min(sizes.length, mostHeight),
    /** Whether rows out of view may stand beyond that element. */
    isTall: sizes.length > mostHeight,
    /** Where a row stands in that element, in px. */
    topOf: (index: number): number => index * rowHeight - (place.offset - place.scrollTop),
    /** Scrolls until a row is wholly seen. */
    scrollTo: (index: number): void =>
      goTo(
        placeOf(
          offsetFor(index, rowHeight, latest.current.place, latest.current.sizes),
          latest.current.sizes,
        ),
      ),
    /** The first row that is seen. */
    firstSeen: (): number => Math.floor(latest.current.place.offset / rowHeight),
  }
}
