import { useEffect, useState } from 'react'

/**
 * The present moment in milliseconds, renewed every `everyMs`: what relative times on the screen
 * are told from.
 */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
