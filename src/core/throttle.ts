import { longAgo, msSince } from './clock.ts'
import type { Clock } from './clock.ts'
import type { Scope } from './lifecycle/lifecycle.ts'

/**
 * Runs `task` at most once every `ms` milliseconds: immediately after a quiet time, otherwise when
 * that time is over. A call is never lost.
 *
 * @param scope if given: a pending call runs when its work has settled, and none runs later. For
 *   tasks that use files, which are closed after it.
 */
export function createThrottle(
  clock: Clock,
  ms: number,
  task: () => void,
  scope?: Pick<Scope, 'onEnd'>,
): () => void {
  let lastAt = longAgo
  /** Cancels the call that waits for its time; null without one. */
  let cancel: (() => void) | null = null
  let isOver = false
  function runNow(): void {
    cancel = null
    lastAt = clock.monotonic()
    task()
  }
  scope?.onEnd(() => {
    isOver = true
    if (cancel === null) return
    cancel()
    runNow()
  })
  return () => {
    if (cancel !== null || isOver) return
    const since = msSince(clock, lastAt)
    if (since >= ms) return runNow()
    // A task that failed because the disk was full is tried again later, perhaps too late.
    cancel = clock.after(ms - since, () => {
      if (!isOver) runNow()
    })
  }
}
