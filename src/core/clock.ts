/** Time, injected so that tests move it. Milliseconds since 1970-01-01T00:00:00Z; timers in milliseconds. */
export interface Clock {
  now(): number
  /** Runs `task` after `ms`; the answer cancels it. The timer never keeps the process alive by itself. */
  after(ms: number, task: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, task) => {
    const timer = setTimeout(task, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
