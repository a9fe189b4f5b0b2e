import type { Clock, Monotonic } from '../../clock.ts'

/** Dates in HTTP headers are in seconds, rounded down. */
const DATE_STEP_MS = 1000
/** A difference to the computer's clock beyond this means that the clock was set, in milliseconds. */
const SET_MS = 1000

/** The clock of a service as one account sees it. */
export interface ServiceTime {
  /** The service's current time, in milliseconds since 1970. */
  now(): number
  /** The service's clock minus this computer's, in milliseconds. */
  offsetMs(): number
  /**
   * Learns from a response's `Date` header.
   *
   * @param date The header; anything else than a date is ignored.
   * @param sentAt When the request was sent.
   */
  observe(date: string | undefined, sentAt: Monotonic): void
}

/**
 * Learns the time of a service from its responses. A response limits the offset to a range: the
 * service wrote its date after the request was sent and before the response arrived. The offset
 * moves only as far as that range requires, so it stays 0 while both clocks agree. Between
 * responses the time runs on the monotonic clock, so that setting the computer's clock doesn't
 * affect deadlines.
 *
 * @param offsetMs The offset known from before.
 * @param changed Called with each new offset.
 */
export function createServiceTime(
  clock: Clock,
  offsetMs: number,
  changed: (offsetMs: number) => void,
): ServiceTime {
  const startWall = clock.now()
  const startAt = clock.monotonic()
  /** This computer's time as its clock would show it if no one had set it since the start. */
  const steady = (at: Monotonic): number => Math.round(startWall + (at - startAt))
  let offset = offsetMs
  /** The last offset from the present clock that was reported. */
  let reported = offsetMs
  /** The offset from the present clock. */
  const shown = (): number => {
    const setBy = clock.now() - steady(clock.monotonic())
    return Math.abs(setBy) <= SET_MS ? offset : offset - setBy
  }
  return {
    now: () => steady(clock.monotonic()) + offset,
    offsetMs: shown,
    observe(date, sentAt) {
      const written = Date.parse(date ?? '')
      if (Number.isNaN(written)) return
      const least = written - steady(clock.monotonic())
      const most = written + DATE_STEP_MS - steady(sentAt)
      const before = offset
      offset = Math.max(least, Math.min(most, offset))
      const next = shown()
      if (offset === before && Math.abs(next - reported) <= SET_MS) return
      reported = next
      changed(next)
    },
  }
}
