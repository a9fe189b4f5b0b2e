import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  maxHeight,
  offsetFor,
  type ScrollPosition,
  scrollPositionAt,
  visibleRows,
  afterScroll,
} from './row-window.ts'

const rowHeight = 36
const sizes = fc
  .record({
    rows: fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 200_000, max: 2_000_000 })),
    view: fc.integer({ min: 40, max: 2000 }),
  })
  .map(({ rows, view }) => ({ rows, length: rows * rowHeight, view }))

test("equals the element's scroll position for lists that browsers can lay out", () => {
  const short = { length: 100_000 * rowHeight, view: 700 }
  expect(afterScroll({ offset: 10, scrollTop: 10 }, 3_000_000, short)).toEqual({
    offset: 3_000_000,
    scrollTop: 3_000_000,
  })
  expect(scrollPositionAt(5000, short)).toEqual({ offset: 5000, scrollTop: 5000 })
})

test('reaches the last of a million rows with the scroll bar and with a wheel', () => {
  const million = { length: 1_000_000 * rowHeight, view: 700 }
  const end = maxHeight - million.view
  const byBar = afterScroll({ offset: 0, scrollTop: 0 }, end, million)
  expect(visibleRows(byBar.offset, rowHeight, 1_000_000, million.view, 0)).toEqual({
    first: 999_980,
    last: 999_999,
  })
  let place = afterScroll({ offset: 0, scrollTop: 0 }, end - 500, million)
  const seen = new Set<number>()
  for (let turn = 0; turn < 100 && seen.size < 1_000_000; turn++) {
    place = afterScroll(place, Math.min(end, place.scrollTop + 100), million)
    seen.add(visibleRows(place.offset, rowHeight, 1_000_000, million.view, 0).last)
  }
  expect(Math.max(...seen)).toBe(999_999)
})

test('moves rows by exactly the wheel distance, at any position and at both ends', () => {
  fc.assert(
    fc.property(
      sizes,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.array(fc.integer({ min: -3000, max: 3000 }), { maxLength: 40 }),
      ({ length, view }, share, turns) => {
        const size = { length, view }
        const most = Math.max(0, length - view)
        const mostScroll = Math.max(0, Math.min(length, maxHeight) - view)
        let place: ScrollPosition = scrollPositionAt(Math.floor(share * most), size)
        for (const turn of turns) {
          const before = place
          const scrollTop = Math.min(mostScroll, Math.max(0, place.scrollTop + turn))
          place = afterScroll(place, scrollTop, size)
          const by = scrollTop - before.scrollTop
          expect(place.offset).toBeCloseTo(Math.min(most, Math.max(0, before.offset + by)), 3)
          // The element is at an end only when the list is at that end, so all rows can be reached.
          if (place.scrollTop <= 0) expect(place.offset).toBe(0)
          if (place.scrollTop >= mostScroll) expect(place.offset).toBe(most)
          expect(place.scrollTop).toBeGreaterThanOrEqual(0)
          expect(place.scrollTop).toBeLessThanOrEqual(mostScroll)
        }
      },
    ),
  )
})

test('moves no row when the element is recentered', () => {
  fc.assert(
    fc.property(sizes, fc.double({ min: 0, max: 1, noNaN: true }), ({ length, view }, share) => {
      const offset = share * Math.max(0, length - view)
      expect(scrollPositionAt(offset, { length, view }).offset).toBe(offset)
    }),
  )
})

test('scrolls a requested row completely into view by the shortest way', () => {
  fc.assert(
    fc.property(
      sizes.filter(({ rows, view }) => rows > 0 && view >= rowHeight),
      fc.nat(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      ({ rows, length, view }, wanted, share) => {
        const index = wanted % rows
        const before = scrollPositionAt(share * Math.max(0, length - view), { length, view })
        const { offset } = scrollPositionAt(offsetFor(index, rowHeight, before, { length, view }), {
          length,
          view,
        })
        expect(offset).toBeLessThanOrEqual(index * rowHeight + 0.001)
        expect(offset + view).toBeGreaterThanOrEqual(
          Math.min(length, (index + 1) * rowHeight) - 0.001,
        )
        const wasSeen =
          before.offset <= index * rowHeight && before.offset + view >= (index + 1) * rowHeight
        if (wasSeen) expect(offset).toBe(before.offset)
      },
    ),
  )
})
