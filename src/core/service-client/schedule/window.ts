import { later } from '../../clock.ts'
import type { Monotonic } from '../../clock.ts'

/** How many requests a service accepts in a period. */
export type Rate = { max: number; perMs: number }

/** One request in a window. */
export interface Slot {
  answered(at: Monotonic): void
  /** Gives the place back: the request wasn't sent. */
  unsent(): void
}

/**
 * A sliding window from the sender's side. The service counts a request when it receives it, which
 * is some time between sending and responding. So a request occupies its place from now until its
 * response plus the window's length. A request that takes longer than {@link maxReceiveMs}
 * counts as received by then: an order can wait 25 s for its delivery.
 */
export interface SlidingWindow {
  readonly rate: Rate
  /** Requests that count at this time. */
  used(now: Monotonic): number
  /**
   * The earliest time at which fewer than `below` requests count; `now` when that is already true.
   */
  freeAt(now: Monotonic, below: number): Monotonic
  take(now: Monotonic): Slot
}

const maxReceiveMs = 2000

type Entry = { sent: Monotonic; answered: Monotonic | null }

const earlierOf = (a: Monotonic, b: Monotonic): Monotonic => (a < b ? a : b)

export function createWindow(rate: Rate): SlidingWindow {
  let taken: Entry[] = []
  let cleanUpAt = rate.max * 2
  // Queued requests all ask the same question at the same time.
  let cache = new Map<number, Monotonic>()
  let cachedAt = Number.NaN
  const countedFrom = (entry: Entry, now: Monotonic): Monotonic =>
    entry.answered ?? earlierOf(now, later(entry.sent, maxReceiveMs))
  const dropOld = (now: Monotonic): void => {
    taken = taken.filter((entry) => countedFrom(entry, now) > now - rate.perMs)
  }
  const computeFreeAt = (now: Monotonic, below: number): Monotonic => {
    dropOld(now)
    if (taken.length < below) return now
    const moments = taken.map((entry) => countedFrom(entry, now)).sort((a, b) => a - b)
    return later(moments[taken.length - Math.max(1, below)] ?? now, rate.perMs)
  }
  return {
    rate,
    used(now) {
      dropOld(now)
      return taken.length
    },
    freeAt(now, below) {
      if (cachedAt !== now) cache = new Map()
      cachedAt = now
      let at = cache.get(below)
      if (at === undefined) cache.set(below, (at = computeFreeAt(now, below)))
      return at
    },
    take(now) {
      cachedAt = Number.NaN
      const entry: Entry = { sent: now, answered: null }
      // Without limits nothing asks for a free place, so old entries must be dropped here.
      if (taken.length >= cleanUpAt) {
        dropOld(now)
        cleanUpAt = Math.max(rate.max, taken.length) * 2
      }
      taken.push(entry)
      return {
        answered: (at) => {
          cachedAt = Number.NaN
          entry.answered ??= earlierOf(at, later(entry.sent, maxReceiveMs))
        },
        unsent() {
          cachedAt = Number.NaN
          taken = taken.filter((each) => each !== entry)
        },
      }
    },
  }
}
