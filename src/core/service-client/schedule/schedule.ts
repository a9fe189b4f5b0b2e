import type { RateClass } from '../../../../server/api/endpoints/endpoint.ts'
import { rateLimits } from '../../../../server/api/limits.ts'
import { later, latestOf, longAgo, msUntil } from '../../clock.ts'
import type { Clock, Monotonic } from '../../clock.ts'
import type { Priority } from '../../context.ts'
import { createWindow } from './window.ts'
import type { Rate, SlidingWindow, Slot } from './window.ts'

/** The rate limits of both APIs ("Limits"): per key, and for calls with their own limit. */
export type Rates = { second: Rate; minute: Rate; classes: Record<RateClass, Rate> }

export const serviceRates: Rates = {
  second: rateLimits.second,
  minute: rateLimits.minute,
  classes: {
    orders: rateLimits.orders,
    downloads: rateLimits.downloads,
    uploads: rateLimits.uploads,
  },
}

/**
 * Places that lower priorities leave free in the one-second and one-minute windows, so that a
 * person never waits behind them. After {@link personActiveMs} without a request from the person, a
 * watch uses all places of the one-second window: an upload of 300 requests takes 16 instead of
 * 17 s, and the person's next request may wait up to a second once.
 */
const leftFree: Record<Priority, { second: number; minute: number }> = {
  person: { second: 0, minute: 0 },
  watch: { second: 2, minute: 4 },
  background: { second: 4, minute: 8 },
}
const personActiveMs = 5000
/**
 * Background work is spread over the minute in bursts of at most this size: a window filled at one
 * moment frees up at one moment too.
 */
const burst = 16
const ranks: Record<Priority, number> = { person: 0, watch: 1, background: 2 }

type Waiting = {
  priority: Priority
  rateClass: RateClass | null
  order: number
  go: (slot: Slot) => void
}

export interface Schedule {
  /**
   * Resolves when the request can be sent now: call `answered` when it has ended, whatever the
   * result, or `unsent` if it isn't sent. Rejects with the signal's reason.
   */
  turn(priority: Priority, rateClass: RateClass | null, signal: AbortSignal): Promise<Slot>
  /**
   * The service rejected a request for its rate: nothing of this class, or of the key, is sent for
   * this many milliseconds.
   */
  holdOff(ms: number, rateClass: RateClass | null): void
  /**
   * How long the service asked to wait from now, in milliseconds: for the key and this class, or,
   * without a class, for anything. 0 when it didn't.
   */
  heldFor(rateClass?: RateClass | null): number
  /**
   * Sets whether the rate limits are enforced. Requests sent while they weren't still count. No
   * effect on a service without limits.
   */
  enforceRates(kept: boolean): void
  /** Requests in the last minute and how many the service allows; null for no limit. */
  budget(): { used: number; limit: number | null }
}

/**
 * The request scheduler of one key: exact windows; a person's requests first, then watches, then
 * background work. Without `rates` it never limits.
 */
export function createSchedule(clock: Clock, rates: Rates | null): Schedule {
  const known = rates ?? serviceRates
  const second = createWindow(known.second)
  const minute = createWindow(known.minute)
  const classes = new Map<RateClass, SlidingWindow>()
  let isEnforced = rates !== null
  const held = new Map<RateClass | null, Monotonic>()
  const waiting: Waiting[] = []
  let order = 0
  let paceAt = longAgo
  let personAt = longAgo
  let cancelTimer = (): void => {}

  const classWindow = (rateClass: RateClass): SlidingWindow => {
    let window = classes.get(rateClass)
    if (window === undefined)
      classes.set(rateClass, (window = createWindow(known.classes[rateClass])))
    return window
  }

  /** The earliest time at which this request can be sent, given the current state. */
  function earliest({ priority, rateClass }: Waiting, now: Monotonic): Monotonic {
    const asked = latestOf(
      now,
      held.get(null) ?? now,
      rateClass === null ? now : (held.get(rateClass) ?? now),
    )
    if (!isEnforced) return asked
    const free = leftFree[priority]
    const isAlone = priority === 'watch' && now >= later(personAt, personActiveMs)
    const own = rateClass === null ? null : classWindow(rateClass)
    return latestOf(
      asked,
      priority === 'background' ? later(paceAt, -burst * interval(known)) : now,
      second.freeAt(now, second.rate.max - (isAlone ? 0 : free.second)),
      minute.freeAt(now, minute.rate.max - free.minute),
      own?.freeAt(now, own.rate.max) ?? now,
    )
  }

  function pump(): void {
    cancelTimer()
    const now = clock.monotonic()
    let next = Number.POSITIVE_INFINITY
    for (const entry of Array.from(waiting)) {
      const at = earliest(entry, now)
      if (at > now) {
        next = Math.min(next, at)
        continue
      }
      waiting.splice(waiting.indexOf(entry), 1)
      if (isEnforced && entry.priority === 'background')
        paceAt = later(latestOf(now, paceAt), interval(known))
      const slots = [
        second,
        minute,
        entry.rateClass === null ? null : classWindow(entry.rateClass),
      ].map((window) => window?.take(now))
      entry.go({
        answered: (answeredAt) => {
          for (const slot of slots) slot?.answered(answeredAt)
          if (waiting.length > 0) pump()
        },
        unsent() {
          for (const slot of slots) slot?.unsent()
          if (waiting.length > 0) pump()
        },
      })
    }
    if (Number.isFinite(next)) cancelTimer = clock.after(Math.max(1, next - now), pump)
  }

  return {
    turn: (priority, rateClass, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        if (priority === 'person') personAt = clock.monotonic()
        const entry: Waiting = {
          priority,
          rateClass,
          order: order++,
          go: (slot) => {
            signal.removeEventListener('abort', leave)
            resolve(slot)
          },
        }
        function leave(): void {
          const at = waiting.indexOf(entry)
          if (at >= 0) waiting.splice(at, 1)
          reject(signal.reason)
        }
        signal.addEventListener('abort', leave, { once: true })
        const before = waiting.findIndex((other) => ranks[other.priority] > ranks[priority])
        waiting.splice(before < 0 ? waiting.length : before, 0, entry)
        pump()
      }),
    holdOff(ms, rateClass) {
      const until = later(clock.monotonic(), ms)
      held.set(rateClass, latestOf(until, held.get(rateClass) ?? until))
      pump()
    },
    heldFor(rateClass) {
      const classes = rateClass === undefined ? [...held.keys()] : [null, rateClass]
      return Math.max(0, ...classes.map((each) => msUntil(clock, held.get(each) ?? longAgo)))
    },
    enforceRates(kept) {
      isEnforced = kept && rates !== null
      pump()
    },
    budget: () => ({
      used: minute.used(clock.monotonic()),
      limit: isEnforced ? minute.rate.max : null,
    }),
  }
}

/** Milliseconds between two requests of background work: its share of the minute, spread evenly. */
const interval = (rates: Rates): number =>
  rates.minute.perMs / (rates.minute.max - leftFree.background.minute)
