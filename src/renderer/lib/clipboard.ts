import { toast } from '../ui/toasts.tsx'

const clearAfterMs = 30_000

/** Whether this page may look at the clipboard, which it must before clearing it: what somebody copied meanwhile is not ours to erase. */
async function mayRead(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state === 'granted'
  } catch {
    return false
  }
}

/**
 * Copies a secret, says so, and clears the clipboard 30 seconds later if it still holds it. Where the browser doesn't let a page look at the
 * clipboard, it says that instead. `what` names the thing, never its value: "Key copied".
 */
export async function copySecret(what: string, value: string): Promise<void> {
  await navigator.clipboard.writeText(value)
  if (!await mayRead()) {
    toast({ kind: 'copy', title: what, text: 'This browser doesn’t let Keydesk clear the clipboard. Copy something else when you are done.' })
    return
  }
  toast({ kind: 'copy', title: what, text: 'The clipboard is cleared in 30 s.' })
  setTimeout(() => {
    void (async () => {
      if (await navigator.clipboard.readText() === value) await navigator.clipboard.writeText('')
    })().catch(() => {})
  }, clearAfterMs)
}
