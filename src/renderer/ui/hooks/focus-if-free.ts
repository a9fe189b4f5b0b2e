import { isTyping } from './shortcuts.ts'

/**
 * Focuses an element that just appeared, unless the person is in a dialog above the page or in a
 * field.
 */
export function focusIfFree(element: HTMLElement | null): void {
  const over = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].at(-1)
  if (
    element === null ||
    (over !== undefined && !over.contains(element)) ||
    isTyping({ target: document.activeElement })
  )
    return
  element.focus({ preventScroll: true })
}
