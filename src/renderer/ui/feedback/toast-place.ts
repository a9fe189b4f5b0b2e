/** The distance of toasts from what they must not cover, in pixels. */
const GAP = 8
/** The distance of toasts from the edges of the page, in pixels. */
const EDGE = 14
const toastStack = '.mantine-Notifications-root[data-position="bottom-left"]'

export interface Box {
  top: number
  bottom: number
  left: number
  right: number
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/**
 * Where toasts go so that they don't cover what a person works on: at the bottom, or at the top
 * while the active row or field is at the bottom.
 *
 * @param atBottom The toasts' box at the bottom of the window.
 */
export const placeFor = (atBottom: Box, active: Box | null): 'bottom' | 'top' =>
  active !== null &&
  overlap(
    {
      top: atBottom.top - GAP,
      bottom: atBottom.bottom + GAP,
      left: atBottom.left - GAP,
      right: atBottom.right + GAP,
    },
    active,
  )
    ? 'top'
    : 'bottom'

/** The bars with actions and hints at the bottom of a page or a pane. */
const bottomBars = 'footer, [data-floating]'

/**
 * The lowest edge that toasts can have, in pixels from the top of the window: the bottom of the page,
 * or the top of a footer or floating bar where the toasts would be.
 *
 * @param span The left and right edge of the toasts.
 * @param page The top and bottom edge of the page. A bar in its upper half ends a part of it only.
 */
export const floorFor = (
  span: Pick<Box, 'left' | 'right'>,
  page: Pick<Box, 'top' | 'bottom'>,
  bars: readonly Box[],
): number =>
  Math.min(
    page.bottom,
    ...bars
      .filter(({ left, right }) => left < span.right + GAP && right > span.left - GAP)
      .map(({ top }) => top)
      .filter((top) => top > (page.top + page.bottom) / 2),
  )

/** What a person works on: the active row, or the field that has the focus; null if nothing has. */
function activeBox(): Box | null {
  const focused = document.activeElement
  if (focused === null || focused === document.body) return null
  const active =
    focused.closest('[role="row"]') ??
    document.getElementById(focused.getAttribute('aria-activedescendant') ?? '') ??
    (focused.matches('input, textarea, select, [contenteditable]') ? focused : null)
  return active?.getBoundingClientRect() ?? null
}

/**
 * Keeps the toasts inside the page, above its footer and floating bars, and off the active row or
 * field, until the returned function is called.
 *
 * @param page The element that the toasts stay inside.
 */
export function keepToastsClear(page: HTMLElement): () => void {
  const root = document.documentElement
  // A footer can appear without any other event. Only while there are toasts, because a table that
  // is scrolled changes the page all the time.
  const content = new MutationObserver(() => soon())
  const place = (): void => {
    const { left, top, bottom: pageBottom } = page.getBoundingClientRect()
    root.style.setProperty('--toasts-left', `${left + EDGE}px`)
    const stack = document.querySelector(toastStack)
    const { width, height } = stack?.getBoundingClientRect() ?? { width: 0, height: 0 }
    const bars = [...page.querySelectorAll(bottomBars)]
    const bottom = floorFor(
      { left: left + EDGE, right: left + EDGE + width },
      { top, bottom: pageBottom },
      bars.map((bar) => bar.getBoundingClientRect()),
    )
    root.style.setProperty('--toasts-bottom', `${window.innerHeight - bottom + EDGE}px`)
    content.disconnect()
    if (stack === null) return
    if (stack.childElementCount > 0) content.observe(page, { childList: true, subtree: true })
    root.dataset['toasts'] =
      stack.childElementCount === 0
        ? 'bottom'
        : placeFor(
            {
              left: left + EDGE,
              right: left + EDGE + width,
              top: bottom - EDGE - height,
              bottom: bottom - EDGE,
            },
            activeBox(),
          )
  }
  let frame = 0
  const soon = (): void => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(place)
  }
  const events = ['focusin', 'keydown', 'pointerup', 'scroll', 'resize'] as const
  for (const event of events) window.addEventListener(event, soon, { capture: true, passive: true })
  const sizes = new ResizeObserver(soon)
  sizes.observe(page)
  const stack = document.querySelector(toastStack)
  if (stack !== null) sizes.observe(stack)
  return () => {
    sizes.disconnect()
    content.disconnect()
    cancelAnimationFrame(frame)
    for (const event of events) window.removeEventListener(event, soon, { capture: true })
  }
}
