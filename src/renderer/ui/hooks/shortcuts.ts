import { useEffect, useRef } from 'react'
import { isBehindDialog, topDialog } from './dialog-stack.ts'

/** Whether the event comes from a text field, so that single letters belong to the text. */
export function isTyping(event: { target: EventTarget | null }): boolean {
  const target = event.target
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) &&
        !/^(?:checkbox|radio|button)$/.test(target.getAttribute('type') ?? '')))
  )
}

/** Whether a dialog is open or about to open. The page's own shortcuts are off then. */
export function isDialogOpen(): boolean {
  return (
    topDialog() !== undefined ||
    document.querySelector('[role="dialog"][aria-modal="true"]') !== null
  )
}

let dialogOpenAtPress = false

/**
 * Whether the key that is being handled belongs to a dialog: one is open, or this key press has
 * just closed it. Such a key must not act on the page behind it too, however long it is held.
 */
export const isKeyOfDialog = (): boolean => dialogOpenAtPress || isDialogOpen()
if (typeof window !== 'undefined') {
  window.addEventListener(
    'keydown',
    (event) => {
      dialogOpenAtPress = isDialogOpen() || (event.repeat && dialogOpenAtPress)
    },
    { capture: true },
  )
  // A key pressed before the dialog has the focus would change or submit the field behind it. This
  // listener runs after those of the window, which keep typed letters for a dialog.
  document.addEventListener(
    'keydown',
    (event) => {
      if (!isBehindDialog(event.target) || event.key === 'Escape' || event.key === 'Tab') return
      event.preventDefault()
      event.stopPropagation()
    },
    { capture: true },
  )
}

const settings = { singleLetters: true }

/** Whether single-letter shortcuts are on. Combinations with Ctrl always work. */
export function allowSingleLetters(allowed: boolean): void {
  settings.singleLetters = allowed
}

/** Whether a key can act as a shortcut without Ctrl: letters only while the setting allows them. */
export function lettersAllowed(key: string): boolean {
  return settings.singleLetters || key.length > 1
}

/**
 * Whether an event matches a combination such as `Ctrl+Enter`, `N`, `/` or `Ctrl+.`; Ctrl is ⌘ on
 * macOS.
 */
function matches(event: KeyboardEvent, combination: string): boolean {
  const parts = combination.split('+')
  const key = parts.at(-1) ?? ''
  const ctrl = parts.includes('Ctrl')
  if (
    (event.ctrlKey || event.metaKey) !== ctrl ||
    event.altKey !== parts.includes('Alt') ||
    (parts.includes('Shift') && !event.shiftKey)
  )
    return false
  // On macOS, Option with a letter types another character.
  const isLetterWithAlt = worksWhileTyping(combination) && event.code === `Key${key}`
  return event.key.toLowerCase() === key.toLowerCase() || isLetterWithAlt
}

/** Whether a combination types nothing, so that it also works in a text field. */
const worksWhileTyping = (combination: string): boolean =>
  combination.includes('Ctrl+') || /^Alt\+[A-Z]$/.test(combination)

export interface ShortcutOptions {
  enabled?: boolean
  /**
   * `page`: works while no dialog is open. `dialog`: belongs to the dialog that was on top when it
   * was registered, and works only while that one is on top. `everywhere`: works on the page and in
   * every dialog.
   */
  where?: 'page' | 'dialog' | 'everywhere'
  /**
   * Runs again and again while the key is held. Only for moves: an action would act on the records
   * that follow.
   */
  repeats?: boolean
}

/**
 * Calls `run` on a key combination anywhere on the page. Combinations without Ctrl, or
 * Alt and a letter, work only outside fields and only while single letters are allowed.
 */
export function useShortcut(
  combination: string,
  run: () => void,
  options: ShortcutOptions = {},
): void {
  const { enabled = true, where = 'page', repeats = false } = options
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (!enabled) return
    const own = topDialog()
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || !matches(event, combination)) return
      if (!worksWhileTyping(combination) && (isTyping(event) || !lettersAllowed(combination)))
        return
      if (where === 'page' && isKeyOfDialog()) return
      if (where === 'dialog' && topDialog() !== own) return
      event.preventDefault()
      if (repeats || !event.repeat) latest.current()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [combination, enabled, where, repeats])
}
