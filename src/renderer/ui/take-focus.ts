import { isTyping } from './shortcuts.ts'

/**
 * Gives the focus to what just came onto the page, unless a person is elsewhere: in a dialog that
 * lies over it, or in a field.
 */
export function takeFocus(element: HTMLElement | null): void {
  const over = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].at(-1)
  if (
    element === null ||
    (over !== undefined && !over.contains(element)) ||
    isTyping({ target: document.activeElement })
  )
    return
  element.focus({ preventScroll: true })
}
