import { isBehindDialog } from './dialog-stack.ts'
import { isTyping } from './shortcuts.ts'

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat'> & {
  altGraph: boolean
}

/** A text after a key was pressed; null if the key types nothing. */
export function withKey(
  text: string,
  { key, ctrlKey, metaKey, altKey, repeat, altGraph }: Key,
): string | null {
  if (repeat || (!altGraph && (ctrlKey || metaKey || altKey))) return null
  if (key === 'Backspace') return [...text].slice(0, -1).join('')
  return [...key].length === 1 ? text + key : null
}

export interface EarlyTyping {
  /** What was typed since the beginning or the last call. */
  take: () => string
  stop: () => void
}

/**
 * Keeps letters for the field of a dialog that is about to appear, except those typed in another
 * field, unless that field is behind the dialog, which is already rendered.
 */
export function keepTyping(): EarlyTyping {
  let text = ''
  const onKey = (event: KeyboardEvent): void => {
    if (isTyping(event) && !isBehindDialog(event.target)) return
    const { key, ctrlKey, metaKey, altKey, repeat } = event
    const altGraph = event.getModifierState('AltGraph')
    const next = withKey(text, { key, ctrlKey, metaKey, altKey, repeat, altGraph })
    if (next === null) return
    text = next
    // A space would press the button that has the focus.
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('keydown', onKey, { capture: true })
  return {
    take() {
      const taken = text
      text = ''
      return taken
    },
    stop() {
      text = ''
      window.removeEventListener('keydown', onKey, { capture: true })
    },
  }
}
