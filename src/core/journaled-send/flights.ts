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
  /** This run sends every request about this record, so it learns how each ends. */
  own(id: string): void
  /** A request about this record has just ended without a response. */
  note(id: string, what?: string): void
  /** A request with this effect is sent, perhaps again. */
  sends(id: string, what: string): void
  /**
   * The service shows the effect of a request about this record, so that request has arrived. If it
   * was sent again, the effect can be that of the other one, so both can still arrive.
   */
  arrived(id: string, what: string): void
  /** An earlier run left a request about this record open, and perhaps ended just now. */
  meet(id: string, what?: string): void
  /** Whether a request about this record, other than those with this effect, can still arrive. */
  isFlying(id: string, except?: string): boolean
  /** The effects of the requests about this record that can still arrive. */
  flying(id: string): string[]
  /**
   * Resolves when no request about this record with another effect can arrive any more, or when
   * `signal` aborts.
   */
  landed(id: string, what: string, signal: AbortSignal): Promise<void>
}

/** `isRepeated`: another request with the same effect was sent since. */
type Flight = { readonly at: Monotonic; isRepeated: boolean }

/** Flights by the clock for durations, so that no change of the wall clock shortens one. */
export function createFlights(clock: Clock): Flights {
  const open = new Map<string, Map<string, Flight>>()
  const owned = new Set<string>()
  /** All effects noted so far, ended ones included, so that each is met only once. */
  const known = new Map<string, Set<string>>()
  /** The requests about this record that can still arrive, and for how long. */
  function flying(id: string): { what: string; leftMs: number }[] {
    const all = Array.from(open.get(id) ?? [], ([what, { at }]) => ({
      what,
      leftMs: IN_FLIGHT_MS - msSince(clock, at),
    }))
    for (const { what, leftMs } of all) if (leftMs <= 0) open.get(id)?.delete(what)
    if (open.get(id)?.size === 0) open.delete(id)
    return all.filter(({ leftMs }) => leftMs > 0)
  }
  function note(id: string, what = ''): void {
    known.set(id, (known.get(id) ?? new Set()).add(what))
    const flights = open.get(id) ?? new Map<string, Flight>()
    const isRepeated = flights.get(what)?.isRepeated ?? false
    open.set(id, flights.set(what, { at: clock.monotonic(), isRepeated }))
  }
  return {
    own: (id) => void owned.add(id),
    note,
    sends(id, what) {
      const flight = open.get(id)?.get(what)
      if (flight !== undefined) flight.isRepeated = true
    },
    arrived(id, what) {
      if (open.get(id)?.get(what)?.isRepeated === false) open.get(id)?.delete(what)
    },
    meet(id, what = '') {
      if (!owned.has(id) && known.get(id)?.has(what) !== true) note(id, what)
    },
    isFlying: (id, except) => flying(id).some(({ what }) => what !== except),
    flying: (id) => flying(id).map(({ what }) => what),
    async landed(id, what, signal) {
      while (!signal.aborted) {
        const others = flying(id).filter((each) => each.what !== what)
        if (others.length === 0) return
        await pause(clock, Math.max(...others.map(({ leftMs }) => leftMs)), signal)
      }
    },
  }
}
