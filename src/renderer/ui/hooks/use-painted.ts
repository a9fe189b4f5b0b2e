import { useEffect, useState } from 'react'

/** Milliseconds without a key press after which someone has finished typing or paused. */
export const typingPauseMs = 250

/**
 * Whether the content identified by `shown` has been painted and unchanged for `restMs`. Null:
 * nothing to show. Pages load optional data only then, so that it never delays input.
 */
export function usePainted(shown: string | null, restMs = 0): boolean {
  const [painted, setPainted] = useState<string | null>(null)
  useEffect(() => {
    if (shown === null) return
    let after: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      after = setTimeout(() => setPainted(shown), restMs)
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(after)
    }
  }, [shown, restMs])
  return shown !== null && painted === shown
}
