import { type ReactNode, useEffect, useState } from 'react'

/** Returns false at first and true after `afterMs` milliseconds. */
export function useDelay(afterMs: number): boolean {
  const [later, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), afterMs)
    return () => clearTimeout(timer)
  }, [afterMs])
  return later
}

/** Shows its content only after 150 ms, so that fast loading doesn't flicker. */
export function Delayed({ children, afterMs = 150 }: { children: ReactNode; afterMs?: number }) {
  return useDelay(afterMs) ? children : null
}
