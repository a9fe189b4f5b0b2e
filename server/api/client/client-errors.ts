/**
 * The ways a client call can fail: the service rejected it, no response arrived, or the response
 * can't be read.
 */
import { isRetryable } from '../errors.ts'

/**
 * The service rejected the request. `code` is open: a newer service can return codes that this
 * program doesn't know (Decision 33).
 */
export class ServiceError extends Error {
  readonly code: string
  readonly status: number
  readonly requestId: string | null
  readonly details: unknown
  /** How long the service asks the client to wait, in milliseconds; null if it gives no time. */
  readonly retryAfterMs: number | null

  constructor(answer: {
    code: string
    message: string
    status: number
    requestId: string | null
    details: unknown
    retryAfterMs: number | null
  }) {
    super(answer.message)
    this.name = 'ServiceError'
    this.code = answer.code
    this.status = answer.status
    this.requestId = answer.requestId
    this.details = answer.details
    this.retryAfterMs = answer.retryAfterMs
  }

  /** Follows the Partner API's retry guidance: 429, 5xx and IDEMPOTENCY_IN_PROGRESS. */
  get retryable(): boolean {
    return isRetryable(this.code, this.status)
  }
}

/**
 * No response arrived. `sent` is false only when no byte of the request can have reached the
 * service.
 */
export class NetworkError extends Error {
  readonly sent: boolean

  constructor(message: string, sent: boolean, options?: { cause: unknown }) {
    super(message, options)
    this.name = 'NetworkError'
    this.sent = sent
  }
}

/**
 * A response arrived that the service can't have sent: a proxy's page, a truncated body, or missing
 * fields that the documents promise. The call may have been executed.
 */
export class ResponseError extends Error {
  readonly status: number
  readonly requestId: string | null
  /**
   * How long the sender of the response asks the client to wait, in milliseconds; null if it gives
   * no time.
   */
  readonly retryAfterMs: number | null

  constructor(
    message: string,
    status: number,
    requestId: string | null,
    retryAfterMs: number | null = null,
  ) {
    super(message)
    this.name = 'ResponseError'
    this.status = status
    this.requestId = requestId
    this.retryAfterMs = retryAfterMs
  }

  get retryable(): boolean {
    return isRetryable(null, this.status)
  }
}
