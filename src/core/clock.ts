/**
 * The injected time, so that tests can control it. Milliseconds since 1970-01-01T00:00:00Z; timers
 * in milliseconds.
 */
export interface Clock {
  now(): number
  /**
   * Milliseconds since an arbitrary moment of this process. A changed time of day doesn't affect
   * it, so that waiting periods can't be skipped by setting the clock.
   */
  monotonic(): number
  /**
   * Runs `task` after `ms`; the returned function cancels it. The timer alone doesn't keep the
   * process alive.
   */
  after(ms: number, task: () => void): () => void
}

/** The longest timer the system supports; longer ones would fire immediately. */
const longestTimerMs = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, task) => {
    if (ms > longestTimerMs) {
      let cancel = systemClock.after(longestTimerMs, () => {
        cancel = systemClock.after(ms - longestTimerMs, task)
      })
      return () => cancel()
    }
    const timer = setTimeout(task, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Resolves after `ms`, or immediately when `signal` aborts. */
export const pause = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const cancel = clock.after(ms, done)
    function done(): void {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
