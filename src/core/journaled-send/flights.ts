import { type Clock, type Monotonic, msSince, pause } from '../clock.ts'

/**
 * How long a request whose response was lost can still arrive at the service, in milliseconds.
 * Until then, its absence from the service proves nothing.
 */
export const IN_FLIGHT_MS = 20_000

/**
 * Requests without a response that can still arrive at the service. `what` distinguishes requests
 * about one record; two with the same one have the same effect.
 */
export interface Flights {
  /** This run sends the request about this record, so it learns how it ends. */
  own(id: string): void
  /** A request about this record has just ended without a response. */
  note(id: string, what?: string): void
  /** The service shows the effect of a request about this record. */
  arrived(id: string, what: string): void
  /** An earlier run left a request about this record open, and perhaps ended just now. */
  meet(id: string, what?: string): void
  /** Whether a request about this record, other than those with this effect, can still arrive. */
  isFlying(id: string, except?: string): boolean
  /**
   * Resolves when no request about this record with another effect can arrive any more, or when
   * `signal` aborts.
   */
  landed(id: string, what: string, signal: AbortSignal): Promise<void>
}

/** Flights by the clock for durations, so that no change of the wall clock shortens one. */
export function createFlights(clock: Clock): Flights {
  const begun = new Map<string, Map<string, Monotonic>>()
  const known = new Set<string>()
  /** Milliseconds until the last request that can still arrive, except those with this effect. */
  function leftMs(id: string, except?: string): number {
    let most = 0
    for (const [what, at] of begun.get(id) ?? []) {
      const left = IN_FLIGHT_MS - msSince(clock, at)
      if (left <= 0) begun.get(id)?.delete(what)
      else if (what !== except) most = Math.max(most, left)
    }
    if (begun.get(id)?.size === 0) begun.delete(id)
    return most
  }
  function note(id: string, what = ''): void {
    known.add(id)
    const flights = begun.get(id) ?? new Map<string, Monotonic>()
    begun.set(id, flights.set(what, clock.monotonic()))
  }
  return {
    own: (id) => void known.add(id),
    note,
    arrived: (id, what) => void begun.get(id)?.delete(what),
    meet(id, what) {
      if (!known.has(id)) note(id, what)
    },
    isFlying: (id, except) => leftMs(id, except) > 0,
    async landed(id, what, signal) {
      for (let left = leftMs(id, what); left > 0 && !signal.aborted; left = leftMs(id, what))
        await pause(clock, left, signal)
    },
  }
}
