import { useEffect, useState } from 'react'

/**
 * Whether what is called `shown` has been painted: true from the first frame on that shows it; null is nothing to be shown. What nobody waits for is asked
 * for then, so that it takes no time from what somebody does.
 */
export function usePainted(shown: string | null): boolean {
  const [painted, setPainted] = useState<string | null>(null)
  useEffect(() => {
    if (shown === null) return
    let after: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => { after = setTimeout(() => setPainted(shown)) })
    return () => { cancelAnimationFrame(frame); clearTimeout(after) }
  }, [shown])
  return shown !== null && painted === shown
}
