import { toast } from '../ui/toasts.tsx'
import { rpc } from './rpc.ts'

const clearAfterMs = 30_000

/**
 * Whether this page may look at the clipboard, which it must before clearing it: what somebody
 * copied meanwhile is not ours to erase.
 */
async function mayRead(): Promise<boolean> {
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
 * The secret this page copied last, until it is cleared; a new copy takes its place and its time.
 */
let copied: { value: string; timer: ReturnType<typeof setTimeout> } | null = null

/**
 * A page in the background may not look at the clipboard: then it is cleared when somebody comes
 * back to it.
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
 * Copies a secret, says so, and has the clipboard cleared 30 seconds later if it still holds it: by
 * the core where that reaches the system's clipboard, else by this page. Where the browser doesn't
 * let a page look at the clipboard, it says that instead. `what` names the thing, never its value:
 * "Key copied".
 */
export async function copySecret(what: string, value: string): Promise<void> {
  const { clearsAfterMs } = await rpc.vault.copy({ value })
  if (clearsAfterMs !== null) {
    toast({
      kind: 'copy',
      title: what,
      text: `The clipboard is cleared in ${clearsAfterMs / 1000} s.`,
    })
    return
  }
  await navigator.clipboard.writeText(value)
  clearTimeout(copied?.timer)
  copied = null
  if (!(await mayRead())) {
    toast({
      kind: 'copy',
      title: what,
      text: 'This browser doesn’t let Keydesk clear the clipboard. Copy something else when you are done.',
    })
    return
  }
  toast({
    kind: 'copy',
    title: what,
    text: 'The clipboard is cleared in 30 s, or when you come back to this page after that.',
  })
  copied = { value, timer: setTimeout(() => void clear(value), clearAfterMs) }
}
