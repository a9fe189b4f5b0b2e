import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './time.ts'

/** Requests allowed in any period of this length, in milliseconds. */
export type RateLimit = { readonly max: number; readonly perMs: number }

/**
 * The limits that the service documents for both APIs ("Limits"). The backend enforces them, and the
 * console stays within them.
 */
export const rateLimits = {
  /** Per key, for all endpoints. */
  second: { max: 20, perMs: SECOND_MS },
  minute: { max: 600, perMs: MINUTE_MS },
  /** Per account, for both modes together. */
  orders: { max: 120, perMs: MINUTE_MS },
  downloads: { max: 300, perMs: MINUTE_MS },
  uploads: { max: 300, perMs: MINUTE_MS },
} as const satisfies Record<string, RateLimit>

/** Days after delivery in which a unit can be claimed (Partner API, "What the service does"). */
export const CLAIM_WINDOW_DAYS = 7
export const CLAIM_WINDOW_MS = CLAIM_WINDOW_DAYS * DAY_MS

/** The last millisecond in which a unit that was delivered then can be claimed. */
export const claimUntilOf = (deliveredAt: number): number => deliveredAt + CLAIM_WINDOW_MS

/** Whether a unit can be claimed at `at`. The window includes its last millisecond. */
export const isClaimable = (claimUntil: number, at: number): boolean => at <= claimUntil

/** An open dispute escalates when the seller doesn't answer a customer for this long (Decision 31). */
export const ESCALATES_AFTER_MS = 72 * HOUR_MS

/** The most units of one order line (Partner API, OrderRequest). */
export const UNITS_PER_LINE = 9
