import { useLayoutEffect, useRef } from 'react'

/** The open dialogs, the top one last. A dialog counts from the commit that renders it. */
const open: symbol[] = []

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

/** Registers a dialog while it is open. Returns whether it is on top. */
export function useOpenDialog(opened: boolean): () => boolean {
  const own = useRef(Symbol('dialog'))
  // A layout effect runs before the effects of the dialog's shortcuts, which look up their dialog.
  useLayoutEffect(() => (opened ? add(own.current) : undefined), [opened])
  return () => topDialog() === own.current
}
