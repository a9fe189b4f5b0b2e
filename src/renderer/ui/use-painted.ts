import { useEffect, useState } from 'react'

/** Milliseconds without a letter after which somebody has typed to the end, or stops to look. */
export const typedMs = 250

/**
 * Whether what is called `shown` has been painted, and stayed for `restMs`: true from the first
 * frame on that shows it; null is nothing to be shown. What nobody waits for is asked for then, so
 * that it takes no time from what somebody does.
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
