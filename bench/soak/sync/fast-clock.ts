import { systemClock } from '../../../src/core/clock.ts'
import type { Clock } from '../../../src/core/clock.ts'

/** A clock that runs so many times as fast as the system's. */
export function fastClock(times: number): Clock {
  const start = systemClock.now()
  return { now: () => start + Math.floor((systemClock.now() - start) * times), after: (ms, task) => systemClock.after(ms / times, task) }
}
