import { oc } from '@orpc/contract'
import { z } from 'zod'

export { centsSchema } from '../../server/api/money.ts'

/**
 * A point in time, in milliseconds since 1970-01-01T00:00:00Z. The screen shows it in the user's
 * time zone.
 */
export const instantSchema = z.number().int()

export const accountIdSchema = z.string().min(1).max(64)

/**
 * The parts of every failure that a person sees, in this order: what happened, whether money or
 * keys moved, what to do next. `code`, `status` and `requestId` come from the service if it
 * responded.
 */
export const problemSchema = z.object({
  /**
   * Stable code: the service's (`PRICE_CHANGED`) or Keydesk's own (`OFFLINE`, `VAULT_LOCKED`,
   * `KEYCHAIN_MISSING`, `INVALID_INPUT`, `NOT_FOUND`, `INTERNAL`).
   */
  code: z.string(),
  /** What happened, one sentence: "Not ordered: the price went up." */
  what: z.string(),
  /**
   * Whether money, keys or stock moved: "Nothing was charged." Null where nothing could have moved.
   */
  effect: z.string().nullable(),
  /** What to do now: "Raise the limit or leave it." */
  next: z.string(),
  /** HTTP status of the service's response. */
  status: z.number().int().nullable(),
  /** The service's ID of the request, for its support. */
  requestId: z.string().nullable(),
  /** How long to wait before trying again, in milliseconds. */
  retryAfterMs: z.number().int().nullable(),
  /** The invalid fields, when the input was invalid. */
  fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  /** Other facts in the service's response, such as `currentPrice`. Never a secret. */
  details: z.record(z.string(), z.unknown()).optional(),
})
export type Problem = z.infer<typeof problemSchema>

/** Every procedure can fail with `FAILED`; its data is a {@link Problem}. */
export const procedure = oc.errors({ FAILED: { status: 500, data: problemSchema } })

/** A window of a sorted list: rows `offset` to `offset + limit - 1`. */
export const windowSchema = z.object({
  offset: z.number().int().min(0).default(0),
  limit: z.number().int().min(1).max(500).default(100),
})

export const sortSchema = <const Columns extends readonly [string, ...string[]]>(
  columns: Columns,
) => z.object({ column: z.enum(columns), direction: z.enum(['asc', 'desc']) })
