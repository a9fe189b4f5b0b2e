import { useLayoutEffect, useRef } from 'react'

/** The open dialogs, the top one last. A dialog counts from the commit that renders it. */
const open: symbol[] = []
/** Those of them that are rendered, not only expected. */
const rendered = new Set<symbol>()

/** The dialog on top; undefined if none is open. */
export const topDialog = (): symbol | undefined => open.at(-1)

/**
 * Blocks the shortcuts of the page and of the dialogs below, as an open dialog does, for a dialog
 * that appears only after a response. Call the returned function when it has closed, or won't
 * appear.
 */
export function expectDialog(): () => void {
  return add(Symbol('dialog'))
}

function add(own: symbol): () => void {
  open.push(own)
  return () => {
    const at = open.indexOf(own)
    if (at !== -1) open.splice(at, 1)
  }
}

/**
 * Whether a rendered dialog is open and the target is on the page behind it. A dialog takes the focus
 * up to two frames after it was opened.
 */
export const isBehindDialog = (target: EventTarget | null): boolean =>
  rendered.size > 0 &&
  target instanceof Element &&
  target !== document.body &&
  target.closest('[data-portal]') === null

/** Registers a dialog while it is open. Returns whether it is on top. */
export function useOpenDialog(opened: boolean): () => boolean {
  const own = useRef(Symbol('dialog'))
  // A layout effect runs before the effects of the dialog's shortcuts, which look up their dialog.
  useLayoutEffect(() => {
    if (!opened) return
    const dialog = own.current
    const close = add(dialog)
    rendered.add(dialog)
    return () => {
      rendered.delete(dialog)
      close()
    }
  }, [opened])
  return () => topDialog() === own.current
}
