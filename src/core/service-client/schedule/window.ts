/** How many requests a service accepts in a period. */
export type Rate = { max: number; perMs: number }

/** One request in a window. */
export interface Slot {
  answered(at: number): void
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
  used(now: number): number
  /**
   * The earliest time at which fewer than `below` requests count; `now` when that is already true.
   */
  freeAt(now: number, below: number): number
  take(now: number): Slot
}

const maxReceiveMs = 2000

export function createWindow(rate: Rate): SlidingWindow {
  let taken: { sent: number; answered: number | null }[] = []
  let cleanUpAt = rate.max * 2
  // Queued requests all ask the same question at the same time.
  let cache = new Map<number, number>()
  let cachedAt = Number.NaN
  const countedFrom = (entry: { sent: number; answered: number | null }, now: number): number =>
    entry.answered ?? Math.min(now, entry.sent + maxReceiveMs)
  const dropOld = (now: number): void => {
    taken = taken.filter((entry) => countedFrom(entry, now) > now - rate.perMs)
  }
  const computeFreeAt = (now: number, below: number): number => {
    dropOld(now)
    if (taken.length < below) return now
    const moments = taken.map((entry) => countedFrom(entry, now)).sort((a, b) => a - b)
    return (moments[taken.length - Math.max(1, below)] ?? now) + rate.perMs
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
      const entry: { sent: number; answered: number | null } = { sent: now, answered: null }
      // Without limits nothing asks for a free place, so old entries must be dropped here.
      if (taken.length >= cleanUpAt) {
        dropOld(now)
        cleanUpAt = Math.max(rate.max, taken.length) * 2
      }
      taken.push(entry)
      return {
        answered: (at) => {
          cachedAt = Number.NaN
          entry.answered ??= Math.min(at, entry.sent + maxReceiveMs)
        },
      }
    },
  }
}
