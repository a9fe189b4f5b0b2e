import type { Clock } from '../../clock.ts'

/** Dates in HTTP headers are in whole seconds, rounded down. */
const DATE_STEP_MS = 1000

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
   * @param sentAt This computer's time when the request was sent.
   */
  observe(date: string | undefined, sentAt: number): void
}

/**
 * Learns the time of a service from its responses. A response limits the offset to a range: the
 * service wrote its date after the request was sent and before the response arrived. The offset
 * moves only as far as that range requires, so it stays 0 while both clocks agree.
 *
 * @param offsetMs The offset known from before.
 * @param changed Called with each new offset.
 */
export function createServiceTime(
  clock: Clock,
  offsetMs: number,
  changed: (offsetMs: number) => void,
): ServiceTime {
  let offset = offsetMs
  return {
    now: () => clock.now() + offset,
    offsetMs: () => offset,
    observe(date, sentAt) {
      const written = Date.parse(date ?? '')
      if (Number.isNaN(written)) return
      const least = written - clock.now()
      const most = written + DATE_STEP_MS - sentAt
      const next = Math.max(least, Math.min(most, offset))
      if (next === offset) return
      offset = next
      changed(next)
    },
  }
}
