import { type ReactNode, useEffect, useState } from 'react'

/** Shows its content only after 150 ms, so that what loads fast never flickers. */
export function Delayed({ children, afterMs = 150 }: { children: ReactNode; afterMs?: number }) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), afterMs)
    return () => clearTimeout(timer)
  }, [afterMs])
  return shown ? children : null
}
