import { monotonicAt, systemClock } from '../clock.ts'
import type { Clock } from '../clock.ts'
import { doubtfulMs, quickChangeMs, quickReadMs } from '../service-client/service-client.ts'

/**
 * Time limits from this length on, in milliseconds, are meant for a machine and not for a waiting
 * person.
 */
const LIMIT_MS = 25_000
/** Shorter limits that are meant for a machine too. */
const shortLimits: ReadonlySet<number> = new Set([quickReadMs, quickChangeMs, doubtfulMs])
const isLimit = (ms: number): boolean => ms >= LIMIT_MS || shortLimits.has(ms)

/**
 * A clock that runs faster than the system's by a factor. `leastLimit`: the minimum of every time
 * limit, in milliseconds, so that a slow response of a busy machine isn't treated as lost.
 */
export function fastClock(times: number, leastLimit = 0): Clock {
  const start = systemClock.now()
  return {
    now: () => start + Math.floor((systemClock.now() - start) * times),
    monotonic: () => monotonicAt(systemClock.monotonic() * times),
    after: (ms, task) =>
      systemClock.after(
        isLimit(ms) ? Math.max(Math.ceil(ms / times), leastLimit) : Math.ceil(ms / times),
        task,
      ),
  }
}
