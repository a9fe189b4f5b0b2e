import { useEffect, useState } from 'react'

/**
 * The current time in milliseconds, for relative times. It is updated at each multiple of `everyMs`,
 * so that a clock changes on the minute, and not while the window is hidden.
 */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    function update(): void {
      clearTimeout(timer)
      if (document.hidden) return
      const time = Date.now()
      setNow(time)
      timer = setTimeout(update, everyMs - (time % everyMs))
    }
    update()
    document.addEventListener('visibilitychange', update)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [everyMs])
  return now
}
