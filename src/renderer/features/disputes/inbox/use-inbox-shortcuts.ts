import { type RefObject, useEffect } from 'react'
import { isKeyOfDialog, isTyping, useShortcut } from '../../../ui/hooks/shortcuts.ts'
import type { PaneHandle } from '../pane/pane-props.ts'

/** All shortcuts of the inbox; those of a dispute work only while one is open. */
export function useInboxShortcuts({
  opened,
  pane,
  move,
  done,
  unread,
  close,
  select,
}: {
  opened: boolean
  pane: RefObject<PaneHandle | null>
  move: (by: 1 | -1) => void
  done: () => void
  unread: () => void
  close: () => void
  select: {
    /** The number of selected disputes. */
    count: number
    toggle: () => void
    extend: (by: 1 | -1) => void
    all: () => void
    clear: () => void
    /** Answers the selected disputes together, if any are; returns whether. */
    reply: () => boolean
  }
}): void {
  const moves = { repeats: true }
  // Before J and K, which the same key presses would match.
  useShortcut('Shift+J', () => select.extend(1), moves)
  useShortcut('Shift+K', () => select.extend(-1), moves)
  useShortcut('Shift+ArrowDown', () => select.extend(1), moves)
  useShortcut('Shift+ArrowUp', () => select.extend(-1), moves)
  useShortcut('x', select.toggle)
  useShortcut('j', () => move(1), moves)
  useShortcut('k', () => move(-1), moves)
  useShortcut('ArrowDown', () => move(1), moves)
  useShortcut('ArrowUp', () => move(-1), moves)
  useShortcut('o', () => {
    if (opened) pane.current?.reply()
    else move(1)
  })
  const enabled = { enabled: opened }
  useShortcut('r', () => {
    if (!select.reply()) pane.current?.reply()
  })
  useShortcut('t', () => pane.current?.templates(), enabled)
  useShortcut('s', () => pane.current?.act('replace-stock'), enabled)
  useShortcut('p', () => pane.current?.act('replace-key'), enabled)
  useShortcut('f', () => pane.current?.act('refund'), enabled)
  useShortcut('z', () => pane.current?.snooze(), enabled)
  useShortcut('v', () => pane.current?.evidence(), enabled)
  useShortcut('i', () => pane.current?.togglePanel(), enabled)
  useShortcut('1', () => pane.current?.fillTemplate(1), enabled)
  useShortcut('2', () => pane.current?.fillTemplate(2), enabled)
  useShortcut('3', () => pane.current?.fillTemplate(3), enabled)
  useShortcut('e', done, enabled)
  useShortcut('u', unread, enabled)
  const { count, clear, all } = select
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isAll = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a'
      if (!isAll || isTyping(event) || isKeyOfDialog()) return
      event.preventDefault()
      all()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [all])
  useEffect(() => {
    if (!opened && count === 0) return
    // Runs before a dialog or menu handles the key: once that has closed, nothing shows that the
    // key was meant for it.
    const onKey = (event: KeyboardEvent): void => {
      if (
        event.key === 'Escape' &&
        !isKeyOfDialog() &&
        !isTyping(event) &&
        document.querySelector('[role="menu"]') === null
      ) {
        clear()
        if (count === 0) close()
      }
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [close, opened, count, clear])
}
