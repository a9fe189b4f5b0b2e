import type { Clock } from '../clock.ts'

/**
 * Runs `task` immediately, then at most once every `ms` while requests keep coming. The last
 * request is always served.
 */
export function throttle(clock: Clock, ms: number, task: () => void): () => void {
  let resting = false
  let requested = false
  const run = (): void => {
    resting = true
    requested = false
    task()
    clock.after(ms, () => {
      resting = false
      if (requested) run()
    })
  }
  return () => {
    requested = true
    if (!resting) run()
  }
}
