import { useLayoutEffect } from 'react'

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
  const own = Symbol('dialog')
  open.push(own)
  return () => {
    const at = open.indexOf(own)
    if (at !== -1) open.splice(at, 1)
  }
}

/** Registers a dialog while it is open. */
export function useOpenDialog(opened: boolean): void {
  // A layout effect runs before the effects of the dialog's shortcuts, which look up their dialog.
  useLayoutEffect(() => (opened ? expectDialog() : undefined), [opened])
}
