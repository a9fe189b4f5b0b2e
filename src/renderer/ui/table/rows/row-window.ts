/**
 * A list's scroll position: how far its start is above the visible area, and the scroll position of
 * its element, in px. They are equal except for very long lists.
 */
export type ScrollPosition = { offset: number; scrollTop: number }
/** Height of all rows together and of the visible area, in px. */
export type Sizes = { length: number; view: number }

/**
 * The maximum height of the element that contains the rows, in px. Browsers can't lay out anything
 * beyond 17 to 33 million px, or beyond a half or third of that on zoomed pages.
 */
export const maxHeight = 8_000_000
/**
 * A scroll of this many px in one event is a jump with the scroll bar, so the bar's position
 * determines the list's position. Smaller scrolls move the rows by exactly that distance.
 */
const jump = 4000

const maxOffset = ({ length, view }: Sizes): number => Math.max(0, length - view)
const maxScroll = ({ length, view }: Sizes): number =>
  Math.max(0, Math.min(length, maxHeight) - view)
const within = (value: number, most: number): number => Math.min(most, Math.max(0, value))
const isScaled = ({ length }: Sizes): boolean => length > maxHeight

/**
 * The element's scroll position for an offset. It is at an end only when the list is at that end,
 * so that people can always scroll further.
 */
export function scrollPositionAt(offset: number, sizes: Sizes): ScrollPosition {
  const most = maxOffset(sizes)
  const at = within(offset, most)
  if (!isScaled(sizes)) return { offset: at, scrollTop: at }
  if (at === 0 || at === most) return { offset: at, scrollTop: at === 0 ? 0 : maxScroll(sizes) }
  return {
    offset: at,
    scrollTop: Math.min(
      maxScroll(sizes) - 1,
      Math.max(1, Math.round((at / most) * maxScroll(sizes))),
    ),
  }
}

/** The list's position after its element was scrolled. */
export function afterScroll(
  before: ScrollPosition,
  scrollTop: number,
  sizes: Sizes,
): ScrollPosition {
  if (!isScaled(sizes)) return { offset: scrollTop, scrollTop }
  const by = scrollTop - before.scrollTop
  const offset =
    Math.abs(by) < jump
      ? within(before.offset + by, maxOffset(sizes))
      : (scrollTop / maxScroll(sizes)) * maxOffset(sizes)
  const isAtEnd = scrollTop <= 0 || scrollTop >= maxScroll(sizes)
  return isAtEnd ? scrollPositionAt(offset, sizes) : { offset, scrollTop }
}

/** The offset closest to the current one at which a row is completely visible. */
export function offsetFor(
  index: number,
  rowHeight: number,
  { offset }: ScrollPosition,
  { view }: Sizes,
): number {
  const top = index * rowHeight
  if (top < offset) return top
  return Math.max(offset, top + rowHeight - view)
}

/**
 * The rows that are at least partly visible, plus `around` rows on each side, as the first and last
 * index.
 */
export function visibleRows(
  offset: number,
  rowHeight: number,
  total: number,
  view: number,
  around: number,
): { first: number; last: number } {
  return {
    first: Math.max(0, Math.floor(offset / rowHeight) - around),
    last: Math.min(total - 1, Math.ceil((offset + view) / rowHeight) - 1 + around),
  }
}
