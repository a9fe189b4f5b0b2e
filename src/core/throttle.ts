import { longAgo, msSince } from './clock.ts'
import type { Clock } from './clock.ts'

/**
 * Runs `task` at most once every `ms` milliseconds: immediately after a quiet time, otherwise when
 * that time is over. A call is never lost.
 */
export function createThrottle(clock: Clock, ms: number, task: () => void): () => void {
  let lastAt = longAgo
  let isPending = false
  function runNow(): void {
    isPending = false
    lastAt = clock.monotonic()
    task()
  }
  return () => {
    if (isPending) return
    const since = msSince(clock, lastAt)
    if (since >= ms) return runNow()
    isPending = true
    clock.after(ms - since, runNow)
  }
}
