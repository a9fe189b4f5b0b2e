/**
 * Request rates of both APIs, and the error that reports how long to wait (Decision 19; Limits in
 * both API specifications).
 */
import type { RateClass } from '../../api/endpoints/endpoint.ts'
import { ApiError } from '../../api/errors.ts'
import { rateLimits } from '../../api/limits.ts'

/** At most `limit` requests in any `windowMs` milliseconds. */
export type Rate = { readonly name: string; readonly limit: number; readonly windowMs: number }

/** Per key. */
export const keyRates: readonly Rate[] = [
  { name: 'key-second', limit: rateLimits.second.max, windowMs: rateLimits.second.perMs },
  { name: 'key-minute', limit: rateLimits.minute.max, windowMs: rateLimits.minute.perMs },
]

/** Per account, for both modes together. */
export const classRates: Readonly<Record<RateClass, Rate>> = {
  orders: { name: 'orders', limit: rateLimits.orders.max, windowMs: rateLimits.orders.perMs },
  downloads: {
    name: 'downloads',
    limit: rateLimits.downloads.max,
    windowMs: rateLimits.downloads.perMs,
  },
  uploads: { name: 'uploads', limit: rateLimits.uploads.max, windowMs: rateLimits.uploads.perMs },
}

/**
 * RATE_LIMITED with `details.retryAfterMs`. Carries the rate that is used up and all rates that
 * apply to the request.
 */
export class RateLimitedError extends ApiError {
  readonly retryAfterMs: number
  readonly usedUp: Rate
  readonly rates: readonly Rate[]

  constructor(retryAfterMs: number, usedUp: Rate, rates: readonly Rate[]) {
    super('RATE_LIMITED', undefined, { retryAfterMs })
    this.name = 'RateLimitedError'
    this.retryAfterMs = retryAfterMs
    this.usedUp = usedUp
    this.rates = rates
  }
}
