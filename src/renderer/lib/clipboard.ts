import { toast } from '../ui/feedback/toasts.tsx'
import type { Toast } from '../ui/feedback/toasts.tsx'
import { rpc } from './core/rpc.ts'

const clearAfterMs = 30_000

/**
 * Whether this page can read the clipboard. It must read it before clearing it, so that it doesn't
 * erase text copied since then.
 */
async function canRead(): Promise<boolean> {
  try {
    return (
      (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state ===
      'granted'
    )
  } catch {
    return false
  }
}

/**
 * The secret this page copied last, until it is cleared. A new copy replaces it and restarts the
 * timer.
 */
let copied: { value: string; timer: ReturnType<typeof setTimeout> } | null = null

/**
 * A page in the background can't read the clipboard. In that case it is cleared when the window
 * gets the focus again.
 */
async function clear(value: string): Promise<void> {
  if (copied?.value !== value) return
  try {
    if ((await navigator.clipboard.readText()) === value) await navigator.clipboard.writeText('')
    copied = null
  } catch {
    window.addEventListener('focus', () => void clear(value), { once: true })
  }
}

/**
 * Copies a secret, shows a toast and clears the clipboard after 30 seconds if it still holds the
 * secret. The core clears it where it can reach the system's clipboard, otherwise this page. If the
 * browser doesn't let the page read the clipboard, the toast says so. `what` names the secret,
 * never its value: "Key copied". `action` offers what usually comes next.
 */
export async function copySecret(
  what: string,
  value: string,
  action?: Toast['action'],
): Promise<void> {
  const next = action === undefined ? {} : { action }
  const { clearsAfterMs } = await rpc.vault.copy({ value })
  if (clearsAfterMs !== null) {
    toast({
      kind: 'copy',
      title: what,
      ...next,
      text: `The clipboard is cleared in ${clearsAfterMs / 1000} s.`,
    })
    return
  }
  await navigator.clipboard.writeText(value)
  clearTimeout(copied?.timer)
  copied = null
  if (!(await canRead())) {
    toast({
      kind: 'copy',
      title: what,
      ...next,
      text: 'This browser doesn’t let Keydesk clear the clipboard. Copy something else when you’re done.',
    })
    return
  }
  toast({
    kind: 'copy',
    title: what,
    ...next,
    text: 'The clipboard is cleared in 30 s, or the next time you return to this page.',
  })
  copied = { value, timer: setTimeout(() => void clear(value), clearAfterMs) }
}
