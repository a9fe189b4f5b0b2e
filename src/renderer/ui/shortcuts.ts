import { useEffect, useRef } from 'react'

/** Whether the event comes from where a person types, so that single letters belong to the text. */
export function isTyping(event: { target: EventTarget | null }): boolean {
  const target = event.target
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) &&
        !/^(?:checkbox|radio|button)$/.test(target.getAttribute('type') ?? '')))
  )
}

/** Whether a dialog lies over the page; the page's own shortcuts rest then. */
export function isCovered(): boolean {
  return document.querySelector('[role="dialog"][aria-modal="true"]') !== null
}

/**
 * Whether a dialog lay over the page when the present key went down: one that this very press
 * closes covered it too.
 */
let coveredAtPress = false
if (typeof window !== 'undefined')
  window.addEventListener(
    'keydown',
    () => {
      coveredAtPress = isCovered()
    },
    { capture: true },
  )

const settings = { singleLetters: true }

/** Single letters can be switched off; combinations with Ctrl stay. */
export function allowSingleLetters(allowed: boolean): void {
  settings.singleLetters = allowed
}

/** Whether a key may act by itself: letters only while they are allowed. */
export function lettersAllowed(key: string): boolean {
  return settings.singleLetters || key.length > 1
}

/**
 * Whether an event is the combination written like `Ctrl+Enter`, `N`, `/`, `Ctrl+.`; Ctrl is ⌘ on
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
  return event.key.toLowerCase() === key.toLowerCase()
}

export interface ShortcutOptions {
  enabled?: boolean
  inDialog?: boolean
}

/**
 * Does `run` on a key combination anywhere on the page. Combinations without Ctrl act only outside
 * fields and only while single letters are allowed. `inDialog` is for shortcuts of a dialog itself.
 */
export function useShortcut(
  combination: string,
  run: () => void,
  options: ShortcutOptions = {},
): void {
  const { enabled = true, inDialog = false } = options
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (!enabled) return
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || !matches(event, combination)) return
      if (!combination.includes('Ctrl+') && (isTyping(event) || !lettersAllowed(combination)))
        return
      if (!inDialog && (coveredAtPress || isCovered())) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [combination, enabled, inDialog])
}
