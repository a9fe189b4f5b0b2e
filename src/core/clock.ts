/**
 * Time, injected so that tests move it. Milliseconds since 1970-01-01T00:00:00Z; timers in
 * milliseconds.
 */
export interface Clock {
  now(): number
  /**
   * Runs `task` after `ms`; the answer cancels it. The timer never keeps the process alive by
   * itself.
   */
  after(ms: number, task: () => void): () => void
}

/** The longest timer the system takes; it runs longer ones at once. */
const longestTimerMs = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
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

/** Resolves after `ms`, and at once when `signal` aborts. */
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
