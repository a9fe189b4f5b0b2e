/**
 * Where a list stands: how far its beginning is above the view, and how far its element is
 * scrolled, in px. They are the same but for very long lists.
 */
export type Place = { offset: number; scrollTop: number }
/** Px: of all rows together, and of what is seen of them at once. */
export type Sizes = { length: number; view: number }

/**
 * The tallest that the element of the rows is made, in px: browsers place nothing beyond 17 to 33
 * million, and beyond a half or a third of that where a page is drawn larger.
 */
export const mostHeight = 8_000_000
/**
 * A scroll of so many px at once is a jump, by the bar beside the list: its place then tells that
 * of the list. Anything less moves the rows by just as much.
 */
const jump = 4000

const mostOffset = ({ length, view }: Sizes): number => Math.max(0, length - view)
const mostScroll = ({ length, view }: Sizes): number =>
  Math.max(0, Math.min(length, mostHeight) - view)
const within = (value: number, most: number): number => Math.min(most, Math.max(0, value))
const isScaled = ({ length }: Sizes): boolean => length > mostHeight

/**
 * Where the element belongs for an offset: at an end only where the list is at that end, so that it
 * can always be scrolled on.
 */
export function placeOf(offset: number, sizes: Sizes): Place {
  const most = mostOffset(sizes)
  const at = within(offset, most)
  if (!isScaled(sizes)) return { offset: at, scrollTop: at }
  if (at === 0 || at === most) return { offset: at, scrollTop: at === 0 ? 0 : mostScroll(sizes) }
  return {
    offset: at,
    scrollTop: Math.min(
      mostScroll(sizes) - 1,
      Math.max(1, Math.round((at / most) * mostScroll(sizes))),
    ),
  }
}

/** Where the list stands after its element was scrolled. */
export function scrolled(before: Place, scrollTop: number, sizes: Sizes): Place {
  if (!isScaled(sizes)) return { offset: scrollTop, scrollTop }
  const by = scrollTop - before.scrollTop
  const offset =
    Math.abs(by) < jump
      ? within(before.offset + by, mostOffset(sizes))
      : (scrollTop / mostScroll(sizes)) * mostOffset(sizes)
  const isAtEnd = scrollTop <= 0 || scrollTop >= mostScroll(sizes)
  return isAtEnd ? placeOf(offset, sizes) : { offset, scrollTop }
}

/** The offset at which a row is wholly seen, nearest to where the list stands. */
export function offsetFor(
  index: number,
  rowHeight: number,
  { offset }: Place,
  { view }: Sizes,
): number {
  const top = index * rowHeight
  if (top < offset) return top
  return Math.max(offset, top + rowHeight - view)
}

/**
 * The rows that are seen at least in part, and `around` more at each side; from the first to the
 * last.
 */
export function rowsAt(
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
