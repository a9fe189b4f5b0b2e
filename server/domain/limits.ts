/** Request rates (Decision 19). */
import type { RateClass } from '../api/endpoint.ts'
import type { PartnerCaller, SellerCaller } from '../api/handlers.ts'

type RatedCaller = PartnerCaller | SellerCaller

/**
 * Counts requests. `demand` looks without counting, `count` counts a request that passed every demand, so that a request
 * refused by any rate counts in none. `null` is the rate of the key alone; a class means the key's rate and that one.
 */
export interface RateGate {
  /** Throws RATE_LIMITED with `details.retryAfterMs` when the rate is used up now. */
  demand(caller: RatedCaller, rate: RateClass | null): void
  count(caller: RatedCaller, rate: RateClass | null): void
}
