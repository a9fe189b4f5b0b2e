import type { Clock } from '../clock.ts'

/**
 * Runs `task` immediately, then at most once every `ms` while requests keep coming. The last
 * request is always served.
 */
export function throttle(clock: Clock, ms: number, task: () => void): () => void {
  let resting = false
  let asked = false
  const run = (): void => {
    resting = true
    asked = false
    task()
    clock.after(ms, () => {
      resting = false
      if (asked) run()
    })
  }
  return () => {
    asked = true
    if (!resting) run()
  }
}
