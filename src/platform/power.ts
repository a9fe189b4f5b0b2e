/** When the machine rests and nobody is in front of it. */
export interface Power {
  /**
   * Calls back when the machine goes to sleep (or is found to have slept), and when its screen is
   * locked where the host can tell. The answer ends it.
   */
  onRest(listener: (why: 'sleep' | 'screen') => void): () => void
}

export interface PowerSource extends Power {
  tell(why: 'sleep' | 'screen'): void
}

/** Passes on what somebody tells it. */
export function createPowerSource(): PowerSource {
  const listeners = new Set<(why: 'sleep' | 'screen') => void>()
  return {
    onRest(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell: (why) => {
      for (const listener of listeners) listener(why)
    },
  }
}

/**
 * How often the time is compared, and by how much it may be off before the machine must have slept,
 * in milliseconds.
 */
const LOOK_EVERY_MS = 15_000
const SLEPT_MS = 60_000

/**
 * Finds out that the machine has slept where no system tells it: a timer that comes far too late by
 * the clock on the wall. It tells so after waking, before anything else is asked. `every` calls
 * back again and again, and its answer ends that.
 */
export function watchSleep(
  now: () => number,
  every: (ms: number, task: () => void) => () => void,
): Power {
  return {
    onRest(listener) {
      let last = now()
      return every(LOOK_EVERY_MS, () => {
        const at = now()
        if (at - last > LOOK_EVERY_MS + SLEPT_MS) listener('sleep')
        last = at
      })
    },
  }
}
