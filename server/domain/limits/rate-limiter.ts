/** Request rates counted as exact sliding windows (Decision 19). */
import type { RateClass } from '../../api/endpoints/endpoint.ts'
import type { PartnerCaller, SellerCaller } from '../../api/handlers.ts'
import type { Clock } from '../ports/environment.ts'
import { classRates, keyRates, type Rate, RateLimitedError } from './rates.ts'

type RatedCaller = PartnerCaller | SellerCaller

/**
 * Limits request rates. The assertions only check; `count` records a request that passed all of
 * them. A request rejected by one rate therefore counts towards none. `rate` is the endpoint's own
 * class, or null.
 */
export interface RateLimiter {
  /**
   * Throws RateLimitedError when the key's rate is used up. The reported wait also covers the
   * endpoint's own rate.
   */
  assertKeyRate(caller: RatedCaller, rate: RateClass | null): void
  /** Throws RateLimitedError when the endpoint's own rate is used up. */
  assertClassRate(caller: RatedCaller, rate: RateClass): void
  count(caller: RatedCaller, rate: RateClass | null): void
}

/** The latest arrivals of one key or account in a ring buffer, as many as its largest limit. */
class Arrivals {
  readonly #times: Float64Array
  #next = 0
  #count = 0

  constructor(capacity: number) {
    this.#times = new Float64Array(capacity)
  }

  add(at: number): void {
    this.#times[this.#next] = at
    this.#next = (this.#next + 1) % this.#times.length
    this.#count = Math.min(this.#count + 1, this.#times.length)
  }

  /**
   * Milliseconds until one more request fits: until the `limit`-th latest arrival has left the
   * window. An arrival at `t` leaves at `t + windowMs`.
   */
  waitFor({ limit, windowMs }: Rate, now: number): number {
    if (this.#count < limit) return 0
    return Math.max(0, this.#back(limit) + windowMs - now)
  }

  get latest(): number {
    return this.#back(1)
  }

  #back(steps: number): number {
    const capacity = this.#times.length
    return this.#times[(this.#next - steps + capacity) % capacity] ?? 0
  }
}

/** With this many callers remembered, callers without recent arrivals are removed. */
const SWEEP_AT = 1000

class Windows {
  readonly #rates: readonly Rate[]
  readonly #capacity: number
  readonly #longest: number
  readonly #arrivals = new Map<string, Arrivals>()

  constructor(rates: readonly Rate[]) {
    this.#rates = rates
    this.#capacity = Math.max(...rates.map(({ limit }) => limit))
    this.#longest = Math.max(...rates.map(({ windowMs }) => windowMs))
  }

  /**
   * The rate with the longest wait for one more request, and that wait. Null when all rates admit
   * it now.
   */
  blocking(id: string, now: number): { rate: Rate; wait: number } | null {
    const arrivals = this.#arrivals.get(id)
    if (arrivals === undefined) return null
    let worst: { rate: Rate; wait: number } | null = null
    for (const rate of this.#rates) {
      const wait = arrivals.waitFor(rate, now)
      if (wait > (worst?.wait ?? 0)) worst = { rate, wait }
    }
    return worst
  }

  add(id: string, now: number): void {
    let arrivals = this.#arrivals.get(id)
    if (arrivals === undefined) {
      if (this.#arrivals.size >= SWEEP_AT) this.#sweep(now)
      arrivals = new Arrivals(this.#capacity)
      this.#arrivals.set(id, arrivals)
    }
    arrivals.add(now)
  }

  clear(): void {
    this.#arrivals.clear()
  }

  #sweep(now: number): void {
    for (const [id, { latest }] of this.#arrivals)
      if (latest + this.#longest <= now) this.#arrivals.delete(id)
  }
}

/**
 * A larger step back of the computer's clock is a correction. Arrivals recorded before it are then
 * meaningless.
 */
const MAX_STEP_BACK_MS = 60_000

const accountOf = (caller: RatedCaller): string =>
  caller.kind === 'partner' ? caller.partnerId : caller.sellerId

/**
 * Limits request rates by the service's clock. The windows are stored in memory, so a restart
 * starts with empty ones.
 *
 * @param offset how far the service's clock is ahead of the computer's. When it decreases, a restore
 *   or a reset moved the clock back, and the windows start empty.
 */
export function createRateLimiter(clock: Clock, offset = () => 0): RateLimiter {
  const keys = new Windows(keyRates)
  const classes = {
    orders: new Windows([classRates.orders]),
    downloads: new Windows([classRates.downloads]),
    uploads: new Windows([classRates.uploads]),
  }
  let latest = 0
  /**
   * How far the clock must advance before time passes for the windows again. Above 0 only after a
   * small step back.
   */
  let behind = 0
  let lastOffset = offset()

  function isMovedBack(): boolean {
    const before = lastOffset
    lastOffset = offset()
    return lastOffset < before
  }

  function windowTime(): number {
    const now = clock.now()
    if (isMovedBack() || now < latest - MAX_STEP_BACK_MS)
      for (const windows of [keys, ...Object.values(classes)]) windows.clear()
    else if (now < latest) {
      behind = latest - now
      return latest
    }
    latest = now
    behind = 0
    return now
  }

  const ratesOf = (rate: RateClass | null): readonly Rate[] =>
    rate === null ? keyRates : [...keyRates, classRates[rate]]

  return {
    assertKeyRate(caller, rate) {
      const now = windowTime()
      const key = keys.blocking(caller.keyId, now)
      if (key === null) return
      const own = rate === null ? null : classes[rate].blocking(accountOf(caller), now)
      const worst = own !== null && own.wait > key.wait ? own : key
      throw new RateLimitedError(worst.wait + behind, worst.rate, ratesOf(rate))
    },
    assertClassRate(caller, rate) {
      const own = classes[rate].blocking(accountOf(caller), windowTime())
      if (own !== null) throw new RateLimitedError(own.wait + behind, own.rate, ratesOf(rate))
    },
    count(caller, rate) {
      const now = windowTime()
      keys.add(caller.keyId, now)
      if (rate !== null) classes[rate].add(accountOf(caller), now)
    },
  }
}
