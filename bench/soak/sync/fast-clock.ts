import { systemClock } from '../../../src/core/clock.ts'
import type { Clock } from '../../../src/core/clock.ts'

/** A limit of so long, in milliseconds, is for a machine and not for the one who waits. */
const LIMIT_MS = 25_000

/**
 * A clock that runs so many times as fast as the system's. `leastLimit`: what a limit comes to at
 * least, in milliseconds, so that a busy machine is not taken for a lost answer.
 */
export function fastClock(times: number, leastLimit = 0): Clock {
  const start = systemClock.now()
  return {
    now: () => start + Math.floor((systemClock.now() - start) * times),
    after: (ms, task) =>
      systemClock.after(ms < LIMIT_MS ? ms / times : Math.max(ms / times, leastLimit), task),
  }
}
