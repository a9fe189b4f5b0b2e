/** Every error code of both APIs and of the dashboard interface, with its status and retry rule. */
import { z } from 'zod'

type ErrorKind = {
  readonly status: number
  readonly message: string
  /**
   * `retry`: the same request can succeed later; `final`: it was refused and nothing was charged or
   * moved.
   */
  readonly guidance: 'retry' | 'final'
}

/**
 * Partner API "Errors", Decision 32, and the dashboard interface. These messages are defaults; the
 * code that throws can give a more specific one.
 */
export const errorTable = {
  UNAUTHORIZED: {
    status: 401,
    message: 'The key is missing, invalid, revoked or expired.',
    guidance: 'final',
  },
  ACCOUNT_NOT_ACTIVE: { status: 403, message: "The account isn't active.", guidance: 'final' },
  IP_NOT_ALLOWED: {
    status: 403,
    message: "Requests from this address aren't allowed.",
    guidance: 'final',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    message: 'The key lacks the scope of this endpoint.',
    guidance: 'final',
  },
  NOT_FOUND: { status: 404, message: 'Path not found.', guidance: 'final' },
  VALIDATION_ERROR: { status: 400, message: "The request isn't valid.", guidance: 'final' },
  INSUFFICIENT_BALANCE: {
    status: 402,
    message: 'The balance is too low; nothing was charged.',
    guidance: 'final',
  },
  PRICE_CHANGED: {
    status: 409,
    message: 'The price is above maxUnitPrice; nothing was charged.',
    guidance: 'final',
  },
  OUT_OF_STOCK: {
    status: 409,
    message: "There aren't enough units; nothing was charged.",
    guidance: 'final',
  },
  PRODUCT_UNAVAILABLE: { status: 409, message: "The product can't be sold.", guidance: 'final' },
  DUPLICATE_EXTERNAL_ID: {
    status: 409,
    message: 'An order with this externalId exists.',
    guidance: 'final',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    message: 'The Idempotency-Key was used with a different body.',
    guidance: 'final',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still being processed.',
    guidance: 'retry',
  },
  ORDER_LIMIT_EXCEEDED: {
    status: 422,
    message: 'The total is above the limit per order; nothing was charged.',
    guidance: 'final',
  },
  DAILY_LIMIT_EXCEEDED: {
    status: 422,
    message: 'The spend limit of 24 hours is reached; nothing was charged.',
    guidance: 'final',
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests.', guidance: 'retry' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service is temporarily unable to sell; nothing was charged.',
    guidance: 'retry',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'An unexpected error; retry with the same Idempotency-Key.',
    guidance: 'retry',
  },
  OFFER_HAS_STOCK: {
    status: 409,
    message: 'The offer has stock; withdraw it first.',
    guidance: 'final',
  },
  INSUFFICIENT_STOCK: {
    status: 409,
    message: 'There is less stock than requested; nothing was withdrawn.',
    guidance: 'final',
  },
  DUPLICATE_KEY: {
    status: 409,
    message: 'This key was already used for the product.',
    guidance: 'final',
  },
  DISPUTE_RESOLVED: { status: 409, message: 'The dispute is already resolved.', guidance: 'final' },
  REFERENCE_USED: { status: 409, message: 'The reference was already used.', guidance: 'final' },
  CLAIM_EXISTS: {
    status: 409,
    message: 'There is already a claim on this key.',
    guidance: 'final',
  },
  CLAIM_WINDOW_CLOSED: {
    status: 422,
    message: 'The claim window of 7 days is over.',
    guidance: 'final',
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errorTable

/** Codes are open for clients: a newer service can return others (Decision 33). */
export const errorCodes = Object.keys(errorTable) as ErrorCode[]

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code)

/** Decision 7: when several errors apply, the first of these is returned. */
export const orderOfChecks = [
  'UNAUTHORIZED',
  'ACCOUNT_NOT_ACTIVE',
  'IP_NOT_ALLOWED',
  'KEY_RATE',
  'UNKNOWN_ROUTE',
  'INSUFFICIENT_SCOPE',
  'ENDPOINT_RATE',
  'VALIDATION_ERROR',
  'IDEMPOTENCY',
  'DUPLICATE_EXTERNAL_ID',
  'SERVICE_UNAVAILABLE',
  'PRODUCT_UNAVAILABLE',
  'OUT_OF_STOCK',
  'PRICE_CHANGED',
  'ORDER_LIMIT_EXCEEDED',
  'DAILY_LIMIT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
] as const

export type Check = (typeof orderOfChecks)[number]

/** What checks compared, in words without secrets. */
export type SeenValues = Readonly<Partial<Record<Check, string>>>

/**
 * Statuses of executed refusals that an Idempotency-Key stores and replays; 201 is stored too
 * (Decision 17).
 */
export const replayedStatuses: ReadonlySet<number> = new Set([200, 201, 402, 409, 422])

/** One bad field of a request: `{field: 'items[0].qty', message: 'must be at most 9'}`. */
export type FieldProblem = { field: string; message: string }

/**
 * A refusal by the service. Handlers and the pipeline throw it; the http layer turns it into the
 * Error body.
 */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly details: unknown
  /**
   * Set when an idempotent replay repeats an earlier refusal byte for byte: that request's id.
   * Otherwise the current request's id is used.
   */
  readonly requestId: string | null
  /** Values that the checks up to this refusal compared, for the explanation on the dashboard. */
  seen: SeenValues = {}

  constructor(
    code: ErrorCode,
    message?: string,
    details?: unknown,
    requestId: string | null = null,
  ) {
    super(message ?? errorTable[code].message)
    this.name = 'ApiError'
    this.code = code
    this.details = details
    this.requestId = requestId
  }

  get status(): number {
    return errorTable[this.code].status
  }
}

/** Creates a VALIDATION_ERROR that names each bad field (Decision 9). */
export const validationError = (...problems: readonly FieldProblem[]): ApiError =>
  new ApiError('VALIDATION_ERROR', undefined, problems)

/** The Error body of every refusal. */
export type ErrorBody = {
  error: { code: string; message: string; details?: unknown; requestId: string }
}

/** The body that the backend sends. */
export const errorBodySchema = z.strictObject({
  error: z.strictObject({
    code: z.enum(errorCodes),
    message: z.string(),
    details: z.unknown().optional(),
    requestId: z.string(),
  }),
})

/**
 * The parts that a client can rely on: codes are open, and further fields are allowed (Decision
 * 33).
 */
export const tolerantErrorBodySchema = z.looseObject({
  error: z.looseObject({
    code: z.string(),
    message: z.string(),
    details: z.unknown().optional(),
    requestId: z.string(),
  }),
})

/**
 * Retry guidance of the Partner API: only 429, 5xx and IDEMPOTENCY_IN_PROGRESS (and network errors)
 * can be retried. An unknown code is judged by its status.
 */
export function isRetryable(code: string | null, status: number): boolean {
  return status === 429 || status >= 500 || code === 'IDEMPOTENCY_IN_PROGRESS'
}

/**
 * How long a RATE_LIMITED response asks the client to wait, in milliseconds; null if its details
 * don't contain it.
 */
export function retryAfterOf(details: unknown): number | null {
  const parsed = z.looseObject({ retryAfterMs: z.number().min(0) }).safeParse(details)
  return parsed.success ? parsed.data.retryAfterMs : null
}
