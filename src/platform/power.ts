/** Detects when no one is using the computer: sleep and screen lock. */
export interface Power {
  /**
   * Calls the listener when the computer goes to sleep (or is found to have slept), and when its
   * screen is locked if the host can detect it. The returned function removes it.
   */
  onRest(listener: (why: 'sleep' | 'screen') => void): () => void
}

export interface PowerSource extends Power {
  report(why: 'sleep' | 'screen'): void
}

/** A source that reports the events it is given. */
export function createPowerSource(): PowerSource {
  const listeners = new Set<(why: 'sleep' | 'screen') => void>()
  return {
    onRest(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    report: (why) => {
      for (const listener of listeners) listener(why)
    },
  }
}

/**
 * How often the time is compared, and the deviation that means that the computer slept, in
 * milliseconds.
 */
const CHECK_INTERVAL_MS = 15_000
const SLEEP_THRESHOLD_MS = 60_000

/**
 * Detects sleep where the system doesn't report it: a timer that fires much too late by a clock
 * that counts sleep. It reports after waking, before any other work. `every` calls back repeatedly; the
 * function it returns stops that.
 */
export function watchSleep(
  now: () => number,
  every: (ms: number, task: () => void) => () => void,
): Power {
  return {
    onRest(listener) {
      let last = now()
      return every(CHECK_INTERVAL_MS, () => {
        const at = now()
        if (at - last > CHECK_INTERVAL_MS + SLEEP_THRESHOLD_MS) listener('sleep')
        last = at
      })
    },
  }
}
