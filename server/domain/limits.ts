/** Request rates as exact sliding windows (Decision 19; Limits of both API documents). */
import type { RateClass } from '../api/endpoint.ts'
import { ApiError } from '../api/errors.ts'
import type { PartnerCaller, SellerCaller } from '../api/handlers.ts'
import type { Clock } from './ports/environment.ts'

type RatedCaller = PartnerCaller | SellerCaller

/** At most `limit` requests in any `windowMs` milliseconds. */
export type Rate = { readonly limit: number; readonly windowMs: number }

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Per key; the longest window first, so that it keeps the others' arrivals too. */
export const keyRates: readonly Rate[] = [{ limit: 600, windowMs: MINUTE }, { limit: 20, windowMs: SECOND }]

/** Per account, both modes together. */
export const classRates: Readonly<Record<RateClass, Rate>> = {
  orders: { limit: 120, windowMs: MINUTE },
  downloads: { limit: 300, windowMs: MINUTE },
  uploads: { limit: 300, windowMs: MINUTE },
}

/**
 * Counts requests. `demand` looks without counting, `count` counts a request that passed every demand, so that a request
 * refused by any rate counts in none. `null` is the rate of the key alone; a class means the key's rate and that one.
 */
export interface RateGate {
  /** Throws RATE_LIMITED with `details.retryAfterMs` when the rate is used up now. */
  demand(caller: RatedCaller, rate: RateClass | null): void
  count(caller: RatedCaller, rate: RateClass | null): void
}

/** The latest arrivals of one key or account, as many as its largest limit: a ring in order of time. */
export class Arrivals {
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
   * Milliseconds until one more request fits into the window; 0 when it fits now. A request at `t` blocks the window until
   * `t + windowMs`: the one that must have left is the `limit`-th latest.
   */
  waitFor({ limit, windowMs }: Rate, now: number): number {
    if (this.#count < limit) return 0
    const capacity = this.#times.length
    const oldest = this.#times[(this.#next - limit + capacity) % capacity] ?? 0
    return Math.max(0, oldest + windowMs - now)
  }

  /** The latest arrival; nothing of this ring counts any more once the longest window has passed since. */
  get latest(): number {
    return this.#times[(this.#next - 1 + this.#times.length) % this.#times.length] ?? 0
  }
}

/** Rings that are all past are forgotten when so many have gathered. */
const SWEEP_AT = 1000

function createRings(rates: readonly Rate[]) {
  const rings = new Map<string, Arrivals>()
  const capacity = Math.max(...rates.map(({ limit }) => limit))
  const longest = Math.max(...rates.map(({ windowMs }) => windowMs))
  return {
    wait(id: string, now: number): number {
      const ring = rings.get(id)
      return ring === undefined ? 0 : Math.max(...rates.map((rate) => ring.waitFor(rate, now)))
    },
    add(id: string, now: number): void {
      let ring = rings.get(id)
      if (ring === undefined) {
        if (rings.size >= SWEEP_AT) for (const [old, { latest }] of rings) if (latest + longest <= now) rings.delete(old)
        ring = new Arrivals(capacity)
        rings.set(id, ring)
      }
      ring.add(now)
    },
  }
}

const accountOf = (caller: RatedCaller): string => (caller.kind === 'partner' ? caller.partnerId : caller.sellerId)

/** The rates on the service's clock, kept in memory: a restart forgets them, as it takes longer than the shortest window. */
export function createRateGate(clock: Clock): RateGate {
  const keys = createRings(keyRates)
  const classes = { orders: createRings([classRates.orders]), downloads: createRings([classRates.downloads]), uploads: createRings([classRates.uploads]) }
  return {
    demand(caller, rate) {
      const now = clock.now()
      const wait = Math.max(keys.wait(caller.keyId, now), rate === null ? 0 : classes[rate].wait(accountOf(caller), now))
      if (wait > 0) throw new ApiError('RATE_LIMITED', undefined, { retryAfterMs: wait })
    },
    count(caller, rate) {
      const now = clock.now()
      keys.add(caller.keyId, now)
      if (rate !== null) classes[rate].add(accountOf(caller), now)
    },
  }
}
