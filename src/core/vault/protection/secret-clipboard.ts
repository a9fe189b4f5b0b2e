import type { Clipboard } from '../../../platform/clipboard.ts'
import type { Clock } from '../../clock.ts'

/** How long a copied secret stays on the clipboard, in milliseconds. */
const CLEARS_AFTER_MS = 30_000

/**
 * Copies secrets to the clipboard and clears them: 30 seconds after the last copy, when the vault
 * locks, and when Keydesk quits.
 */
export function createSecretClipboard(
  clock: Clock,
  clipboard: Clipboard | undefined,
  report: (where: string, error: unknown) => void,
) {
  let copied: string | null = null
  let cancel = (): void => {}

  async function clear(): Promise<void> {
    cancel()
    const text = copied
    copied = null
    if (text !== null)
      await clipboard?.clearIf(text).catch((error: unknown) => {
        report('clipboard', error)
      })
  }
  return {
    /** Null when the page must copy and clear the value itself. */
    async copy(value: string): Promise<{ clearsAfterMs: number | null }> {
      if (clipboard === undefined) return { clearsAfterMs: null }
      await clipboard.write(value)
      cancel()
      copied = value
      cancel = clock.after(CLEARS_AFTER_MS, () => void clear())
      return { clearsAfterMs: CLEARS_AFTER_MS }
    },
    clear,
  }
}
