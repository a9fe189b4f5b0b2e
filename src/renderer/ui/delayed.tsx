import { type ReactNode, useEffect, useState } from 'react'

/** False at first, true after so many milliseconds. */
export function useLater(afterMs: number): boolean {
  const [later, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), afterMs)
    return () => clearTimeout(timer)
  }, [afterMs])
  return later
}

/** Shows its content only after 150 ms, so that what loads fast never flickers. */
export function Delayed({ children, afterMs = 150 }: { children: ReactNode; afterMs?: number }) {
  return useLater(afterMs) ? children : null
}
