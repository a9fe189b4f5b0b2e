/**
 * Request rates of both APIs, and the error that reports how long to wait (Decision 19; Limits in
 * both API specifications).
 */
import type { RateClass } from '../../api/endpoint.ts'
import { ApiError } from '../../api/errors.ts'

/** At most `limit` requests in any `windowMs` milliseconds. */
export type Rate = { readonly name: string; readonly limit: number; readonly windowMs: number }

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Per key. */
export const keyRates: readonly Rate[] = [
  { name: 'key-second', limit: 20, windowMs: SECOND },
  { name: 'key-minute', limit: 600, windowMs: MINUTE },
]

/** Per account, for both modes together. */
export const classRates: Readonly<Record<RateClass, Rate>> = {
  orders: { name: 'orders', limit: 120, windowMs: MINUTE },
  downloads: { name: 'downloads', limit: 300, windowMs: MINUTE },
  uploads: { name: 'uploads', limit: 300, windowMs: MINUTE },
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
